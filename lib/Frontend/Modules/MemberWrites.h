//===- MemberWrites.h - what a private member is ever given -----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A private member holds what all writes of it have in common, where all of
// them can be seen:
//
//   class Cache {
//     Cache(int64_t a, int64_t b) : w(at::zeros({a, b}).t()) {}
//     void renew(int64_t n) { w = at::zeros({n, 8}).t(); }
//     at::Tensor w;                     always a transposed matrix
//   };
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_MODULES_MEMBERWRITES_H
#define TENSORTIDY_FRONTEND_MODULES_MEMBERWRITES_H

#include "Models/ApiModel.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace tensortidy::frontend {

struct MemberWrites {
  /// One of them, which all others are like but for their numbers; null: they
  /// differ, or not all can be seen.
  const clang::Expr *Value = nullptr;
  /// It stands in a constructor and is the only one: its numbers are known.
  bool Once = false;
};

/// Everything that the private tensor \p F is ever given.
MemberWrites writesOf(const models::ApiModel &Model, const clang::FieldDecl &F);

} // namespace tensortidy::frontend

#endif
