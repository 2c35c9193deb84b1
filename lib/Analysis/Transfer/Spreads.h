//===- Spreads.h - what is compared with more than it belongs to -*- C++ -*-==//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Broadcasting is no error, and compares each element with all others:
//
//   mse_loss(y, target)    y is [b, 1], target is [b]: b*b differences
//   fc(x) - target         the same, where fc has one output
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_SPREADS_H
#define TENSORTIDY_ANALYSIS_SPREADS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// A layer takes a row for each sample. Where the rank of \p X is not known it
/// mostly is a matrix: a run of its own assumes that (Context::UsualRanks).
void takesMatrix(const Context &Ctx, State &W, Object *X);
/// A loss compares elements that belong together; \p S repeats \p X or \p Y
/// for the other one.
void spreads(const Context &Ctx, State &W, const program::Stmt &S,
             const Object &X, const Object &Y);
/// \p S computes, element by element, with a column that a layer gives and a
/// vector of the same length.
void columnMeetsVector(const Context &Ctx, State &W, const program::Stmt &S);

} // namespace tensortidy::analysis

#endif
