//===- TensorFieldLowering.cpp - what the fields of a tensor mean ---------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/TensorFieldLowering.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/ConstantMaker.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/UnitTable.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

const MemberExpr *frontend::tensorField(const Expr *E, Types &Kinds) {
  const auto *M = dyn_cast<MemberExpr>(strip(E));
  const auto *F = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  if (!F)
    return nullptr;
  const TypeRole Role = Kinds.model().role(Kinds.name(*F->getParent()));
  return (Role == TypeRole::Pointee && M->isArrow()) || Role == TypeRole::Tensor
             ? M
             : nullptr;
}

/// What the model says of this field, or of its elements.
static const models::FieldApi *meaning(const MemberExpr &M, bool Element,
                                       Types &Kinds) {
  const auto &F = *cast<FieldDecl>(M.getMemberDecl());
  const std::string Name =
      (Kinds.name(*F.getParent()) + "::" + F.getName()).str();
  return Kinds.model().field(Name, Element);
}

bool frontend::isLayoutField(const Expr *Target, Types &Kinds) {
  Target = strip(Target);
  const auto *A = dyn_cast<ArraySubscriptExpr>(Target);
  const MemberExpr *M = tensorField(A ? A->getBase() : Target, Kinds);
  const models::FieldApi *F = M ? meaning(*M, A != nullptr, Kinds) : nullptr;
  return F && opClass(F->O) == OpClass::Query;
}

ValueId TensorFieldLowering::tensor(const MemberExpr &M) {
  const Expr *Base = M.getBase();
  if (!M.isArrow() || Kinds.isPointerTensor(Base->getType()))
    return Lower.value(Base);
  if (isa<CXXThisExpr>(strip(Base)))
    return Build.emitOther(Op::Deref, "*this", Base, {});
  if (Place P = Places.pointee(Base); P && P.Exact)
    return Build.load(P.Var, Base);
  return Build.emitOther(Op::Deref, derefName(Base), Base, Lower.value(Base));
}

ValueId TensorFieldLowering::ask(const models::FieldApi &F, const MemberExpr &M,
                                 ValueId Index, const Expr *At) {
  llvm::SmallVector<program::Arg, 3> Operands;
  const ValueId Self = tensor(M);
  Operands.push_back({"self", Self, Role::Read, NoId});
  // Memory that the unit copies to by calls is where its backend has it.
  if (const ValueDecl *D =
          F.O == Op::DataPtr ? namedBy(strip(M.getBase())) : nullptr;
      D && Unit.OnBackend.contains(D)) {
    const ValueId On = Build.constText(ConstKind::Symbol, "backend", At);
    program::Stmt &P = Build.emit(Op::Placed, At);
    P.Args.push_back({"device", On, Role::Read, NoId, true});
    P.Args.push_back({"self", Self, Role::Read, NoId, true});
  }
  if (Index)
    Operands.push_back({F.Index, Index, Role::Read, NoId});
  for (const models::ApiConstant &K : F.Set)
    Operands.push_back(
        {K.Name, Constants.given(K, At), Role::Read, NoId, true});
  program::Stmt &S = Build.emit(F.O, At);
  S.Text = M.getMemberDecl()->getName().str();
  S.Has.add(program::Attribute::Unguarded); // nobody checks the index
  S.Args.append(Operands.begin(), Operands.end());
  return Build.result(S);
}

bool TensorFieldLowering::field(const Expr *E, ValueId &Out) {
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    const MemberExpr *M = tensorField(A->getBase(), Kinds);
    const models::FieldApi *F = M ? meaning(*M, true, Kinds) : nullptr;
    if (F)
      Out = ask(*F, *M, Lower.value(A->getIdx()), E);
    return F != nullptr;
  }
  const MemberExpr *M = tensorField(E, Kinds);
  const models::FieldApi *F = M ? meaning(*M, false, Kinds) : nullptr;
  if (!F)
    return false;
  if (!F->All) {
    Out = ask(*F, *M, 0, E);
    return true;
  }
  llvm::SmallVector<ValueId, 4> All;
  for (unsigned I = 0; I < F->All; ++I)
    All.push_back(ask(*F, *M, Build.constInt(I, E), E));
  Out = Build.emitValue(Op::List, E, All);
  return true;
}

ValueId TensorFieldLowering::isDefined(const Expr *Tensor, const Expr *At) {
  ValueId Self = Lower.value(Tensor);
  program::Stmt &S = Build.emit(Op::Defined, At);
  S.Args.push_back({"self", Self, Role::Read, NoId});
  return Build.result(S);
}
