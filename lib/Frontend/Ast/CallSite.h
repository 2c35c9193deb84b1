//===- CallSite.h - one call, whatever its form -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions, methods, operators and constructors: what is called, on which
// object, and with what.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_AST_CALLSITE_H
#define TENSORTIDY_FRONTEND_AST_CALLSITE_H

#include "Frontend/Ast/Types.h"
#include "Program/Program.h"
#include "clang/AST/ExprCXX.h"

namespace tensortidy::frontend {

/// One call, whatever its form.
struct CallSite {
  const clang::Expr *E = nullptr;
  const clang::FunctionDecl *Callee = nullptr; ///< null: through a pointer
  const clang::Expr *Object = nullptr;         ///< of a member call
  bool IsMethod = false, IsOperator = false;
  llvm::SmallVector<const clang::Expr *, 6>
      Args; ///< as passed, default ones left out
  llvm::SmallVector<const clang::ParmVarDecl *, 6>
      Params; ///< beside Args; null: variadic
  /// How many of them the call has itself; the rest are settings that an
  /// options object was made with: `F::conv2d(x, w,
  /// F::Conv2dFuncOptions().stride(2))`.
  size_t OwnArgs = 0;
  std::string Name;
  /// Of a constructor: the variable it makes.
  program::VarId Made = program::NoId;
};

CallSite callSite(const clang::CallExpr &E, Types &Kinds);
/// A constructor as a call; \p Args without the default ones.
CallSite constructorSite(const clang::CXXConstructExpr &E,
                         llvm::ArrayRef<const clang::Expr *> Args);

} // namespace tensortidy::frontend

#endif
