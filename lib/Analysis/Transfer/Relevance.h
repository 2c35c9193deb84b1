//===- Relevance.h - whether a fact is worth a finding -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That something is refused is decided by lib/Layout; whether that is worth
// telling is asked here, once it is certain:
//
//   view({n / k, k})        refused unless k divides n: it does (Divides)
//   if (n == 0) x.view(n)   refused, for nothing (TestedZero)
//
// The reasons are Analysis/Relevance.def.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_TRANSFER_RELEVANCE_H
#define TENSORTIDY_ANALYSIS_TRANSFER_RELEVANCE_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Whether reason \p Why applies at all: it was not disregarded.
inline bool isInForce(const Context &Ctx, Silence Why) {
  return !(Ctx.Limits.Disregarded >> static_cast<unsigned>(Why) & 1);
}

/// Whether nothing is told of \p S for reason \p Why, which \p Applies; counts
/// it.
bool isSilenced(const Context &Ctx, const Stmt &S, Silence Why, bool Applies);

/// Whether the path assumes tensors without elements, or that a loop runs no
/// time.
inline bool hasNoElements(const Context &Ctx, const State &W, const Stmt &S) {
  return isSilenced(Ctx, S, Silence::NoElements, W.Degenerate);
}

/// Whether the dtype of \p O, an operand of \p S, is one of several that tests
/// left, and it was found to be the same as one that nobody knows:
///   CHECK(x.dtype() == kByte || x.dtype() == kChar);
///   CHECK(x.dtype() == dtype);
bool isDTypeVouchedFor(const Context &Ctx, const State &W, const Stmt &S,
                       const Object &O);
/// Whether this path went by what a function without a visible body said of a
/// tensor that lies as \p O does:
///   x = packed(x) ? x : x.contiguous();
bool isVouchedFor(const Context &Ctx, const State &W, const Stmt &S,
                  const Object &O);

/// Whether the name of an integer says that it counts bytes: `nb`, `row_size`.
bool isNamedAfterBytes(const layout::SymbolInfo &Integer);

/// What is known of sizes where \p A and \p B cannot be told apart otherwise:
/// that each size of the user's that was divided by another is a multiple of
/// it.
Symbolic whereDivided(const Context &Ctx, const State &W, const SymExpr &A,
                      const SymExpr &B);
/// Whether \p A is a multiple of \p B other than B itself, where sizes that
/// were divided are multiples of what they were divided by.
bool isMultiple(const Context &Ctx, const State &W, const SymExpr &A,
                const SymExpr &B);
/// Sizes \p A and \p B should be equal, and are not unless one of \p UnlessOne
/// is 1.
bool isKnownToFit(const Context &Ctx, const State &W, const Stmt &S,
                  const SymExpr &A, const SymExpr &B,
                  const std::vector<SymExpr> &UnlessOne);

/// What \p E refuses of the operands \p Of, but where one of \p UnlessOne is 1.
bool isRelevant(const Context &Ctx, const State &W, const Stmt &S,
                llvm::ArrayRef<const Object *> Of,
                const layout::LayoutError<SymExpr> &E,
                const std::vector<SymExpr> &UnlessOne);

/// Whether one of \p Exprs is not a product of sizes, but was rounded, or if
/// \p OrSum has a sum among its factors.
bool hasQuotient(const Context &Ctx, const State &W,
                 const std::vector<SymExpr> &Exprs, bool OrSum = false);
/// The symbols in \p Exprs that stand for dimensions of a segment.
std::vector<SymbolId> restIn(const Context &Ctx, const State &W,
                             const std::vector<SymExpr> &Exprs);
/// Whether a size in \p Exprs was one thing on one path here and another on
/// the next: none of them need be what the refusal takes it for.
bool isPathDependent(const State &W, const std::vector<SymExpr> &Exprs);
/// Which two of its values a refusal wants to be equal, where it is that.
std::optional<std::pair<size_t, size_t>> mustBeEqual(layout::Rule R);

} // namespace tensortidy::analysis

#endif
