//===- DeclarationLowering.cpp - statements, declarations and variables ---===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/Lowering.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Lowering::lowerElementStmt(const clang::Stmt &S) {
  if (const auto *D = dyn_cast<DeclStmt>(&S)) {
    for (const Decl *One : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(One))
        lowerDecl(*V);
    return;
  }
  if (!Scan.Parent.count(&S))
    return; // made up by the CFG, or a default argument
  if (const auto *R = dyn_cast<ReturnStmt>(&S))
    return lowerReturn(*R);
  const auto *E = dyn_cast<Expr>(&S);
  if (!E || isa<CXXDefaultArgExpr>(E))
    return;
  bool IsName =
      isa<DeclRefExpr, MemberExpr, ParenExpr, CastExpr, FullExpr,
          CXXBindTemporaryExpr, MaterializeTemporaryExpr, InitListExpr,
          CXXThisExpr, CXXStdInitializerListExpr, StringLiteral, IntegerLiteral,
          FloatingLiteral, CXXBoolLiteralExpr, ArraySubscriptExpr,
          SubstNonTypeTemplateParmExpr>(E);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    IsName |= U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf;
  if (!IsName || Scan.Arms.count(E))
    val(E);
  if (Scan.FullExprs.count(E) && !isa<ParenExpr, FullExpr>(E) &&
      isa<CallExpr, CXXConstructExpr, BinaryOperator>(strip(E)))
    endFullExpr(E);
}

/// What messages call \p E, where that is a container that dies at the end of
/// its statement; empty for others.
std::string Lowering::dyingContainer(const Expr &E) {
  const CXXRecordDecl *R = recordOf(E.getType());
  const StringRef Class = R ? Kinds.name(*R) : StringRef();
  return E.isPRValue() &&
                 (Class == "std::vector" || Class == "c10::SmallVector" ||
                  Class == "std::array" || Class == "at::DimVector" ||
                  Class == "std::basic_string")
             ? "a temporary " + Class.str()
             : "";
}

/// \p V, as a view of \p What, which dies at the end of the statement. With
/// \p Until it may be used till then; otherwise it is being kept.
ValueId Lowering::temporary(const Expr &From, ValueId V,
                            const std::string &What, bool Until) {
  if (!V || What.empty())
    return V;
  program::Stmt &S = emit(Op::Temporary, &From);
  S.Text = What;
  S.Args.push_back({"", V, Role::Read, NoId});
  S.Derives = Until;
  return result(S);
}

/// Of what \p E, which gives a view of a list, is a view when that dies first:
/// the braces' hidden array, a temporary, a local the function returns. A view
/// of a local vector is called just that.
ValueId Lowering::viewOfShortLived(const Expr &E, ValueId V, bool Returned) {
  if (!V || !Kinds.isListView(E.getType()))
    return V;
  // The innermost construction of a view is from something else.
  const Expr *From = &E;
  while (true) {
    From = strip(From);
    const auto *C = dyn_cast<CXXConstructExpr>(From);
    if (!C || !Kinds.isListView(C->getType()) || C->getNumArgs() != 1)
      break;
    From = C->getArg(0);
  }
  if (Kinds.isListView(From->getType()))
    return V;
  const CXXRecordDecl *R = recordOf(From->getType());
  std::string What = dyingContainer(*From);
  bool Keeps = false;
  if (isa<InitListExpr>(From))
    What = "the array behind the braces";
  else if (const auto *Ref = dyn_cast<DeclRefExpr>(From)) {
    const auto *Local = dyn_cast<VarDecl>(Ref->getDecl());
    const bool IsOwn = Local && R && !Local->getType()->isReferenceType() &&
                       Local->hasLocalStorage();
    if (Returned && IsOwn && Scan.DeclOf.count(Local))
      What = "'" + Local->getNameAsString() + "'";
    else if (!Returned && IsOwn && Kinds.name(*R) == "std::vector")
      Keeps = true;
  } else if (From->isPRValue() && Kinds.isTensor(From->getType()))
    What = "a temporary tensor";
  const ValueId View = temporary(*From, V, Keeps ? "view" : What, false);
  if (Keeps)
    Out.Blocks[Here].Stmts.back().Keeps = true;
  return View;
}

void Lowering::lowerReturn(const ReturnStmt &S) {
  ValueId V = 0;
  if (const Expr *E = S.getRetValue())
    if (Kinds.kind(E->getType()) != Kind::Void)
      V = viewOfShortLived(*E, val(E), true);
  program::Stmt &R = emit(Op::Return, &S);
  if (V)
    R.Args.push_back({"", V, Role::Read, NoId});
}

/// Whether \p E gives a new object, so that a reference to it is that object.
static bool isTemporary(const Expr *E) {
  const Expr *Whole = E;
  if (const auto *Full = dyn_cast<FullExpr>(Whole))
    Whole = Full->getSubExpr();
  return E->isPRValue() || isa<MaterializeTemporaryExpr>(Whole->IgnoreParens());
}

/// `net->parameters()`, which has handles of its own.
bool Lowering::isUnnamedList(const Expr &E) {
  const CXXRecordDecl *R = isTemporary(&E) ? recordOf(E.getType()) : nullptr;
  return R && Kinds.name(*R) == "std::vector";
}

void Lowering::lowerDecl(const VarDecl &V) {
  if (V.isImplicit() && V.getType()->isReferenceType() && V.getInit()) {
    // A range-for's `auto &&__range = x`.
    const auto It = Scan.DeclOf.find(&V);
    const clang::Stmt *Parent =
        It == Scan.DeclOf.end() ? nullptr : Scan.Parent.lookup(It->second);
    if (const auto *L = dyn_cast_or_null<CXXForRangeStmt>(Parent)) {
      ValueId Range = val(V.getInit());
      VarId Id = varFor(V);
      RangeHolders[L] = Id;
      // Temporaries of the range live as long as the loop since C++23.
      if (Context.getLangOpts().CPlusPlus23)
        Out.Vars[Id].Borrows = false;
      program::Stmt &S = emit(Op::Store, V.getInit());
      S.Var = Id;
      if (Range)
        S.Args.push_back({"", Range, Role::Read, NoId});
      endFullExpr(V.getInit());
      return;
    }
  }
  auto Range = Scan.RangeVars.find(&V);
  if (V.isImplicit() && Range == Scan.RangeVars.end() &&
      !isa<DecompositionDecl>(V))
    return; // hidden iterators, holders of structured bindings
  if (!Scan.DeclOf.count(&V))
    return;

  const Expr *Init = V.getInit();
  bool IsReference = V.getType()->isReferenceType();
  if (Range != Scan.RangeVars.end()) {
    ValueId Element = rangeElement(*Range->second);
    if (const auto *D = dyn_cast<DecompositionDecl>(&V))
      return lowerBindings(*D, Element);
    VarId Id = varFor(V);
    Out.Vars[Id].InTemporary = isUnnamedList(*Range->second->getRangeInit());
    if (IsReference && !V.getType().getNonReferenceType().isConstQualified()) {
      Out.Vars[Id].IsReference = true;
      if (Place P = place(Range->second->getRangeInit()))
        Out.Vars[Id].Refers.push_back(P.Var);
    }
    if (!IsReference && Kinds.kind(V.getType()) == Kind::List &&
        !Kinds.isListView(V.getType()))
      Element = emitValue(Op::ListCopy, Range->second->getRangeInit(), Element);
    write(Id, V.getType(), Element, Range->second->getLoopVarStmt(),
          IsReference);
    return;
  }
  if (const auto *D = dyn_cast<DecompositionDecl>(&V)) {
    lowerBindings(*D, Init ? val(Init) : 0);
    return;
  }
  if (IsReference && Init) {
    if (Place P = place(Init); P && P.Exact && isStable(P.Var)) {
      Aliases[&V] = P;
      return;
    }
  }
  // `float &v = p[3]` is a pointer that reads and writes look through; an
  // element of a list is a value.
  const auto *Element =
      Init ? dyn_cast<CXXOperatorCallExpr>(strip(Init)) : nullptr;
  const bool InList = Element && Element->getNumArgs() &&
                      Kinds.kind(Element->getArg(0)->getType()) == Kind::List;
  const ValueId Address =
      IsReference && Init && !InList ? addressOf(Init, Init) : 0;
  ValueId Value = Address ? Address
                  : Init  ? viewOfShortLived(*Init, val(Init), false)
                          : 0;
  if (Init)
    noteNarrowing(*Init, V.getType(), Value);
  VarId Id = varFor(V);
  if (Address) {
    ElementRefs.insert(Id);
    Out.Vars[Id].Type = VarType::Other;
    Out.Vars[Id].Borrows = true;
  } else if (IsReference && Init && !isTemporary(Init)) {
    Out.Vars[Id].IsReference = true;
    Out.Vars[Id].IsConst = V.getType().getNonReferenceType().isConstQualified();
    // What it may refer to changes with it.
    llvm::SmallVector<const Expr *, 2> Referents{Init};
    if (const auto *C =
            dyn_cast<AbstractConditionalOperator>(Init->IgnoreParenImpCasts()))
      Referents = {C->getTrueExpr(), C->getFalseExpr()};
    llvm::SmallVector<VarId, 2> Refers;
    for (const Expr *E : Referents)
      if (Place P = place(E))
        Refers.push_back(P.Var);
    if (Refers.size() == Referents.size())
      Out.Vars[Id].Refers.assign(Refers.begin(), Refers.end());
  }
  const clang::Stmt *At = Scan.DeclOf.lookup(&V);
  if (Value && isAddress(Init))
    Out.Vars[Id].Borrows = true;
  if (!Kinds.fields(V.getType()).empty()) {
    write(Id, V.getType(), Value, At, IsReference);
    if (Value)
      endFullExpr(Init);
    return;
  }
  if (Place P = Init && FixedPointers.count(Id) ? pointee(Init) : Place();
      P && P.Exact && isStable(P.Var))
    PointsTo[&V] = P.Var;
  program::Stmt &S = emit(Op::Store, At);
  S.Where = range(V.getSourceRange());
  S.Callee = range(V.getLocation());
  S.Var = Id;
  S.Binds = IsReference;
  if (Value) {
    S.Args.push_back({"", Value, Role::Read, NoId});
    // The statement that made the value may move with its declaration.
    const auto *D = Scan.DeclOf.lookup(&V);
    const bool Hoists = D->isSingleDecl() && mayHoist(*Init);
    if (Hoists)
      Out.Vars[Id].Decl = range(D->getSourceRange());
    std::vector<program::Stmt> &Stmts = Out.Blocks[Here].Stmts;
    auto Made =
        llvm::find_if(llvm::reverse(Stmts), [&](const program::Stmt &M) {
          return M.Result == Value;
        });
    if (Made != Stmts.rend()) {
      if (Hoists)
        Made->Edits |= EditHoist;
      if (D->isSingleDecl() && !inMacro(D->getSourceRange()) &&
          isa_and_nonnull<CompoundStmt>(Scan.Parent.lookup(D)) &&
          Made->Object.Begin)
        Made->Edits |= EditNameObject;
    }
    endFullExpr(Init);
  }
}

void Lowering::lowerBindings(const DecompositionDecl &D, ValueId Whole) {
  bool IsReference = D.getType()->isReferenceType() && D.getInit() &&
                     !isTemporary(D.getInit());
  bool IsTuple = Kinds.kind(D.getType()) == Kind::List ||
                 !Kinds.fields(D.getType()).empty();
  unsigned Index = 0;
  const Place Of = IsReference ? place(D.getInit()) : Place();
  for (const BindingDecl *B : D.bindings()) {
    const auto *Field = dyn_cast_or_null<MemberExpr>(B->getBinding());
    if (Of && Of.Exact && Field && isStable(Of.Var)) {
      Aliases[B] = {memberVar(Of.Var, *Field->getMemberDecl())};
      continue;
    }
    ValueId Element = 0;
    if (IsTuple && Whole) {
      Element = part(Whole, Index, B->getType(), D.getInit());
    } else {
      Element = emitOther(Op::Field, "binding", D.getInit(), Whole);
    }
    ++Index;
    VarId Id = varFor(*B);
    Out.Vars[Id].IsReference = IsReference;
    if (Of)
      Out.Vars[Id].Refers.push_back(Of.Var);
    if (!Kinds.fields(B->getType()).empty()) {
      write(Id, B->getType(), Element, Scan.DeclOf.lookup(&D), IsReference);
      continue;
    }
    program::Stmt &S = emit(Op::Store, Scan.DeclOf.lookup(&D));
    S.Where = range(B->getSourceRange());
    S.Var = Id;
    S.Binds = IsReference;
    S.Args.push_back({"", Element, Role::Read, NoId});
  }
}

/// What the loop runs over: a variable of its own holds it.
ValueId Lowering::rangeOf(const CXXForRangeStmt &L) {
  auto It = RangeHolders.find(&L);
  return It == RangeHolders.end() ? 0 : load(It->second, L.getRangeInit());
}

ValueId Lowering::rangeElement(const CXXForRangeStmt &L) {
  const Expr *At = L.getRangeInit();
  ValueId Range = rangeOf(L);
  if (Range && Kinds.kind(At->getType()) == Kind::List) {
    ValueId Index = emitOther(Op::RangeIndex, "", At, {});
    return emitValue(Op::ListGet, At, {Range, Index});
  }
  // What a data loader gives is nobody else's.
  const CXXRecordDecl *R = recordOf(At->getType());
  const bool Loads = R && Kinds.name(*R).starts_with("torch::data::");
  return emitOther(Loads ? Op::Batch : Op::Element, "", At, Range);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

VarType Lowering::varType(QualType T) {
  switch (Kinds.kind(T)) {
  case Kind::Tensor:
    return VarType::Tensor;
  case Kind::Int:
    return VarType::Int;
  case Kind::Bool:
    return VarType::Bool;
  case Kind::List:
    return VarType::List;
  default:
    return VarType::Other;
  }
}

std::string Lowering::variableName(const ValueDecl &D) const {
  return D.getDeclName() ? D.getDeclName().getAsString() : std::string("_");
}

VarId Lowering::varFor(const ValueDecl &D) {
  auto [It, New] = Vars.try_emplace(&D, Out.Vars.size());
  if (!New)
    return It->second;
  VarId Id = It->second;
  Variable V;
  V.Name = variableName(D);
  V.Type = varType(D.getType());
  V.Borrows = Kinds.borrows(D.getType());
  const QualType Plain = D.getType().getNonReferenceType();
  V.OfInts = Kinds.isIntVector(Plain) ||
             (isa<ParmVarDecl>(&D) && Kinds.isIntView(Plain));
  V.IsContainer = Kinds.isContainer(D.getType());
  V.IsGgml = Kinds.isPointerTensor(D.getType());
  V.Where = range(D.getSourceRange());
  const auto *Var = dyn_cast<VarDecl>(&D);
  if (const auto *B = dyn_cast<BindingDecl>(&D))
    Var = dyn_cast<VarDecl>(B->getDecomposedDecl());
  if (Var) {
    V.IsParam = isa<ParmVarDecl>(&D);
    V.IsStatic = Var->isStaticLocal();
    V.IsCaptured = Scan.Exposed.count(Var);
    if (V.IsParam)
      V.IsReference = D.getType()->isReferenceType();
    V.IsConst = (V.IsParam ? D.getType().getNonReferenceType() : D.getType())
                    .isConstQualified();
    bool IsLocal = V.IsParam ? cast<ParmVarDecl>(Var)->getDeclContext() == &Fn
                             : Scan.DeclOf.count(Var) != 0;
    if (!IsLocal) { // a global, or what a lambda captured
      V.IsMember = true;
      V.IsParam = false;
      V.IsReference = true;
      V.Identity = identityOf(D);
      V.IsEnclosing = Var->isLocalVarDeclOrParm();
      V.IsConst = V.IsConst && !V.IsEnclosing;
      V.IsCopy = CopiedIn.count(Var);
    }
    if (const DeclStmt *S = Scan.DeclOf.lookup(Var)) {
      auto In = Scan.InLoop.find(S);
      if (In != Scan.InLoop.end())
        V.DeclaredIn = In->second;
    }
  }
  if (Var && !V.IsMember && !Scan.Rebound.count(Var) && !V.IsCaptured)
    FixedPointers.insert(Id);
  Out.Vars.push_back(std::move(V));
  return Id;
}

/// "*p" as part of a longer name: "p->".
static std::string pathTo(const Variable &V) {
  return V.IsPointee ? V.Name.substr(1) + "->" : V.Name + ".";
}

/// Tells classes apart that objects may be of; 0 for one that may be inside of,
/// or derived from, another.
static uint64_t classOf(const CXXRecordDecl *R, Types &Kinds) {
  while (R && R->hasDefinition() && R->getNumBases() == 1)
    R = recordOf(R->bases_begin()->getType());
  if (!R || !R->hasDefinition() || R->getNumBases() > 1 || R->isUnion())
    return 0;
  for (const FieldDecl *F : R->getDefinition()->fields())
    if (const auto *Of = QualType(F->getType()->getBaseElementTypeUnsafe(), 0)
                             ->getAsCXXRecordDecl();
        Of && !Kinds.isLibrary(*Of))
      return 0;
  return identityOf(*R);
}

VarId Lowering::memberVar(VarId Base, const ValueDecl &Field, bool WritesThis) {
  auto *Canonical = cast<ValueDecl>(Field.getCanonicalDecl());
  auto [It, New] = Members.try_emplace({Base, Canonical}, Out.Vars.size());
  if (!New)
    return It->second;
  VarId Id = It->second;
  Variable V;
  const bool Unnamed = Base != ThisBase && Out.Vars[Base].Name.empty();
  if (!Unnamed)
    V.Name = (Base != ThisBase ? pathTo(Out.Vars[Base])
              : WritesThis     ? "this->"
                               : "") +
             variableName(Field);
  V.Type = varType(Field.getType());
  V.Borrows = Kinds.borrows(Field.getType());
  V.IsContainer = Kinds.isContainer(Field.getType());
  V.IsGgml = Kinds.isPointerTensor(Field.getType());
  V.IsMember = true;
  V.Base = Base;
  V.Identity = identityOf(*Canonical);
  V.IsReference = Field.getType()->isReferenceType();
  V.Where = range(Field.getSourceRange());
  if (const auto *F = dyn_cast<FieldDecl>(Canonical)) {
    const auto *Class = dyn_cast<CXXRecordDecl>(F->getParent());
    V.Class = classOf(Class, Kinds);
    if (!Kinds.fields(Class).empty())
      V.Field = static_cast<int>(F->getFieldIndex());
  }
  if (Base != ThisBase) {
    V.IsParam = Out.Vars[Base].IsParam;
    V.IsCaptured = Out.Vars[Base].IsCaptured;
    V.IsStatic = Out.Vars[Base].IsStatic;
    V.DeclaredIn = Out.Vars[Base].DeclaredIn;
  }
  Out.Vars.push_back(std::move(V));
  return Id;
}

/// The object, of type \p T, that variable \p Pointer points to; NoId when it
/// is none that is followed.
VarId Lowering::pointeeVar(VarId Pointer, QualType T) {
  constexpr unsigned Most = 200; // of which any two may be one object
  const CXXRecordDecl *R = recordOf(T);
  const bool IsPointer = T->isPointerType() && !Kinds.isPointerTensor(T);
  if (!IsPointer &&
      (!R || !R->hasDefinition() ||
       (Kinds.isTensor(T) ? !Kinds.isPlainTensor(T)
                          : Kinds.kind(T) != Kind::Other ||
                                Kinds.name(*R).starts_with("std::"))))
    return NoId;
  auto It = Members.find({Pointer, nullptr});
  if (It != Members.end())
    return It->second;
  if (Pointees == Most)
    return NoId;
  ++Pointees;
  Variable V;
  if (Pointer == ThisBase || !Out.Vars[Pointer].Name.empty())
    V.Name = "*" + Out.Vars[Pointer].Name;
  V.Type = varType(T);
  V.IsMember = V.IsPointee = true;
  V.Base = Pointer;
  V.Borrows = IsPointer && Kinds.borrows(T);
  V.Class = classOf(R, Kinds);
  V.Identity = 1;
  V.IsCaptured = Out.Vars[Pointer].IsCaptured;
  V.DeclaredIn = Out.Vars[Pointer].DeclaredIn;
  Out.Vars.push_back(std::move(V));
  return Members[{Pointer, nullptr}] = Out.Vars.size() - 1;
}

/// An object that no variable leads to.
VarId Lowering::unknownObject() {
  if (Anything == NoId) {
    Anything = Out.Vars.size();
    Variable V;
    V.IsMember = V.IsPointee = true;
    Out.Vars.push_back(std::move(V));
  }
  return Anything;
}

/// Whether \p V names one object for as long as its variables live.
bool Lowering::isStable(VarId V) const {
  for (; V != NoId && V != ThisBase; V = Out.Vars[V].Base)
    if (Out.Vars[V].IsPointee && !FixedPointers.count(Out.Vars[V].Base))
      return false;
  return true;
}
