//===- Singles.h - dimensions of one element -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   score = x @ w          [B, T, 1], where w is [C, 1]
//   softmax(score, -1)     all of it is 1
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_SINGLES_H
#define TENSORTIDY_ANALYSIS_SINGLES_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Records whether the dimension that \p S goes along has one element, where
/// the result says nothing of the operand then; and whether what it finds
/// places in is a vector.
void noteSingle(const Context &Ctx, State &W, const Stmt &S);

} // namespace tensortidy::analysis

#endif
