//===- Contexts.h - the calls around a statement ----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements stand in calls that were replaced by their body: a tree, of which
// each names the innermost node.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FLOW_CONTEXTS_H
#define TENSORTIDY_ANALYSIS_FLOW_CONTEXTS_H

#include "Program/Program.h"

namespace tensortidy::analysis {

/// Whether call \p Context is \p Outer or inside of it.
inline bool isWithin(const program::Function &F, uint32_t Context,
                     uint32_t Outer) {
  while (Context != Outer && Context)
    Context = F.Contexts[Context].Parent;
  return Context == Outer;
}

/// The call that the function itself makes, on the way to \p Context; 0 for its
/// own statements.
inline uint32_t outermostCall(const program::Function &F, uint32_t Context) {
  while (Context && F.Contexts[Context].Parent)
    Context = F.Contexts[Context].Parent;
  return Context;
}

} // namespace tensortidy::analysis

#endif
