//===- Assertions.h - checks that cannot hold -------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TORCH_CHECK, GGML_ASSERT, assert and `if (...) throw` are one thing in a
// program: a branch of which one arm does nothing but leave by a throw.
//
//   block 3 if %7 -> 4, 5       x.is_contiguous()
//   block 5
//     throw
//
// What is counted here is whether tensors, by the way they were made, refute
// the condition on every path that comes by.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_TRANSFER_ASSERTIONS_H
#define TENSORTIDY_ANALYSIS_TRANSFER_ASSERTIONS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Counts a path that comes to the branch of block \p B, where \p C is known to
/// be \p T.
void noteBranch(const Context &Ctx, State &W, BlockId B, const CondRef &C,
                Truth T);
/// Counts a path that comes to the assertion \p S of \p C.
void noteAssertion(const Context &Ctx, State &W, const Stmt &S,
                   const CondRef &C);

} // namespace tensortidy::analysis

#endif
