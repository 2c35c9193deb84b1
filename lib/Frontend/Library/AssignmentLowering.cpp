//===- AssignmentLowering.cpp - what an assignment changes ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/AssignmentLowering.h"
#include "Frontend/Ast/CallSite.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/StoreLowering.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Library/ListLowering.h"
#include "Frontend/Library/TensorFieldLowering.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

/// The index of the element that \p Target is, and the list; 0 if none.
ValueId AssignmentLowering::elementOf(const Expr *Target, const Expr *&List) {
  Target = strip(Target);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(Target)) {
    List = A->getBase();
    return Kinds.elementType(strip(List)->getType()).isNull()
               ? 0
               : Lower.value(A->getIdx());
  }
  if (const auto *M = dyn_cast<MemberExpr>(Target);
      M && !M->isArrow() && Kinds.tupleSize(M->getBase()->getType()) == 2) {
    List = M->getBase();
    return Build.constInt(M->getMemberDecl()->getName() == "second", M);
  }
  const auto *C = dyn_cast<CallExpr>(Target);
  const CallSite S = C ? callSite(*C, Kinds) : CallSite();
  if (!S.Callee)
    return 0;
  if (S.Object) {
    List = S.Object;
    return Kinds.elementType(strip(List)->getType()).isNull()
               ? 0
               : Lists.elementIndex(S);
  }
  List = S.Args.empty() ? nullptr : S.Args[0];
  return Lists.tupleIndex(S);
}

/// `*slots[i] = v`: the pointer gets a name.
bool AssignmentLowering::throughPointer(const Expr *Target, ValueId V,
                                        const Expr *At) {
  const auto *U = dyn_cast<UnaryOperator>(Target);
  if (!U || U->getOpcode() != UO_Deref || !Kinds.isPlainTensor(U->getType()) ||
      !U->getSubExpr()->getType()->isPointerType())
    return false;
  const ValueId Pointer = Lower.value(U->getSubExpr());
  if (!Pointer)
    return false;
  Variable Named;
  Named.Borrows = true;
  const VarId P = Vars.add(std::move(Named));
  const VarId To = Vars.pointee(P, U->getType());
  if (To == NoId)
    return false;
  Stores.storeTo({P}, Pointer, U->getSubExpr());
  Stores.storeTo({To}, V, At);
  return true;
}

void AssignmentLowering::assign(const Expr *Target, ValueId V, const Expr *At) {
  if (const auto *B = dyn_cast<BinaryOperator>(At);
      B && B->getOpcode() == BO_Assign)
    Stores.noteNarrowing(*B->getRHS(), Target->getType(), V);
  // t->ne[0] = n: the layout is not what it was.
  if (isLayoutField(Target, Kinds)) {
    const Expr *Field = strip(Target);
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(Field))
      Field = A->getBase();
    ValueId Self = TensorFields.tensor(*tensorField(Field, Kinds));
    program::Stmt &S = Build.emit(Op::OtherMeta, At);
    S.Args.push_back({"self", Self, Role::Read, NoId});
    return;
  }
  // l[i] = v; a list of handles then holds it as well.
  const Expr *List = nullptr;
  ValueId Index = elementOf(Target, List);
  if (Index && Lists.change(List, Op::ListSet, {Index, V}, At, 0, [&] {
        if (!Kinds.isIntVector(strip(List)->getType()))
          Stores.storeTo(Places.place(List).inside(), V, At);
      }))
    return;
  Stores.storeElement(strip(Target), V, At);
  if (Place P = Places.place(Target)) {
    const bool IsInside = !P.Exact && Vars[P.Var].IsContainer;
    Stores.storeTo(P, V, At, IsInside ? Lower.value(Target) : 0);
    program::Stmt &S = Build.last();
    if (S.O == Op::Store && Kinds.isPlainTensor(Target->getType()))
      S.Object = Build.range(Target->getSourceRange());
    return;
  }
  if (throughPointer(strip(Target), V, At))
    return;
  // A field of an object that no variable leads to.
  if (const auto *M = dyn_cast<MemberExpr>(strip(Target));
      M && isa<FieldDecl>(M->getMemberDecl()) &&
      Kinds.kind(M->getBase()->getType()) != Kind::List) {
    program::Stmt &S = Build.emit(Op::Assign, At);
    if (Kinds.hasTensor(At->getType()))
      S.Args.push_back({"", V, Role::Keep, NoId});
    S.Args.push_back({"", 0, Role::Write,
                      Vars.member(Vars.unknownObject(), *M->getMemberDecl())});
    return;
  }
  // Through a pointer or into an unknown object: it keeps the value.
  if (Kinds.hasTensor(At->getType())) {
    program::Stmt &S = Build.emit(Op::Assign, At);
    S.Args.push_back({"", V, Role::Keep, NoId});
    Build.reaches(Reach::Members);
  }
}

void AssignmentLowering::swap(const Expr *A, const Expr *B) {
  const ValueId Old[] = {Lower.value(A), Lower.value(B)};
  const Expr *Both[] = {A, B};
  for (unsigned I = 0; I < 2; ++I) {
    assign(Both[I], Old[1 - I], Both[I]);
    if (program::Stmt &S = Build.last(); S.O == Op::Store)
      S.Swaps = true;
  }
}
