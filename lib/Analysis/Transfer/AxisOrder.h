//===- AxisOrder.h - dimensions that are taken for others -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What throws nothing and gives wrong values:
//
//   x.view({B, H, T, D})       x is [B, T, H*D]: a step of T is H*D elements
//                              there, and would be D here
//   bmm(softmax(s, 1), v)      dimension 1 adds up to 1, dimension 2 is summed
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_AXISORDER_H
#define TENSORTIDY_ANALYSIS_AXISORDER_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Notes a size that \p S, which keeps the order of the elements, moves from
/// one place among the sizes \p From to another one among \p To. The last
/// dimension is the innermost, or the first one of ggml's (\p InnerFirst).
void noteMovedAxis(const Context &Ctx, State &W, const program::Stmt &S,
                   const SymDims &From, const SymDims &To,
                   bool InnerFirst = false);

/// Notes that product \p S sums over another dimension of its operand \p Name,
/// which is \p O, than a softmax() made add up to 1. \p FromEnd is 1 for the
/// last dimension.
void noteSummedAxis(const Context &Ctx, State &W, const program::Stmt &S,
                    llvm::StringRef Name, const Object &O, unsigned FromEnd);

} // namespace tensortidy::analysis

#endif
