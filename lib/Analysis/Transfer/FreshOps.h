//===- FreshOps.h - operations that make storage -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FRESHOPS_H
#define TENSORTIDY_ANALYSIS_FRESHOPS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Records how much memory \p S allocates for \p O.
void noteAllocation(const Context &Ctx, State &W, const Stmt &S,
                    const Object &O);

} // namespace tensortidy::analysis

#endif
