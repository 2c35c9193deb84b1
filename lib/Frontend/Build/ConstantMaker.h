//===- ConstantMaker.h - what is known when compiling -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers, bools and the names of enumerators, as constants of the program.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_BUILD_CONSTANTMAKER_H
#define TENSORTIDY_FRONTEND_BUILD_CONSTANTMAKER_H

#include "Program/Program.h"
#include "clang/AST/Type.h"

namespace clang {
class ASTContext;
class Expr;
class TemplateArgument;
} // namespace clang

namespace tensortidy::models {
struct ApiConstant;
} // namespace tensortidy::models

namespace tensortidy::frontend {

class FunctionBuilder;
class Types;

class ConstantMaker {
public:
  ConstantMaker(clang::ASTContext &Context, Types &Kinds,
                FunctionBuilder &Build)
      : Context(Context), Kinds(Kinds), Build(Build) {}

  /// Integers, bools and listed enumerators that are known when compiling.
  bool known(const clang::Expr *E, program::ValueId &Result);
  /// What a model sets.
  program::ValueId given(const models::ApiConstant &K, const clang::Expr *E);
  /// `data_ptr<float>`, `accessor<float, 2>`: a dtype or a number.
  program::ValueId argument(const clang::TemplateArgument &A,
                            const clang::Expr *At);
  /// What the enumerator \p I of \p T is called in models; empty for others.
  llvm::StringRef symbolName(clang::QualType T, const llvm::APSInt &I);

private:
  bool real(const clang::Expr &E, program::ValueId &Result);
  bool tag(const clang::Expr &E, program::ValueId &Result);

  clang::ASTContext &Context;
  Types &Kinds;
  FunctionBuilder &Build;
};

} // namespace tensortidy::frontend

#endif
