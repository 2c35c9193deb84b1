//===- Polynomial.h - sums of products of symbols ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In canonical form, so that equal polynomials are equal terms:
//
//   B*T*C        H*D + 1        3*T - 2
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_POLYNOMIAL_H
#define TENSORTIDY_LAYOUT_POLYNOMIAL_H

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace tensortidy::layout {

using SymbolId = uint32_t;

/// A product of symbols, sorted, with repetition for powers. Products beyond
/// `Max` factors become atoms.
struct Monomial {
  static constexpr unsigned Max = 11;
  uint32_t Count = 0;
  SymbolId S[Max] = {};

  bool operator==(const Monomial &O) const {
    return Count == O.Count && std::equal(S, S + Count, O.S);
  }
  /// By degree, then lexicographically: constants first.
  bool operator<(const Monomial &O) const {
    if (Count != O.Count)
      return Count < O.Count;
    return std::lexicographical_compare(S, S + Count, O.S, O.S + O.Count);
  }
  bool contains(SymbolId X) const {
    return std::find(S, S + Count, X) != S + Count;
  }
  /// This without the factors of \p D; false when \p D does not divide it.
  bool without(const Monomial &D, Monomial &Rest) const {
    Rest.Count = 0;
    unsigned J = 0;
    for (unsigned I = 0; I < Count; ++I) {
      if (J < D.Count && D.S[J] == S[I])
        ++J;
      else
        Rest.S[Rest.Count++] = S[I];
    }
    return J == D.Count;
  }
};

/// A polynomial: terms sorted by monomial, no zero coefficients.
class SymExpr {
public:
  struct Term {
    Monomial M;
    int64_t C;
    bool operator==(const Term &O) const { return C == O.C && M == O.M; }
  };
  SymExpr(int64_t V = 0) {
    if (V)
      Terms.push_back({Monomial(), V});
  }
  static SymExpr symbol(SymbolId S) {
    SymExpr E;
    Term T{Monomial(), 1};
    T.M.Count = 1;
    T.M.S[0] = S;
    E.Terms.push_back(T);
    return E;
  }
  static SymExpr monomial(const Monomial &M, int64_t C = 1) {
    SymExpr E;
    if (C)
      E.Terms.push_back({M, C});
    return E;
  }
  const std::vector<Term> &terms() const { return Terms; }
  bool isZero() const { return Terms.empty(); }
  std::optional<int64_t> constant() const {
    if (Terms.empty())
      return 0;
    if (Terms.size() == 1 && Terms[0].M.Count == 0)
      return Terms[0].C;
    return std::nullopt;
  }
  /// The symbol when the expression is just one.
  std::optional<SymbolId> asSymbol() const {
    if (Terms.size() == 1 && Terms[0].C == 1 && Terms[0].M.Count == 1)
      return Terms[0].M.S[0];
    return std::nullopt;
  }
  bool contains(SymbolId S) const {
    for (const Term &T : Terms)
      if (T.M.contains(S))
        return true;
    return false;
  }
  bool operator==(const SymExpr &O) const { return Terms == O.Terms; }
  bool operator!=(const SymExpr &O) const { return !(*this == O); }
  bool operator<(const SymExpr &O) const {
    return std::lexicographical_compare(Terms.begin(), Terms.end(),
                                        O.Terms.begin(), O.Terms.end(),
                                        [](const Term &A, const Term &B) {
                                          if (!(A.M == B.M))
                                            return A.M < B.M;
                                          return A.C < B.C;
                                        });
  }

  /// The monomial that divides every term.
  Monomial commonMonomial() const {
    Monomial G;
    if (Terms.empty())
      return G;
    G = Terms[0].M;
    for (const Term &T : Terms) {
      Monomial Both;
      Both.Count = static_cast<uint32_t>(
          std::set_intersection(G.S, G.S + G.Count, T.M.S, T.M.S + T.M.Count,
                                Both.S) -
          Both.S);
      G = Both;
    }
    return G;
  }
  /// This / \p G where G divides every term that has it; terms without G only
  /// occur when the caller compares two whose difference G divides.
  SymExpr dividedBy(const Monomial &G) const {
    SymExpr R;
    for (const Term &T : Terms) {
      Term Q;
      Q.C = T.C;
      if (!T.M.without(G, Q.M))
        return *this;
      R.Terms.push_back(Q);
    }
    return canonical(std::move(R));
  }
  /// This / the number that divides all coefficients.
  SymExpr dividedByContent() const {
    int64_t All = 0;
    for (const Term &T : Terms)
      All = std::gcd(All, T.C);
    SymExpr R = *this;
    for (Term &T : R.Terms)
      T.C /= All;
    return R;
  }
  /// "T*T*H is 1" and "T*H is 1" are the same condition.
  SymExpr squareFree() const {
    Monomial M;
    const Monomial &From = Terms[0].M;
    for (unsigned I = 0; I < From.Count; ++I)
      if (!M.Count || M.S[M.Count - 1] != From.S[I])
        M.S[M.Count++] = From.S[I];
    return monomial(M);
  }
  /// \p R, whose terms stand in any order and repeat, as a polynomial.
  static SymExpr canonical(SymExpr R) {
    auto &All = R.Terms;
    std::sort(All.begin(), All.end(),
              [](const auto &X, const auto &Y) { return X.M < Y.M; });
    size_t Kept = 0; // in place: most have one term or two
    for (size_t I = 0; I < All.size();) {
      Term Sum = All[I];
      for (++I; I < All.size() && All[I].M == Sum.M; ++I)
        Sum.C += All[I].C;
      if (Sum.C)
        All[Kept++] = Sum;
    }
    All.erase(All.begin() + Kept, All.end());
    return R;
  }

private:
  friend class SymbolicFacts;
  friend class SymbolicOrder;
  friend class Symbolic;
  std::vector<Term> Terms;
};

} // namespace tensortidy::layout

#endif
