//===- Conditions.h - conditions: evaluated, assumed -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CONDITIONS_H
#define TENSORTIDY_ANALYSIS_CONDITIONS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

Truth evaluate(const Context &Ctx, const State &W, const Condition &C);
bool assumeContiguous(const Context &Ctx, State &W, ObjId T,
                      layout::MemoryFormat F, bool Holds, program::Range Where);
/// Refines \p W; false when that leaves no path.
bool assume(const Context &Ctx, State &W, const Condition &C, bool Holds);
std::optional<unsigned> mostRank(const Context &Ctx, const State &W,
                                 const Object &O);

} // namespace tensortidy::analysis

#endif
