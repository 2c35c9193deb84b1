//===- OwnReductions.h - a tensor and what it was reduced to ----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   x / x.norm(2, 1)          sizes [n, d] and [n]: n meets d
//   s - s.amax(-1)            [b, h, n, m] and [b, h, n]: n meets m
//
// A reduction that does not keep its dimension, and that goes over another one
// than the first, leaves the dimensions before it one place further back. They
// meet other dimensions of the same tensor there, whether or not these have
// names, and two dimensions of one tensor are equal by chance only.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_OWNREDUCTIONS_H
#define TENSORTIDY_ANALYSIS_OWNREDUCTIONS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Whether operands `self` and `other` of \p S are what the sizes of its result
/// come from.
bool keepsSizes(const program::Stmt &S);
/// Whether, and then records that, \p S, which computes element by element,
/// refuses \p Of and \p In, which is operand \p V: a reduction of a tensor of
/// the same sizes. In place, \p Of is what is written.
bool meetsOwnReduction(const Context &Ctx, State &W, const program::Stmt &S,
                       const Object &Of, const Object &In, program::ValueId V,
                       bool InPlace);
/// The same of both operands of \p S.
bool meetOwnReductions(const Context &Ctx, State &W, const program::Stmt &S);

} // namespace tensortidy::analysis

#endif
