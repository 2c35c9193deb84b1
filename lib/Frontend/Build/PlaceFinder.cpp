//===- PlaceFinder.cpp - the variable that an expression names ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Ast/CallSite.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/VariableTable.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

Place PlaceFinder::of(const VarDecl &V) {
  auto A = Aliases.find(&V);
  return A == Aliases.end() ? Place{Vars.of(V)} : A->second;
}

Place PlaceFinder::place(const Expr *E) {
  E = strip(E);
  if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
    const ValueDecl *D = R->getDecl();
    auto A = Aliases.find(D);
    if (A != Aliases.end())
      return A->second;
    if (const auto *B = dyn_cast<BindingDecl>(D))
      return {Vars.of(*B)};
    if (const auto *V = dyn_cast<VarDecl>(D)) {
      if (Kinds.kind(V->getType()) == Kind::Ellipsis)
        return {};
      return {Vars.of(*V)};
    }
    return {};
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const ValueDecl *D = M->getMemberDecl();
    if (const auto *V = dyn_cast<VarDecl>(D))
      return {Vars.of(*V)};
    if (!isa<FieldDecl>(D))
      return {};
    const Expr *Base = strip(M->getBase());
    if (const auto *U = dyn_cast<UnaryOperator>(Base);
        U && U->getOpcode() == UO_Deref)
      if (const Expr *Object = strip(U->getSubExpr()); isa<CXXThisExpr>(Object))
        Base = Object;
    if (const auto *This = dyn_cast<CXXThisExpr>(Base))
      return {Vars.member(ThisBase, *D, !This->isImplicit())};
    if (M->isArrow()) {
      Place P = pointee(Base);
      return P && P.Exact ? Place{Vars.member(P.Var, *D)} : Place();
    }
    Place P = place(Base);
    if (!P)
      return {};
    // A field of an element is somewhere inside the container.
    return P.Exact && Kinds.kind(Base->getType()) != Kind::List
               ? Place{Vars.member(P.Var, *D)}
               : Place{P.Var, false};
  }
  if (auto Made = MadeBy.find(E); Made != MadeBy.end())
    return {Made->second};
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    Place P = place(A->getBase());
    // p[i]: any object that p may point to.
    if (P && P.Exact && strip(A->getBase())->getType()->isPointerType())
      if (const VarId V = Vars.pointee(P.Var, A->getType()); V != NoId)
        return {V, false};
    P.Exact = false;
    return P;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_Deref ? pointee(U->getSubExpr()) : Place();
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    CallSite S = callSite(*C, Kinds);
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

Place PlaceFinder::pointee(const Expr *E) {
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
    const CallSite S = callSite(*C, Kinds);
    if (S.Object && (S.Name == "operator->" || S.Name == "get")) {
      const QualType T = strip(S.Object)->getType(); // not a base of it
      if (Kinds.isWrapper(T))
        return place(S.Object);
      if (!pointedTo(T, Kinds, Kinds.moduleOf(T)).isNull())
        return pointee(S.Object);
    }
  }
  QualType T = E->getType().getNonReferenceType();
  T = T->isPointerType() ? T->getPointeeType()
                         : pointedTo(T, Kinds, Kinds.moduleOf(T));
  if (T.isNull() || Kinds.isPointerTensor(E->getType()))
    return {};
  if (const auto *R = dyn_cast<DeclRefExpr>(E))
    if (auto It = PointsTo.find(R->getDecl()); It != PointsTo.end())
      return {It->second};
  const Place P = place(E);
  return P && P.Exact ? Place{Vars.pointee(P.Var, T)} : Place();
}
