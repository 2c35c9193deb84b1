//===- ControlFlowLowering.cpp - functions, blocks, edges, emission -------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/Lowering.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

/// Whether \p F or what it stands in was made from a template.
static bool isInstance(const FunctionDecl &F) {
  for (const DeclContext *C = &F; C; C = C->getParent()) {
    if (const auto *Function = dyn_cast<FunctionDecl>(C);
        Function && Function->isTemplateInstantiation())
      return true;
    if (const auto *Record = dyn_cast<ClassTemplateSpecializationDecl>(C);
        Record && Record->getSpecializationKind() != TSK_ExplicitSpecialization)
      return true;
  }
  return false;
}

Lowering::Lowering(const FunctionDecl &F, ASTContext &Context,
                   const ApiModel &Model, UnitFunctions &Unit)
    : Fn(F), Unit(Unit), Context(Context), SM(Context.getSourceManager()),
      Kinds(Model), IsInstance(isInstance(F)) {}

BodyId UnitFunctions::idOf(const FunctionDecl &F) {
  auto [It, New] = Ids.try_emplace(&F, Decls.size());
  if (New) {
    Decls.push_back(&F);
    Lowered.emplace_back();
  }
  return It->second;
}

const program::Function &UnitFunctions::get(const FunctionDecl &F) {
  return *body(idOf(F));
}

const program::Function *UnitFunctions::body(BodyId Id) {
  if (!Lowered[Id]) {
    auto P = std::make_unique<program::Function>(
        Lowering(*Decls[Id], Context, Model, *this).run(Tainted));
    if (P->Reason == GiveUp::No &&
        !program::verify(*P, /*Strict=*/false).empty())
      P->Reason = GiveUp::Malformed;
    Lowered[Id] = std::move(P); // lowering may have made more entries
  }
  return Lowered[Id].get();
}

static std::string functionName(const FunctionDecl &F) {
  if (const auto *M = dyn_cast<CXXMethodDecl>(&F))
    if (M->getParent()->isLambda()) {
      const DeclContext *C = M->getParent()->getDeclContext();
      while (C && !isa<FunctionDecl>(C) && !C->isFileContext())
        C = C->getParent();
      const auto *Outer = dyn_cast_or_null<FunctionDecl>(C);
      return Outer ? functionName(*Outer) + "::lambda" : "lambda";
    }
  return qualifiedName(F);
}

static bool hasTaint(const FunctionDecl &F, const SourceManager &SM,
                     llvm::ArrayRef<SourceLocation> Tainted) {
  SourceLocation Begin = SM.getFileLoc(F.getSourceRange().getBegin());
  SourceLocation End = SM.getFileLoc(F.getSourceRange().getEnd());
  return llvm::any_of(Tainted, [&](SourceLocation L) {
    L = SM.getFileLoc(L);
    return L == Begin || L == End ||
           (L.isValid() && SM.isBeforeInTranslationUnit(Begin, L) &&
            SM.isBeforeInTranslationUnit(L, End));
  });
}

/// Whether \p F is what a module runs for each batch.
static bool isForward(const FunctionDecl &F) {
  const auto *M = dyn_cast<CXXMethodDecl>(&F);
  if (!M || M->isStatic() || !M->getIdentifier() || M->getName() != "forward")
    return false;
  const CXXRecordDecl *Class = M->getParent();
  return Class->hasDefinition() &&
         !Class->forallBases([](const CXXRecordDecl *Base) {
           return qualifiedName(*Base) != "torch::nn::Module";
         });
}

program::Function Lowering::run(llvm::ArrayRef<SourceLocation> Tainted) {
  Out.Name = functionName(Fn);
  Out.Where = range(Fn.getSourceRange());
  Out.Identity = identityOf(Fn);
  if (const auto *M = dyn_cast<CXXMethodDecl>(&Fn);
      M && M->getParent()->isLambda()) {
    Out.IsLambda = true;
    const DeclContext *C = M->getParent()->getDeclContext();
    while (C && !isa<FunctionDecl>(C) && !C->isFileContext())
      C = C->getParent();
    if (const auto *Around = dyn_cast_or_null<FunctionDecl>(C))
      Out.Around = identityOf(*Around);
    for (const LambdaCapture &Captured : M->getParent()->captures())
      if (Captured.capturesVariable() &&
          Captured.getCaptureKind() == LCK_ByCopy)
        CopiedIn.insert(Captured.getCapturedVar());
  }
  Out.ReturnsTensor = Kinds.isTensor(Fn.getReturnType());
  Out.Returns = Kinds.fields(Fn.getReturnType()).empty()
                    ? varType(Fn.getReturnType())
                    : VarType::List;
  Out.ReturnsBorrowed = Kinds.borrows(Fn.getReturnType());
  Out.CallersVisible = Out.IsLambda || !Fn.isExternallyVisible();
  Out.IsForward = isForward(Fn);

  const clang::Stmt *Body = Fn.getBody();
  auto GiveUpWith = [&](GiveUp Reason) {
    Out.Reason = Reason;
    Out.Blocks.clear();
    return std::move(Out);
  };
  if (!Body)
    return GiveUpWith(GiveUp::NoCfg);
  if (Fn.isDependentContext())
    return GiveUpWith(GiveUp::Dependent);
  if (isa<CoroutineBodyStmt>(Body))
    return GiveUpWith(GiveUp::Coroutine);
  // Of what a lambda captures nothing is known where it stands in such code.
  for (const DeclContext *C = &Fn; C && !C->isFileContext(); C = C->getParent())
    if (const auto *F = dyn_cast<FunctionDecl>(C);
        F && F->getBody() &&
        (F->isInvalidDecl() || hasTaint(*F, SM, Tainted) ||
         dropsStatements(F->getBody(), Context)))
      return GiveUpWith(GiveUp::HasErrors);
  scanBody(Body, Kinds, Scan);
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(&Fn))
    for (const CXXCtorInitializer *I : Ctor->inits())
      scanBody(I->getInit(), Kinds, Scan);
  if (Scan.HasErrors)
    return GiveUpWith(GiveUp::HasErrors);
  if (Scan.TooDeep)
    return GiveUpWith(GiveUp::TooDeep);

  for (const ParmVarDecl *P : Fn.parameters()) {
    Scan.ByName[P->getDeclName()].push_back(P);
    varFor(*P);
  }
  Out.Params = Out.Vars.size();
  makeLoops();
  if (!lowerCfg(*Body))
    return GiveUpWith(Out.Reason);
  for (const auto &[D, Id] : Vars)
    Out.Named.try_emplace(identityOf(*D), Id);
  for (const auto &[D, Of] : Aliases)
    if (Of.Exact)
      Out.Named[identityOf(*D)] = Of.Var;
  return std::move(Out);
}

//===----------------------------------------------------------------------===//
// Blocks and loops
//===----------------------------------------------------------------------===//

static bool isAlwaysFalse(const Expr *E, const ASTContext &Context) {
  bool Value;
  return E && !E->isValueDependent() &&
         E->EvaluateAsBooleanCondition(Value, Context) && !Value;
}

/// `for (int i = a; i < b; ++i)` with constants that allow one iteration.
static bool runsOnce(const ForStmt &F, const ASTContext &Context) {
  const auto *D = dyn_cast_or_null<DeclStmt>(F.getInit());
  const auto *C = dyn_cast_or_null<BinaryOperator>(F.getCond());
  const auto *Inc = dyn_cast_or_null<UnaryOperator>(F.getInc());
  const auto *V =
      D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
  if (!V || !V->getInit() || !C || !Inc || !Inc->isIncrementOp())
    return false;
  const auto *Counter =
      dyn_cast<DeclRefExpr>(C->getLHS()->IgnoreParenImpCasts());
  Expr::EvalResult From, To;
  if (!Counter || Counter->getDecl() != V || V->getInit()->isValueDependent() ||
      C->getRHS()->isValueDependent() ||
      !V->getInit()->EvaluateAsInt(From, Context) ||
      !C->getRHS()->EvaluateAsInt(To, Context))
    return false;
  int64_t N = To.Val.getInt().getExtValue() - From.Val.getInt().getExtValue();
  return C->getOpcode() == BO_LT ? N <= 1 : C->getOpcode() == BO_LE && N <= 0;
}

void Lowering::makeLoops() {
  for (const BodyScan::LoopInfo &I : Scan.Loops) {
    program::Loop L;
    L.Parent = I.Parent;
    L.Parallel = I.Parallel > 0;
    L.Where = range(I.S->getSourceRange());
    if (const auto *F = dyn_cast<ForStmt>(I.S)) {
      L.Kind = LoopKind::For;
      L.RunsOnce = runsOnce(*F, Context);
      if (const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit()))
        if (const auto *V = dyn_cast<VarDecl>(*D->decl_begin()))
          L.Induction = V->getNameAsString();
    } else if (const auto *R = dyn_cast<CXXForRangeStmt>(I.S)) {
      L.Kind = LoopKind::RangeFor;
      L.Induction = R->getLoopVariable()->getNameAsString();
    } else if (const auto *D = dyn_cast<DoStmt>(I.S)) {
      L.Kind = LoopKind::Do;
      L.RunsOnce = isAlwaysFalse(D->getCond(), Context);
    } else {
      L.Kind = LoopKind::While;
    }
    Out.Loops.push_back(std::move(L));
  }
}

/// The loop of a block is that of the first statement in it that has one; null
/// when nothing in it says.
const LoopId *Lowering::loopOf(const CFGBlock &B) const {
  auto Find = [](const auto &Map, const clang::Stmt *S) -> const LoopId * {
    auto It = Map.find(S);
    return It == Map.end() ? nullptr : &It->second;
  };
  // The way back to the head.
  if (const LoopId *L = Find(Scan.LoopOf, B.getLoopTarget()))
    return L;
  for (const CFGElement &E : B) {
    if (auto S = E.getAs<CFGStmt>()) {
      const clang::Stmt *At = S->getStmt();
      if (const auto *D = dyn_cast<DeclStmt>(At)) // the CFG splits them
        if (const auto *V = dyn_cast<VarDecl>(*D->decl_begin()))
          At = Scan.DeclOf.lookup(V);
      if (const LoopId *L = Find(Scan.InLoop, At))
        return L;
    } else if (auto Ends = E.getAs<CFGLifetimeEnds>()) {
      if (const LoopId *L = Find(Scan.InLoop, Ends->getTriggerStmt()))
        return L;
    }
  }
  if (const clang::Stmt *T = B.getTerminatorStmt()) {
    if (const LoopId *L = Find(Scan.LoopOf, T))
      return L; // its test
    if (const LoopId *L = Find(Scan.InLoop, T))
      return L;
  }
  return Find(Scan.InLoop, B.getLabel());
}

/// A block nobody wrote is in the innermost loop that holds both a block it
/// comes from and one it leads to.
void Lowering::inferLoops(llvm::DenseSet<BlockId> Unknown) {
  auto Depth = [&](LoopId L) {
    unsigned N = 0;
    for (; L != NoId; L = Out.Loops[L].Parent)
      ++N;
    return N;
  };
  std::vector<llvm::SmallVector<BlockId, 2>> Preds(Out.Blocks.size());
  for (BlockId B = 0; B < Out.Blocks.size(); ++B)
    for (BlockId S : Out.Blocks[B].Succs)
      if (S != NoId)
        Preds[S].push_back(B);
  auto Deepest = [&](llvm::ArrayRef<BlockId> Blocks) {
    LoopId Best = NoId;
    for (BlockId B : Blocks)
      if (B != NoId && !Unknown.count(B) &&
          Depth(Out.Blocks[B].InLoop) > Depth(Best))
        Best = Out.Blocks[B].InLoop;
    return Best;
  };
  auto Known = [&](llvm::ArrayRef<BlockId> Blocks) {
    return llvm::any_of(
        Blocks, [&](BlockId B) { return B != NoId && !Unknown.count(B); });
  };
  for (bool Changed = true; Changed && !Unknown.empty();) {
    Changed = false;
    for (BlockId B = 0; B < Out.Blocks.size(); ++B) {
      // Runs of such blocks take their loop from where the run leads.
      llvm::ArrayRef<BlockId> Succs = Out.Blocks[B].Succs;
      if (!Unknown.count(B) || !Known(Preds[B]) ||
          !(Known(Succs) || Succs.size() == 1))
        continue;
      llvm::SmallVector<BlockId, 2> Leads(Succs.begin(), Succs.end());
      for (unsigned Steps = 0; !Known(Leads) && Leads.size() == 1 &&
                               Leads[0] != NoId && Steps < 100;
           ++Steps)
        Leads = Out.Blocks[Leads[0]].Succs;
      LoopId From = Deepest(Preds[B]), To = Deepest(Leads);
      while (Depth(From) > Depth(To))
        From = Out.Loops[From].Parent;
      while (Depth(To) > Depth(From))
        To = Out.Loops[To].Parent;
      while (From != To) {
        From = Out.Loops[From].Parent;
        To = Out.Loops[To].Parent;
      }
      Out.Blocks[B].InLoop = From;
      Unknown.erase(B);
      Changed = true;
    }
  }
}

void Lowering::findHeads(const CFG &Graph) {
  for (const CFGBlock *B : Graph) {
    auto It = Scan.LoopOf.find(B->getLoopTarget());
    if (It == Scan.LoopOf.end() || B->succ_size() != 1)
      continue;
    auto Head = BlockIds.find(B->succ_begin()->getReachableBlock());
    if (Head != BlockIds.end() && BlockIds.count(B))
      Out.Loops[It->second].Head = Head->second;
  }
  // Without a reachable way back: the block of its test.
  for (const auto &[B, Id] : BlockIds) {
    auto It = Scan.LoopOf.find(B->getTerminatorStmt());
    if (It != Scan.LoopOf.end() && Out.Loops[It->second].Head == NoId)
      Out.Loops[It->second].Head = Id;
  }
}

bool Lowering::lowerCfg(const clang::Stmt &Body) {
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  Options.AddInitializers = true;
  Options.AddLifetime = true;
  // Destructors matter where one does not return (glog's CHECK), exception
  // edges where something is caught; elsewhere they only add blocks.
  Options.AddImplicitDtors = Scan.HasNoReturnDtor;
  Options.AddTemporaryDtors = Scan.HasNoReturnDtor;
  Options.AddEHEdges = Scan.HasTry;
  std::unique_ptr<CFG> Graph =
      CFG::buildCFG(&Fn, const_cast<clang::Stmt *>(&Body), &Context, Options);
  if (!Graph) {
    Out.Reason = GiveUp::NoCfg;
    return false;
  }
  if (Graph->getNumBlockIDs() > MaxBlocks) {
    Out.Reason = GiveUp::TooManyBlocks;
    return false;
  }

  // Reachable blocks in reverse post-order, so that a value is lowered before
  // the blocks that use it. Successors are taken in reverse to keep the text
  // in source order.
  llvm::SmallVector<const CFGBlock *, 32> PostOrder;
  llvm::DenseSet<const CFGBlock *> Seen;
  llvm::SmallVector<std::pair<const CFGBlock *, unsigned>, 32> Stack;
  auto Visit = [&](const CFGBlock *B) {
    if (B && B != &Graph->getExit() && Seen.insert(B).second)
      Stack.push_back({B, B->succ_size()});
  };
  Visit(&Graph->getEntry());
  while (!Stack.empty()) {
    auto &[B, Next] = Stack.back();
    if (Next == 0) {
      PostOrder.push_back(B);
      Stack.pop_back();
      continue;
    }
    --Next;
    Visit((B->succ_begin() + Next)->getReachableBlock());
  }
  // The entry block is empty: start at its successor.
  llvm::SmallVector<const CFGBlock *, 32> Order(PostOrder.rbegin(),
                                                PostOrder.rend());
  for (const CFGBlock *B : Order) {
    BlockIds[B] = Out.Blocks.size();
    Out.Blocks.emplace_back();
  }
  findHeads(*Graph);
  ExitBlock = &Graph->getExit();
  auto FallsOff = [&](const CFGBlock *B) {
    return B->succ_size() == 2 &&
           llvm::any_of(B->succs(), [&](const CFGBlock::AdjacentBlock &A) {
             return A.getReachableBlock() == ExitBlock;
           });
  };
  if (llvm::any_of(Order, FallsOff)) {
    ReturnBlock = Out.Blocks.size();
    Out.Blocks.emplace_back();
  }
  llvm::DenseSet<BlockId> Unknown;
  for (const CFGBlock *B : Order) {
    Here = BlockIds[B];
    if (Here == 0) {
      lowerContracts();
      lowerMembers();
    }
    if (const LoopId *L = loopOf(*B))
      Out.Blocks[Here].InLoop = *L;
    else if (Here != 0)
      Unknown.insert(Here);
    lowerBlock(*B);
  }
  if (ReturnBlock != NoId) {
    Here = ReturnBlock;
    emit(Op::Return, nullptr);
  }
  inferLoops(std::move(Unknown));
  return true;
}

/// Whether parameter \p I of \p F carries
/// `[[clang::annotate("tensortidy::contiguous")]]` in any declaration.
static bool isAnnotated(const FunctionDecl &F, unsigned I) {
  return llvm::any_of(F.redecls(), [&](const FunctionDecl *D) {
    return I < D->getNumParams() &&
           llvm::any_of(
               D->getParamDecl(I)->specific_attrs<AnnotateAttr>(),
               [](const AnnotateAttr *A) {
                 return A->getAnnotation() == "tensortidy::contiguous";
               });
  });
}

/// What callers have to see to holds from the first statement on.
void Lowering::lowerContracts() {
  for (unsigned I = 0; I < Fn.getNumParams(); ++I) {
    const ParmVarDecl *P = Fn.getParamDecl(I);
    if (!Kinds.isTensor(P->getType()) ||
        !(isAnnotated(Fn, I) ||
          Kinds.model().isContiguous(Kinds.name(Fn), I, P->getName())))
      continue;
    ValueId Tensor = load(varFor(*P), nullptr);
    program::Stmt &Query = emit(Op::IsContiguous, nullptr);
    Query.Where = range(P->getSourceRange());
    Query.Args.push_back({"self", Tensor, Role::Read, NoId});
    ValueId Holds = result(Query);
    program::Stmt &S = emit(Op::Assume, nullptr);
    S.Where = range(P->getSourceRange());
    S.Args.push_back({"", Holds, Role::Read, NoId});
  }
}

/// Whether nothing comes after \p B: it makes a temporary whose destructor does
/// not return, say, as glog's CHECK does in one arm of a `?:`. The full
/// expression ends in another block, which both arms reach.
static bool leavesByThrow(const CFGBlock &B) {
  return B.hasNoReturnElement() || llvm::any_of(B, [](const CFGElement &E) {
           auto S = E.getAs<CFGStmt>();
           const auto *T =
               S ? dyn_cast<CXXBindTemporaryExpr>(S->getStmt()) : nullptr;
           const CXXRecordDecl *R =
               T ? T->getType()->getAsCXXRecordDecl() : nullptr;
           return R && R->isAnyDestructorNoReturn();
         });
}

/// The failing arm of an assertion macro: how its message is made is nobody's
/// concern.
static bool isFailedAssertion(const CFGBlock &B) {
  if (!leavesByThrow(B) || B.empty())
    return false;
  auto First = B.begin()->getAs<CFGStmt>();
  return First && First->getStmt()->getBeginLoc().isMacroID();
}

void Lowering::lowerBlock(const CFGBlock &B) {
  if (isFailedAssertion(B)) {
    emit(Op::Throw, nullptr);
    return;
  }
  Temporaries.clear();
  for (const CFGElement &E : B) {
    if (auto S = E.getAs<CFGStmt>()) {
      lowerElementStmt(*S->getStmt());
    } else if (auto Ends = E.getAs<CFGLifetimeEnds>()) {
      const VarDecl *V = Ends->getVarDecl();
      if (const auto *D = dyn_cast<DecompositionDecl>(V))
        for (const BindingDecl *B : llvm::reverse(D->bindings()))
          if (auto At = Vars.find(B);
              At != Vars.end() && !Out.Vars[At->second].IsReference)
            endScope(At->second, B->getType());
      auto It = Vars.find(V);
      if (It != Vars.end() && !isa<ParmVarDecl>(V))
        endScope(It->second, V->getType());
    } else if (auto Init = E.getAs<CFGInitializer>()) {
      const CXXCtorInitializer *I = Init->getInitializer();
      if (const FieldDecl *F = I->getAnyMember()) {
        ValueId V = viewOfShortLived(*I->getInit(), val(I->getInit()), false);
        write(memberVar(ThisBase, *F), F->getType(), V, I->getInit(),
              F->getType()->isReferenceType());
      }
    }
  }
  lowerTerminator(B);
}

/// Successors of a switch are labelled by their case; what is not one constant
/// (a range of cases) leaves the switch without condition.
void Lowering::lowerSwitch(const SwitchStmt &S, const CFGBlock &B) {
  Block &Blk = Out.Blocks[Here];
  llvm::SmallVector<CaseLabel, 8> Cases;
  bool Plain = true, Default = false;
  for (const CFGBlock::AdjacentBlock &A : B.succs()) {
    const CFGBlock *To = A.getReachableBlock();
    auto It = BlockIds.find(To);
    if (!To || It == BlockIds.end())
      continue;
    Blk.Succs.push_back(It->second);
    const auto *Case = dyn_cast_or_null<CaseStmt>(To->getLabel());
    Expr::EvalResult Value;
    if (!Case) {
      Plain = Plain && !Default; // the default, or what follows the switch
      Default = true;
      Cases.emplace_back();
    } else if (!Case->getRHS() && !Case->getLHS()->isValueDependent() &&
               Case->getLHS()->EvaluateAsInt(Value, Context)) {
      const llvm::APSInt &I = Value.Val.getInt();
      const QualType T = strip(S.getCond())->getType();
      if (Kinds.kind(T) != Kind::Symbol)
        Cases.push_back({I.getExtValue(), ""});
      else if (StringRef Name = symbolName(T, I); !Name.empty())
        Cases.push_back({std::nullopt, Name.str()});
      else
        Plain = false;
    } else {
      Plain = false;
    }
  }
  ValueId Condition = Plain ? val(S.getCond()) : 0;
  // Emitting may have moved the blocks.
  Block &Now = Out.Blocks[Here];
  Now.Condition = Condition;
  if (Condition)
    Now.Cases.assign(Cases.begin(), Cases.end());
}

void Lowering::lowerTerminator(const CFGBlock &B) {
  const clang::Stmt *T =
      B.getTerminator().isStmtBranch() ? B.getTerminatorStmt() : nullptr;
  ValueId Condition = 0;
  if (const auto *L = dyn_cast_or_null<CXXForRangeStmt>(T)) {
    Condition = emitOther(Op::RangeMore, "", L->getRangeInit(), rangeOf(*L));
  } else if (const auto *S = dyn_cast_or_null<SwitchStmt>(T)) {
    lowerSwitch(*S, B);
    return;
  } else if (T && B.succ_size() == 2 && !isa<SwitchStmt, CXXTryStmt>(T)) {
    const auto *E = dyn_cast_or_null<Expr>(B.getTerminatorCondition(false));
    // `a && b` as a branch's condition is split over blocks; in this one its
    // last operand decides, unless the arms have met again before.
    while (E) {
      E = strip(E);
      const auto *Logic = dyn_cast<BinaryOperator>(E);
      if (!Logic || !Logic->isLogicalOp() || Values.count(E))
        break;
      E = Logic->getRHS();
    }
    if (E)
      Condition = asBool(E);
  }

  Block &Blk = Out.Blocks[Here];
  bool LeavesByThrow = leavesByThrow(B);
  for (const CFGBlock::AdjacentBlock &A : B.succs()) {
    const CFGBlock *S = A.getReachableBlock();
    auto It = BlockIds.find(S);
    if (Condition && S && S == ExitBlock)
      Blk.Succs.push_back(ReturnBlock); // the arm falls off the end
    else if (Condition)
      Blk.Succs.push_back(It == BlockIds.end() ? NoId : It->second);
    else if (It != BlockIds.end() && !LeavesByThrow)
      Blk.Succs.push_back(It->second);
  }
  Blk.Condition = Condition;
  bool Ended = !Blk.Stmts.empty() && llvm::any_of(Blk.Stmts, [](const auto &S) {
    return S.O == Op::Return || S.O == Op::Throw;
  });
  if (LeavesByThrow && !Ended) {
    Blk.Condition = 0;
    Blk.Succs.clear();
    emit(Op::Throw, nullptr);
  } else if (Blk.Succs.empty() && !Ended) {
    bool Throws = llvm::any_of(B, [](const CFGElement &E) {
      auto S = E.getAs<CFGStmt>();
      return S && isa<CXXThrowExpr>(S->getStmt());
    });
    emit(Throws ? Op::Throw : Op::Return, nullptr);
  }
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

const CXXTryStmt *Lowering::tryAround(const clang::Stmt *S) const {
  if (!Scan.HasTry)
    return nullptr;
  while (const clang::Stmt *Parent = Scan.Parent.lookup(S)) {
    if (const auto *T = dyn_cast<CXXTryStmt>(Parent))
      if (T->getTryBlock() == S)
        return T;
    S = Parent;
  }
  return nullptr;
}

/// The statements in \p S, blocks not counted, up to \p Most and some.
static unsigned countStatements(const clang::Stmt *S, unsigned Most) {
  const bool Nests = isa<CompoundStmt, IfStmt, ForStmt, CXXForRangeStmt,
                         WhileStmt, DoStmt, SwitchStmt, SwitchCase>(S);
  unsigned N = isa<CompoundStmt>(S) ? 0 : 1;
  if (Nests)
    for (const clang::Stmt *Child : S->children()) {
      if (Child && N <= Most && !isa<Expr>(Child))
        N += countStatements(Child, Most);
      else if (Child && isa<CompoundStmt>(S))
        ++N;
    }
  return N;
}

/// Whether someone expects that \p S throws: macros of tests do, and who tries
/// little and goes on. Not who wraps a program to print what it threw.
bool Lowering::isExpected(const clang::Stmt *S) const {
  constexpr unsigned Most = 3;
  const CXXTryStmt *T = tryAround(S);
  if (!T)
    return false;
  if (T->getTryLoc().isMacroID())
    return true;
  for (unsigned I = 0; I < T->getNumHandlers(); ++I)
    if (const auto *Block =
            dyn_cast<CompoundStmt>(T->getHandler(I)->getHandlerBlock()))
      if (!Block->body_empty())
        if (const auto *Again = dyn_cast<CXXThrowExpr>(Block->body_back()))
          if (!Again->getSubExpr())
            return false;
  return countStatements(T->getTryBlock(), Most) <= Most;
}

program::Stmt &Lowering::emit(Op O, const clang::Stmt *At) {
  Out.Blocks[Here].Stmts.emplace_back();
  program::Stmt &S = Out.Blocks[Here].Stmts.back();
  S.O = O;
  if (At) {
    S.Where = range(At->getSourceRange());
    S.InMacro = inMacro(At->getSourceRange());
    S.TypesVary = IsInstance || (!S.InMacro && At->getBeginLoc().isMacroID());
    S.InTry = tryAround(At) != nullptr;
    S.Expected = isExpected(At);
  }
  return S;
}

ValueId Lowering::emitValue(Op O, const clang::Stmt *At,
                            llvm::ArrayRef<ValueId> Operands) {
  program::Stmt &S = emit(O, At);
  for (ValueId V : Operands)
    S.Args.push_back({"", V, Role::Read, NoId});
  return result(S);
}

ValueId Lowering::emitOther(Op O, StringRef Text, const clang::Stmt *At,
                            llvm::ArrayRef<ValueId> Reads) {
  program::Stmt &S = emit(O, At);
  S.Text = Text.str();
  for (ValueId V : Reads)
    S.Args.push_back({"", V, Role::Read, NoId});
  return result(S);
}

/// Marks the statement just made when its result, of type \p T, points where an
/// operand does.
ValueId Lowering::derives(ValueId V, QualType T) {
  program::Stmt &S = Out.Blocks[Here].Stmts.back();
  S.Derives = V && S.Result == V && Kinds.borrows(T);
  return V;
}

ValueId Lowering::constInt(int64_t V, const clang::Stmt *At) {
  program::Stmt &S = emit(Op::Const, At);
  S.Const = ConstKind::Int;
  S.Imm = V;
  return result(S);
}

ValueId Lowering::constBool(bool V, const clang::Stmt *At) {
  program::Stmt &S = emit(Op::Const, At);
  S.Const = ConstKind::Bool;
  S.Imm = V;
  return result(S);
}

ValueId Lowering::constNone(const clang::Stmt *At) {
  return result(emit(Op::Const, At));
}

ValueId Lowering::constText(ConstKind K, StringRef Text,
                            const clang::Stmt *At) {
  program::Stmt &S = emit(Op::Const, At);
  S.Const = K;
  S.Text = Text.str();
  return result(S);
}

ValueId Lowering::load(VarId V, const clang::Stmt *At) {
  program::Stmt &S = emit(Op::Load, At);
  S.Var = V;
  return result(S);
}
