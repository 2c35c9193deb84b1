//===- PlaceFinder.cpp - places and what is put there ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/Lowering.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

//===----------------------------------------------------------------------===//
// Places and assignment
//===----------------------------------------------------------------------===//

Place Lowering::place(const Expr *E) {
  E = strip(E);
  if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
    const ValueDecl *D = R->getDecl();
    auto A = Aliases.find(D);
    if (A != Aliases.end())
      return A->second;
    if (const auto *B = dyn_cast<BindingDecl>(D))
      return {varFor(*B)};
    if (const auto *V = dyn_cast<VarDecl>(D)) {
      if (Kinds.kind(V->getType()) == Kind::Ellipsis)
        return {};
      return {varFor(*V)};
    }
    return {};
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const ValueDecl *D = M->getMemberDecl();
    if (const auto *V = dyn_cast<VarDecl>(D))
      return {varFor(*V)};
    if (!isa<FieldDecl>(D))
      return {};
    const Expr *Base = strip(M->getBase());
    if (const auto *U = dyn_cast<UnaryOperator>(Base);
        U && U->getOpcode() == UO_Deref)
      if (const Expr *Object = strip(U->getSubExpr()); isa<CXXThisExpr>(Object))
        Base = Object;
    if (const auto *This = dyn_cast<CXXThisExpr>(Base))
      return {memberVar(ThisBase, *D, !This->isImplicit())};
    if (M->isArrow()) {
      Place P = pointee(Base);
      return P && P.Exact ? Place{memberVar(P.Var, *D)} : Place();
    }
    Place P = place(Base);
    if (!P)
      return {};
    // A field of an element is somewhere inside the container.
    return P.Exact && Kinds.kind(Base->getType()) != Kind::List
               ? Place{memberVar(P.Var, *D)}
               : Place{P.Var, false};
  }
  if (auto Made = MadeBy.find(E); Made != MadeBy.end())
    return {Made->second};
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    Place P = place(A->getBase());
    // p[i]: any object that p may point to.
    if (P && P.Exact && strip(A->getBase())->getType()->isPointerType())
      if (const VarId V = pointeeVar(P.Var, A->getType()); V != NoId)
        return {V, false};
    P.Exact = false;
    return P;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_Deref ? pointee(U->getSubExpr()) : Place();
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    CallSite S = callSite(*C);
    if (!S.Callee)
      return {};
    if (S.Object && S.Name == "operator*")
      if (Place P = pointee(S.Object))
        return P;
    if (S.Object && Kinds.isWrapper(S.Object->getType()) &&
        (S.Name == "operator*" || S.Name == "operator->" || S.Name == "value"))
      return place(S.Object);
    if (S.Object &&
        (Kinds.kind(S.Object->getType()) == Kind::List ||
         Kinds.isContainer(S.Object->getType())) &&
        (S.Name == "operator[]" || S.Name == "at" || S.Name == "back" ||
         S.Name == "front" || S.Name == "top")) {
      Place P = place(S.Object);
      P.Exact = false;
      return P;
    }
    // In-place methods return the tensor they were called on.
    if (S.Object && Kinds.isPlainTensor(S.Object->getType()) && E->isLValue() &&
        Kinds.isPlainTensor(E->getType()) &&
        (S.IsOperator || llvm::StringRef(S.Name).ends_with("_")))
      return place(S.Object);
    llvm::StringRef N = Kinds.name(*S.Callee);
    if ((N == "std::move" || N == "std::forward" || N == "std::as_const") &&
        S.Args.size() == 1)
      return place(S.Args[0]);
  }
  return {};
}

/// What a smart pointer of type \p T points to; null for other types.
static QualType pointedTo(QualType T, Types &Kinds,
                          const CXXRecordDecl *Module) {
  if (Module)
    return Module->getASTContext().getTypeDeclType(cast<TypeDecl>(Module));
  const auto *R =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(recordOf(T));
  if (!R)
    return QualType();
  const llvm::StringRef N = Kinds.name(*R);
  if (N != "std::unique_ptr" && N != "std::shared_ptr" &&
      N != "c10::intrusive_ptr")
    return QualType();
  return R->getTemplateArgs()[0].getAsType();
}

/// The object that a raw or smart pointer points to.
Place Lowering::pointee(const Expr *E) {
  E = strip(E);
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_AddrOf)
    return place(U->getSubExpr());
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return C->getNumArgs() == 1 &&
                   C->getConstructor()->isCopyOrMoveConstructor()
               ? pointee(C->getArg(0))
               : Place();
  if (const auto *C = dyn_cast<CallExpr>(E); C && C->getNumArgs() <= 1) {
    // p.get(), and the operator of p->.
    const CallSite S = callSite(*C);
    if (S.Object && (S.Name == "operator->" || S.Name == "get")) {
      const QualType T = strip(S.Object)->getType(); // not a base of it
      if (Kinds.isWrapper(T))
        return place(S.Object);
      if (!pointedTo(T, Kinds, moduleImpl(T)).isNull())
        return pointee(S.Object);
    }
  }
  QualType T = E->getType().getNonReferenceType();
  T = T->isPointerType() ? T->getPointeeType()
                         : pointedTo(T, Kinds, moduleImpl(T));
  if (T.isNull() || Kinds.isPointerTensor(E->getType()))
    return {};
  if (const auto *R = dyn_cast<DeclRefExpr>(E))
    if (auto It = PointsTo.find(R->getDecl()); It != PointsTo.end())
      return {It->second};
  const Place P = place(E);
  return P && P.Exact ? Place{pointeeVar(P.Var, T)} : Place();
}

/// \p Element: what is assigned inside of a container, where it has a value.
void Lowering::storeTo(Place P, ValueId V, const Expr *At, ValueId Element) {
  if (!P)
    return;
  if (P.Exact && ElementRefs.count(P.Var)) {
    const ValueId Base = load(P.Var, At);
    program::Stmt &S = emit(Op::StoreElement, At);
    S.IsScalar = true;
    for (ValueId Operand : {Base, ValueId(0), V})
      S.Args.push_back({"", Operand, Role::Read, NoId});
    return;
  }
  if (!P.Exact) {
    program::Stmt &S = emit(Op::Assign, At);
    if (V)
      S.Args.push_back({"", V, Role::Keep, NoId});
    if (Element)
      S.Args.push_back({"element", Element, Role::Read, NoId});
    S.Args.push_back({"", 0, Role::Write, P.Var});
    reaches(Reach::Arguments);
    return;
  }
  write(P.Var, At->getType(), V, At);
}

/// `int n = x.numel();`: 64 bits become 32.
void Lowering::noteNarrowing(const Expr &E, QualType To, ValueId V) {
  QualType From = strip(&E)->getType();
  To = To.getNonReferenceType();
  if (!V || To->isDependentType() || From->isDependentType() ||
      !To->isIntegerType() || !From->isIntegerType() ||
      Context.getTypeSize(To) > 32 || Context.getTypeSize(From) < 64)
    return;
  for (program::Stmt &S : Out.Blocks[Here].Stmts)
    if (S.Result == V)
      S.Narrows = true;
}

/// `p[i] = v` through a raw pointer, an accessor or into a vector says where,
/// too.
void Lowering::storeElement(const Expr *Target, ValueId V, const Expr *At) {
  const Expr *Of = nullptr, *Index = nullptr;
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(Target)) {
    Of = A->getBase();
    Index = A->getIdx();
    if (!strip(Of)->getType()->isPointerType())
      return;
  } else if (const auto *C = dyn_cast<CXXOperatorCallExpr>(Target);
             C && C->getOperator() == OO_Subscript && C->getNumArgs() == 2) {
    Of = C->getArg(0);
    Index = C->getArg(1);
    const CXXRecordDecl *R = recordOf(Of->getType());
    const llvm::StringRef Class = R ? Kinds.name(*R) : llvm::StringRef();
    if ((Class != "std::vector" && !Class.contains("Accessor")) ||
        Kinds.kind(Index->getType()) != Kind::Int)
      return;
  } else if (const auto *D = dyn_cast<UnaryOperator>(Target);
             D && D->getOpcode() == UO_Deref &&
             D->getType()->isArithmeticType()) { // *p++ = v
    Of = D->getSubExpr();
  }
  if (!Of || isTensorish(At->getType()))
    return;
  const ValueId Base = val(Of), I = Index ? val(Index) : constInt(0, At);
  program::Stmt &S = emit(Op::StoreElement, At);
  S.IsScalar = true;
  for (ValueId Operand : {Base, I, V})
    S.Args.push_back({"", Operand, Role::Read, NoId});
}

/// The index of the element that \p Target is, and the list; 0 if none.
ValueId Lowering::elementOf(const Expr *Target, const Expr *&List) {
  Target = strip(Target);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(Target)) {
    List = A->getBase();
    return Kinds.elementType(strip(List)->getType()).isNull()
               ? 0
               : val(A->getIdx());
  }
  if (const auto *M = dyn_cast<MemberExpr>(Target);
      M && !M->isArrow() && Kinds.tupleSize(M->getBase()->getType()) == 2) {
    List = M->getBase();
    return constInt(M->getMemberDecl()->getName() == "second", M);
  }
  const auto *C = dyn_cast<CallExpr>(Target);
  const CallSite S = C ? callSite(*C) : CallSite();
  if (!S.Callee)
    return 0;
  if (S.Object) {
    List = S.Object;
    return Kinds.elementType(strip(List)->getType()).isNull() ? 0
                                                              : elementIndex(S);
  }
  List = S.Args.empty() ? nullptr : S.Args[0];
  return tupleIndex(S);
}

void Lowering::assign(const Expr *Target, ValueId V, const Expr *At) {
  // t->ne[0] = n: the layout is not what it was.
  const Expr *Field = strip(Target);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(Field))
    Field = strip(A->getBase());
  for (llvm::StringRef Name : {"ne", "nb", "type"})
    if (const MemberExpr *M = tensorField(Field, Name)) {
      ValueId Self = val(M->getBase());
      program::Stmt &S = emit(Op::OtherMeta, At);
      S.Args.push_back({"self", Self, Role::Read, NoId});
      return;
    }
  // l[i] = v; a list of handles then holds it as well.
  const Expr *List = nullptr;
  ValueId Index = elementOf(Target, List);
  if (Index && changeList(List, Op::ListSet, {Index, V}, At, 0, [&] {
        if (!Kinds.isIntVector(strip(List)->getType()))
          storeTo(place(List).inside(), V, At);
      }))
    return;
  storeElement(strip(Target), V, At);
  if (Place P = place(Target)) {
    const bool IsInside = !P.Exact && Out.Vars[P.Var].IsContainer;
    storeTo(P, V, At, IsInside ? val(Target) : 0);
    program::Stmt &S = Out.Blocks[Here].Stmts.back();
    if (S.O == Op::Store && Kinds.isPlainTensor(Target->getType()))
      S.Object = range(Target->getSourceRange());
    return;
  }
  // A field of an object that no variable leads to.
  if (const auto *M = dyn_cast<MemberExpr>(strip(Target));
      M && isa<FieldDecl>(M->getMemberDecl()) &&
      Kinds.kind(M->getBase()->getType()) != Kind::List) {
    program::Stmt &S = emit(Op::Assign, At);
    if (isTensorish(At->getType()))
      S.Args.push_back({"", V, Role::Keep, NoId});
    S.Args.push_back(
        {"", 0, Role::Write, memberVar(unknownObject(), *M->getMemberDecl())});
    return;
  }
  // Through a pointer or into an unknown object: it keeps the value.
  if (isTensorish(At->getType())) {
    program::Stmt &S = emit(Op::Assign, At);
    S.Args.push_back({"", V, Role::Keep, NoId});
    reaches(Reach::Members);
  }
}

/// `std::move(x)` handed to a move leaves x without a tensor, or elements.
void Lowering::movedFrom(const Expr *Source) {
  const auto *C = dyn_cast<CallExpr>(strip(Source));
  if (!C || !C->getDirectCallee() ||
      Kinds.name(*C->getDirectCallee()) != "std::move")
    return;
  Place P = place(Source);
  const CXXRecordDecl *R = recordOf(Source->getType());
  const bool IsList = R && Kinds.name(*R) == "std::vector";
  if (!P || !P.Exact ||
      !(IsList || Kinds.isPlainTensor(Source->getType()) ||
        isOwner(Source->getType())))
    return;
  ValueId Nothing =
      IsList ? emitValue(Op::List, Source, {}) : constNone(Source);
  program::Stmt &S = emit(Op::Store, Source);
  S.Var = P.Var;
  S.Moves = IsList;
  S.Args.push_back({"", Nothing, Role::Read, NoId});
}
