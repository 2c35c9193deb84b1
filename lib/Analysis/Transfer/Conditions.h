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

/// Whether \p C holds in \p W; Unknown where some of what \p W describes
/// answers otherwise.
Truth evaluate(const Context &Ctx, const State &W, const Condition &C);
/// From here on tensor \p T is contiguous in format \p F, or is not; \p Where
/// says so. False when that leaves no path.
bool assumeContiguous(const Context &Ctx, State &W, ObjId T,
                      layout::MemoryFormat F, bool Holds, program::Range Where);
/// Refines \p W; false when that leaves no path.
bool assume(const Context &Ctx, State &W, const Condition &C, bool Holds);
/// The most dimensions that tests leave \p O, of unknown rank.
std::optional<unsigned> mostRank(const Context &Ctx, const State &W,
                                 const Object &O);

} // namespace tensortidy::analysis

#endif
