//===- Extents.h - how far addresses reach ----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address is affine in what the loops around it count:
//
//   for (i = 0; i < n; ++i)
//     for (j = 0; j < m; ++j)
//       p[i*k + j + 1]            reaches (n - 1)*k + m
//
// which memory of Object::Holds elements, or a C++ object, may not have.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_EXTENTS_H
#define TENSORTIDY_ANALYSIS_EXTENTS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// The greatest value of \p E in the loops around this block, where they come
/// by with each number that they count; \p E itself outside of loops.
std::optional<SymExpr> farthest(const Context &Ctx, State &W, const SymExpr &E);
/// The same in the first iteration of each.
std::optional<SymExpr> nearest(const Context &Ctx, State &W, const SymExpr &E);

} // namespace tensortidy::analysis

#endif
