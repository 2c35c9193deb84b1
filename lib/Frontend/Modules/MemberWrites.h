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

class Types;
class UnitTable;

struct MemberWrites {
  /// One of them, which all others are like but for their numbers; or all that
  /// the constructor gives it, one after the other, where nobody else does.
  /// Empty: they differ, or not all can be seen.
  llvm::SmallVector<const clang::Expr *, 1> Values;
  /// They stand in a constructor and are the only ones: their numbers are
  /// known.
  bool Once = false;
};

/// Everything that the tensor \p F is ever given: a private one, or a public
/// one of a class that only this unit can see. With \p Part it is asked for
/// that member of another object, `layer_.weight`, whose constructor's writes
/// of it are then those that count for Once.
MemberWrites writesOf(const models::ApiModel &Model, const UnitTable &Unit,
                      const clang::FieldDecl &F,
                      const clang::FieldDecl *Part = nullptr);

/// The same of the elements of the private list \p F, `keys_.push_back(...)`.
MemberWrites elementWrites(Types &Kinds, const clang::FieldDecl &F);

} // namespace tensortidy::frontend

#endif
