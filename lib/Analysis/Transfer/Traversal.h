//===- Traversal.h - how a tensor lies in memory -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_TRAVERSAL_H
#define TENSORTIDY_ANALYSIS_TRAVERSAL_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

enum class Density : uint8_t { Dense, Gaps, Unknown };

/// Whether memory holds the elements without gaps; then \p Order has the
/// dimensions as they lie there, outermost first.
Density density(const Symbolic &Ar, const SymLayout &L,
                std::vector<size_t> &Order);

/// How a tensor lies in memory, and whether \p Shape goes by its dimensions and
/// by that order.
struct Traversal {
  Density Packed;
  bool ByDims, ByMemory;
};

/// Whether \p E is 1.
bool isOne(const Symbolic &Ar, const SymExpr &E);
/// Whether a stride is less than another, sizes of 1 aside.
bool isSmaller(const Symbolic &Ar, const SymExpr &A, const SymExpr &B);
/// How memory with layout \p L is gone through by indices of sizes \p Shape.
Traversal traversal(const Symbolic &Ar, const SymLayout &L,
                    const std::vector<SymExpr> &Shape);
/// Both have the same sizes, and an element that lies elsewhere.
bool liesElsewhere(const Symbolic &Ar, const Object &X, const Object &Y);
/// Whether dimensions were moved or cut by code that may have forgotten it, and
/// not arranged on purpose (a memory format, strides of its own).
bool isIncidental(const ProvRef &Prov);
/// Of what a pointer was taken of. What holds unless dimensions that nobody
/// counted are 1 may not hold at all.
layout::Answer<SymExpr> contiguity(const Context &Ctx, const State &W,
                                   const Object &O);

} // namespace tensortidy::analysis

#endif
