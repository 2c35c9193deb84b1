//===- TensorFieldLowering.cpp - what the fields of a ggml_tensor mean ----===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/TensorFieldLowering.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

/// `t->field` of a tensor that is a pointer.
const MemberExpr *frontend::tensorField(const Expr *E, llvm::StringRef Name,
                                        Types &Kinds) {
  const auto *M = dyn_cast<MemberExpr>(strip(E));
  return M && M->getMemberDecl()->getName() == Name && M->isArrow() &&
                 Kinds.isPointerTensor(M->getBase()->getType())
             ? M
             : nullptr;
}

/// What the fields of a ggml_tensor mean.
bool TensorFieldLowering::field(const Expr *E, ValueId &Out) {
  auto Ask = [&](Op O, const MemberExpr &M, ValueId Dim) {
    ValueId Self = Lower.value(M.getBase());
    program::Stmt &S = Build.emit(O, E);
    S.Text = M.getMemberDecl()->getName().str();
    S.Args.push_back({"self", Self, Role::Read, NoId});
    if (Dim)
      S.Args.push_back({"dim", Dim, Role::Read, NoId});
    return Build.result(S);
  };
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    for (auto [Name, O] : {std::pair("ne", Op::GgmlNe), {"nb", Op::GgmlNb}})
      if (const MemberExpr *M = tensorField(A->getBase(), Name, Kinds)) {
        ValueId Dim = Lower.value(A->getIdx());
        Out = Ask(O, *M, Dim);
        return true;
      }
  for (auto [Name, O] : {std::pair("ne", Op::GgmlNe), {"nb", Op::GgmlNb}})
    if (const MemberExpr *M = tensorField(E, Name, Kinds)) {
      llvm::SmallVector<ValueId, 4> All;
      for (int I = 0; I < 4; ++I)
        All.push_back(Ask(O, *M, Build.constInt(I, E)));
      Out = Build.emitValue(Op::List, E, All);
      return true;
    }
  if (const MemberExpr *M = tensorField(E, "type", Kinds)) {
    Out = Ask(Op::DTypeOf, *M, 0);
    return true;
  }
  if (const MemberExpr *M = tensorField(E, "data", Kinds)) {
    Out = Ask(Op::DataPtr, *M, 0);
    return true;
  }
  return false;
}

ValueId TensorFieldLowering::isDefined(const Expr *Tensor, const Expr *At) {
  ValueId Self = Lower.value(Tensor);
  program::Stmt &S = Build.emit(Op::Defined, At);
  S.Args.push_back({"self", Self, Role::Read, NoId});
  return Build.result(S);
}
