//===- ControlFlowLowering.cpp - blocks and edges -------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/ControlFlowLowering.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/ConstantMaker.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/RecordLowering.h"
#include "Frontend/Build/ScopeLowering.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Build/ViewLowering.h"
#include "Frontend/Lower/DeclarationLowering.h"
#include "Frontend/Lower/ExpressionLowering.h"
#include "Frontend/Lower/StatementLowering.h"
#include "Frontend/Modules/MemberLowering.h"
#include "clang/AST/Attr.h"
#include "clang/Analysis/CFG.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

bool ControlFlowLowering::lower(const clang::Stmt &Body) {
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
    Ids[B] = Out.Blocks.size();
    Out.Blocks.emplace_back();
  }
  Loops.findHeads(*Graph, Ids);
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
    const BlockId Here = Ids[B];
    Build.startBlock(Here);
    if (Here == 0) {
      contracts();
      Members.lowerAll(Scan.Members);
    }
    if (const LoopId *L = Loops.loopOf(*B))
      Build.block().InLoop = *L;
    else if (Here != 0)
      Unknown.insert(Here);
    block(*B);
  }
  if (ReturnBlock != NoId) {
    Build.startBlock(ReturnBlock);
    Build.emit(Op::Return, nullptr);
  }
  Loops.inferLoops(std::move(Unknown));
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
void ControlFlowLowering::contracts() {
  for (unsigned I = 0; I < Fn.getNumParams(); ++I) {
    const ParmVarDecl *P = Fn.getParamDecl(I);
    if (!Kinds.isTensor(P->getType()) ||
        !(isAnnotated(Fn, I) ||
          Kinds.model().isContiguous(Kinds.name(Fn), I, P->getName())))
      continue;
    ValueId Tensor = Build.load(Vars.of(*P), nullptr);
    program::Stmt &Query = Build.emit(Op::IsContiguous, nullptr);
    Query.Where = Build.range(P->getSourceRange());
    Query.Args.push_back({"self", Tensor, Role::Read, NoId});
    ValueId Holds = Build.result(Query);
    program::Stmt &S = Build.emit(Op::Assume, nullptr);
    S.Where = Build.range(P->getSourceRange());
    S.Args.push_back({"", Holds, Role::Read, NoId});
  }
}

/// Whether \p T is a logger's message of a severity called FATAL: its
/// destructor ends the program or throws, though no declaration says so.
static bool isFatalMessage(const CXXBindTemporaryExpr &T) {
  const auto *C =
      dyn_cast<CXXConstructExpr>(T.getSubExpr()->IgnoreParenImpCasts());
  return C && llvm::any_of(C->arguments(), [](const Expr *A) {
           const auto *R = dyn_cast<DeclRefExpr>(A->IgnoreParenImpCasts());
           const IdentifierInfo *Name =
               R ? R->getDecl()->getIdentifier() : nullptr;
           return Name && Name->getName().ends_with_insensitive("fatal") &&
                  A->getType()->isIntegralOrEnumerationType();
         });
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
           return R && (R->isAnyDestructorNoReturn() || isFatalMessage(*T));
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

void ControlFlowLowering::block(const CFGBlock &B) {
  if (isFailedAssertion(B)) {
    Build.emit(Op::Throw, nullptr);
    return;
  }
  Scopes.startBlock();
  for (const CFGElement &E : B) {
    if (auto S = E.getAs<CFGStmt>()) {
      Statements.lower(*S->getStmt());
    } else if (auto Ends = E.getAs<CFGLifetimeEnds>()) {
      const VarDecl *V = Ends->getVarDecl();
      if (const auto *D = dyn_cast<DecompositionDecl>(V))
        for (const BindingDecl *B : llvm::reverse(D->bindings()))
          if (const VarId At = Vars.known(*B);
              At != NoId && !Vars[At].IsReference)
            Scopes.endScope(At, B->getType());
      const VarId Id = Vars.known(*V);
      if (Id != NoId && !isa<ParmVarDecl>(V))
        Scopes.endScope(Id, V->getType());
    } else if (auto Init = E.getAs<CFGInitializer>()) {
      const CXXCtorInitializer *I = Init->getInitializer();
      if (const FieldDecl *F = I->getAnyMember()) {
        ValueId V = Views.viewOfShortLived(
            *I->getInit(), Expressions.value(I->getInit()), false);
        Records.write(Vars.member(ThisBase, *F), F->getType(), V, I->getInit(),
                      F->getType()->isReferenceType());
      }
    }
  }
  terminator(B);
}

/// Successors of a switch are labelled by their case; what is not one constant
/// (a range of cases) leaves the switch without condition.
void ControlFlowLowering::switchOver(const SwitchStmt &S, const CFGBlock &B) {
  Block &Blk = Build.block();
  llvm::SmallVector<CaseLabel, 8> Cases;
  bool Plain = true, Default = false;
  for (const CFGBlock::AdjacentBlock &A : B.succs()) {
    const CFGBlock *To = A.getReachableBlock();
    auto It = Ids.find(To);
    if (!To || It == Ids.end())
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
      else if (StringRef Name = Constants.symbolName(T, I); !Name.empty())
        Cases.push_back({std::nullopt, Name.str()});
      else
        Plain = false;
    } else {
      Plain = false;
    }
  }
  ValueId Condition = Plain ? Expressions.value(S.getCond()) : 0;
  // Emitting may have moved the blocks.
  Block &Now = Build.block();
  Now.Condition = Condition;
  if (Condition)
    Now.Cases.assign(Cases.begin(), Cases.end());
}

void ControlFlowLowering::terminator(const CFGBlock &B) {
  const clang::Stmt *T =
      B.getTerminator().isStmtBranch() ? B.getTerminatorStmt() : nullptr;
  ValueId Condition = 0;
  if (const auto *L = dyn_cast_or_null<CXXForRangeStmt>(T)) {
    Condition = Build.emitOther(Op::RangeMore, "", L->getRangeInit(),
                                Declarations.rangeOf(*L));
  } else if (const auto *S = dyn_cast_or_null<SwitchStmt>(T)) {
    switchOver(*S, B);
    return;
  } else if (T && B.succ_size() == 2 && !isa<SwitchStmt, CXXTryStmt>(T)) {
    const auto *E = dyn_cast_or_null<Expr>(B.getTerminatorCondition(false));
    // `a && b` as a branch's condition is split over blocks; in this one its
    // last operand decides, unless the arms have met again before.
    while (E) {
      E = strip(E);
      const auto *Logic = dyn_cast<BinaryOperator>(E);
      if (!Logic || !Logic->isLogicalOp() || Expressions.has(E))
        break;
      E = Logic->getRHS();
    }
    if (E)
      Condition = Expressions.condition(E);
  }

  Block &Blk = Build.block();
  bool LeavesByThrow = leavesByThrow(B);
  for (const CFGBlock::AdjacentBlock &A : B.succs()) {
    const CFGBlock *S = A.getReachableBlock();
    auto It = Ids.find(S);
    if (Condition && S && S == ExitBlock)
      Blk.Succs.push_back(ReturnBlock); // the arm falls off the end
    else if (Condition)
      Blk.Succs.push_back(It == Ids.end() ? NoId : It->second);
    else if (It != Ids.end() && !LeavesByThrow)
      Blk.Succs.push_back(It->second);
  }
  Blk.Condition = Condition;
  bool Ended = !Blk.Stmts.empty() && llvm::any_of(Blk.Stmts, [](const auto &S) {
    return S.O == Op::Return || S.O == Op::Throw;
  });
  if (LeavesByThrow && !Ended) {
    Blk.Condition = 0;
    Blk.Succs.clear();
    Build.emit(Op::Throw, nullptr);
  } else if (Blk.Succs.empty() && !Ended) {
    bool Throws = llvm::any_of(B, [](const CFGElement &E) {
      auto S = E.getAs<CFGStmt>();
      return S && isa<CXXThrowExpr>(S->getStmt());
    });
    Build.emit(Throws ? Op::Throw : Op::Return, nullptr);
  }
}
