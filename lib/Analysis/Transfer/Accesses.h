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
/// Rows that are Given elements apart, and are Real elements apart.
struct WrongStep {
  SymExpr Given, Real;
};
/// The step by which pointer \p P, which is handed on, goes from row to row in
/// the loops around, if that is no stride of its tensor. \p Row: numbers that
/// are handed on with it. \p Told: the code names strides, and what is wrong is
/// an outer one for rows of several dimensions together.
///   for (i = 0; i < B*T; ++i) f(p + i*y.stride(0), D)     y is [B, T, D]
std::optional<WrongStep> wrongStepAt(const Context &Ctx, State &W,
                                     const Value &P, ValueId Pointer,
                                     const std::vector<SymExpr> &Row,
                                     bool Told = false);
bool isDeref(const Stmt &S);
/// `p[i] * q[i]`: elements that belong together.
void pairPointers(const Context &Ctx, State &W, const Stmt &S);
/// `p[i]` and `*p`, read or written.
void indexPointer(const Context &Ctx, State &W, const Stmt &S);
/// A number of elements, or a product of sizes, that becomes 32 bits wide.
void noteNarrow(const Context &Ctx, const State &W, const Stmt &S);

} // namespace tensortidy::analysis

#endif
