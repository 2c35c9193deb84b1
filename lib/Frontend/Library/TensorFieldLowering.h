//===- TensorFieldLowering.h - what the fields of a ggml_tensor mean ------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   t->ne[1]       %2 = ggml_ne self=%1 dim=...
//   if (t)         %3 = defined self=%1
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LIBRARY_TENSORFIELDLOWERING_H
#define TENSORTIDY_FRONTEND_LIBRARY_TENSORFIELDLOWERING_H

#include "Program/Program.h"

namespace clang {
class Expr;
class MemberExpr;
} // namespace clang

namespace tensortidy::frontend {

class FunctionBuilder;
class Lowerer;
class Types;

/// `t->field` of a tensor that is a pointer.
const clang::MemberExpr *tensorField(const clang::Expr *E, llvm::StringRef Name,
                                     Types &Kinds);

class TensorFieldLowering {
public:
  TensorFieldLowering(Types &Kinds, FunctionBuilder &Build, Lowerer &Lower)
      : Kinds(Kinds), Build(Build), Lower(Lower) {}

  /// False: \p E is no such field.
  bool field(const clang::Expr *E, program::ValueId &Result);
  /// Whether a pointer to a tensor is not null.
  program::ValueId isDefined(const clang::Expr *Tensor, const clang::Expr *At);

private:
  Types &Kinds;
  FunctionBuilder &Build;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
