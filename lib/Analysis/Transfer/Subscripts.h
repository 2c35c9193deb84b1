//===- Subscripts.h - how far a[i][j] goes in its loops ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (i = 0; i < x.size(1); ++i)
//     for (j = 0; j < x.size(0); ++j)
//       a[i][j]                        i counts the columns, j the rows
//
// Accessors check nothing. An index that counts to the size of another
// dimension of its tensor is wrong unless the two are equal, as those of a
// square matrix are: where the other dimension counts to its own size, they
// are.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_SUBSCRIPTS_H
#define TENSORTIDY_ANALYSIS_SUBSCRIPTS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// How many dimensions of \p O are known from the front.
size_t knownRank(const Object &O);
/// Sizes that are equal where \p A is \p B, as an exception.
SymExpr equalSizes(const State &W, const SymExpr &A, const SymExpr &B);
/// What the accessor() \p S of \p Self gives, which has its rank by then.
Value accessorOf(const program::Stmt &S, const Object &Self);
/// `a.size(1)` of an accessor.
std::optional<SymExpr> accessorSize(const Context &Ctx, const State &W,
                                    const program::Stmt &S);
/// `a[i]` of an accessor.
void indexAccessor(const Context &Ctx, State &W, const program::Stmt &S);
/// The dimension to whose size index \p V of dimension \p Dim counts, if that
/// is another one of \p O.
std::optional<size_t> otherAxis(const Context &Ctx, State &W, const Object &O,
                                size_t Dim, program::ValueId V);
/// `x[i]` in a loop to another size of x: refuses it.
void selectsOtherAxis(const Context &Ctx, State &W, const program::Stmt &S,
                      const Object &O, size_t Dim);

} // namespace tensortidy::analysis

#endif
