//===- Axes.h - which sizes are equal by chance -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sizes with names of their own that stand in one tensor are two axes of
// what the code computes, and so are a size and a number. Nothing says that
// they differ, but code that is right only where they are equal is not meant
// so:
//
//   q = zeros({b, heads, n, d})     heads and n, heads and d, n and d
//   q.view({b, n, n, d})            throws, unless heads is n
//   x.reshape({b, -1, 40})          x.size(1) and 40
//   conv1d(x, {64, 40, 3})          throws, unless x.size(1) is 40
//
// What a function has as axes is known when all of it was seen; a first run
// asks in vain, and what it asked says whether a second is worth its time.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_AXES_H
#define TENSORTIDY_LAYOUT_AXES_H

#include "Layout/Polynomial.h"
#include <algorithm>
#include <set>
#include <utility>

namespace tensortidy::layout {

/// Which symbols are different axes. Pairs of symbols, the lesser first.
struct Axes {
  using Pair = std::pair<SymbolId, SymbolId>;
  std::set<Pair> Strangers; ///< equal by chance only
  /// A symbol is this number by chance only.
  std::set<std::pair<SymbolId, int64_t>> Numbers;
  /// Both in the sizes of one tensor, in different dimensions: a size is equal
  /// to a product only by chance if it stands beside all of its factors.
  std::set<Pair> Beside;

  bool empty() const {
    return Strangers.empty() && Numbers.empty() && Beside.empty();
  }
  /// Whether two products are equal by chance only; each is a symbol where they
  /// are \p Single.
  bool areApart(const Monomial &A, const Monomial &B, bool Single) const {
    const std::set<Pair> &Pairs = Single ? Strangers : Beside;
    for (unsigned I = 0; I < A.Count; ++I)
      for (unsigned J = 0; J < B.Count; ++J)
        if (!Pairs.count(std::minmax(A.S[I], B.S[J])))
          return false;
    return true;
  }
  /// They would have to be.
  void add(const Monomial &A, const Monomial &B, bool Single) {
    for (unsigned I = 0; I < A.Count; ++I)
      for (unsigned J = 0; J < B.Count; ++J)
        (Single ? Strangers : Beside).insert(std::minmax(A.S[I], B.S[J]));
  }
  /// Whether something of this is in \p O as well.
  bool meets(const Axes &O) const {
    const auto In = [](const auto &Of, const auto &All) {
      return std::any_of(Of.begin(), Of.end(),
                         [&](const auto &X) { return All.count(X) != 0; });
    };
    return In(Strangers, O.Strangers) || In(Numbers, O.Numbers) ||
           In(Beside, O.Beside);
  }
};

/// Whether \p D, the difference of two sizes without what both have in common,
/// is 0 by chance only, by what \p Apart says. \p Asked gets what it would have
/// to say.
inline bool isByChance(const SymExpr &D, const Axes *Apart, Axes *Asked) {
  const SymExpr::Term *Of[2] = {nullptr, nullptr};
  int64_t Number = 0; // a constant that is left
  for (const auto &T : D.terms()) {
    if (T.M.Count == 0)
      Number = T.C;
    else if (Of[1])
      return false;
    else
      Of[Of[0] ? 1 : 0] = &T;
  }
  if (!Of[0])
    return false;
  const Monomial &A = Of[0]->M;
  if (!Of[1]) {
    if (A.Count != 1 || (Of[0]->C != 1 && Of[0]->C != -1))
      return false;
    const std::pair<SymbolId, int64_t> Both(A.S[0], -Number * Of[0]->C);
    if (Asked)
      Asked->Numbers.insert(Both);
    return Apart && Apart->Numbers.count(Both);
  }
  if ((Of[0]->C < 0) == (Of[1]->C < 0))
    return false;
  const Monomial &B = Of[1]->M;
  const bool Single =
      !Number && A.Count == 1 && B.Count == 1 && Of[0]->C == -Of[1]->C;
  if (Asked)
    Asked->add(A, B, Single);
  return Apart && Apart->areApart(A, B, Single);
}

/// What questions without an answer were about: who knows more of it may ask
/// again.
struct OpenQuestions {
  Axes Apart;              ///< axes that would have to be different ones
  std::set<SymbolId> Size; ///< sizes of which more would have to be known
};

} // namespace tensortidy::layout

#endif
