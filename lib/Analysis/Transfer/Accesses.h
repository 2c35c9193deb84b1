//===- Accesses.h - elements behind raw pointers -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_ACCESSES_H
#define TENSORTIDY_ANALYSIS_ACCESSES_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// What an expression of integers is, evaluated again here.
std::optional<SymExpr> again(const Context &Ctx, const State &W, ValueId V,
                             unsigned Depth);
/// `*p`, `*p++`.
bool isDeref(const Stmt &S);
/// `p[i] * q[i]`: elements that belong together.
void pairPointers(const Context &Ctx, State &W, const Stmt &S);
/// `p[i]` and `*p`, read or written.
void indexPointer(const Context &Ctx, State &W, const Stmt &S);
/// A number of elements, or a product of sizes, that becomes 32 bits wide.
void noteNarrow(const Context &Ctx, const State &W, const Stmt &S);

} // namespace tensortidy::analysis

#endif
