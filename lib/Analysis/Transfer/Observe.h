//===- Observe.h - what editors and messages ask of a statement -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_OBSERVE_H
#define TENSORTIDY_ANALYSIS_OBSERVE_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Records the layouts of the expressions of \p S, for editors and `explain`.
void observe(const Context &Ctx, State &W, const Stmt &S);
/// Records what is known of the result \p O of \p S in a loop, over all paths.
void noteInLoop(const Context &Ctx, const State &W, const Stmt &S,
                const Object &O);

} // namespace tensortidy::analysis

#endif
