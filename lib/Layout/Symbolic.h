//===- Symbolic.h - symbolic sizes ------------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A symbolic size is a polynomial (Polynomial.h) over size symbols (Symbols.h).
// Facts ("C == H*D", after a view that could not have succeeded otherwise) are
// rewrites of a symbol, applied before every question (SymbolicFacts.h).
//
// Sizes are at least 0. Questions about strides ask only about tensors that
// have elements, so there a size symbol is at least 1 (`NonEmpty`): an empty
// tensor always views, and is contiguous.
//
//   eq(T*D, D)     No, unless T is 1           (divide by the common D)
//   eq(T, T - 1)   No                          (a constant remains)
//   eq(T, H)       Unknown
//
// What is added to make a size is meant to be there, but may be 0 now and then:
//
//   eq(q + k, k)   No, unless q is 0           (where q + k served as a size)
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_SYMBOLIC_H
#define TENSORTIDY_LAYOUT_SYMBOLIC_H

#include "Layout/SymbolicOrder.h"
#include <algorithm>
#include <set>

namespace tensortidy::layout {

/// Arithmetic on symbolic sizes under a set of facts. Copies share the symbol
/// table, not the facts.
class Symbolic : public SymbolicOrder {
public:
  using SymbolicOrder::SymbolicOrder;

  /// No two sizes are equal by chance: eq() says no where nothing is known.
  bool Distinct = false;

  Answer<Int> eq(const Int &A0, const Int &B0) const {
    if (A0 == B0)
      return Truth::Yes;
    Int A = norm(A0), B = norm(B0);
    if (A == B)
      return Truth::Yes;
    Int D = sub(A, B);
    if (auto C = D.constant())
      return truth(*C == 0);
    // Divide by the common monomial: its symbols are not 0.
    if (NonEmpty) {
      Monomial G = D.commonMonomial();
      if (G.Count && !hasInteger(G)) {
        A = A.dividedBy(G);
        B = B.dividedBy(G);
        D = D.dividedBy(G);
        if (auto C = D.constant())
          return truth(*C == 0);
      }
    }
    if (auto Apart = isZero(D); !Apart.unknown())
      return Apart;
    Answer<Int> Atoms = atomEq(A, B, D);
    if (Distinct && Atoms.unknown() &&
        std::all_of(D.Terms.begin(), D.Terms.end(),
                    [&](const auto &T) { return isSizes(T.M); }))
      return Truth::No;
    if (!Atoms.unknown())
      return Atoms;
    if (auto Many =
            apart(A, B, [&](const Int &X, const Int &Y) { return eq(X, Y); });
        !Many.unknown())
      return Many;
    const Int Chance = chance(D);
    return Chance.isZero() ? Atoms
                           : Answer<Int>(Truth::No, {add(Chance, SymExpr(1))});
  }

  Truth lt(const Int &A, const Int &B) const {
    return Facts->empty() ? ltAsIs(A, B) : ltAsIs(norm(A), norm(B));
  }

  /// Whether A <= B; "no, unless H is 1" where they are equal then. What
  /// \p NotNegative has is at least 0, whatever else is known of it.
  ///   le(2*T*D - D, T*D)     No, unless T is 1
  Answer<Int> le(const Int &A0, const Int &B0,
                 const std::set<SymbolId> &NotNegative = {}) const {
    const Int D = norm(sub(norm(A0), norm(B0)));
    for (const Int &E : {D, expandSums(D)}) {
      std::vector<Int> Unless;
      if (E.isZero() ||
          beyond(sub(SymExpr(0), E), NotNegative, Unless) != Truth::No)
        return Truth::Yes;
      if (beyond(E, NotNegative, Unless) == Truth::Yes)
        return Answer<Int>(Truth::No, std::move(Unless));
    }
    return apart(A0, B0, [&](const Int &A, const Int &B) {
      return le(A, B, NotNegative);
    });
  }

  /// \p E with what its sizes are where none of \p Unless is 1 (SymbolInfo).
  Int whereMany(const Int &E, std::vector<Int> &Unless) const {
    std::map<SymbolId, SymExpr> Sizes;
    for (const auto &T : E.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (const SymExpr &Size = (*Table)[T.M.S[I]].WhereMany; !Size.isZero())
          if (Sizes.emplace(T.M.S[I], Size).second)
            Unless.push_back(Size);
    return Sizes.empty() ? E : norm(substitute(E, Sizes));
  }

  bool neverDivides(const Int &A, const Int &B) const {
    auto X = known(A), Y = known(B);
    return X && Y && (*Y == 0 || *X % *Y != 0);
  }
  Int floorDiv(const Int &A, const Int &B) const {
    return quotient(A, B, SymbolInfo::Floor);
  }
  Int ceilDiv(const Int &A, const Int &B) const {
    return quotient(A, B, SymbolInfo::Ceil);
  }

  Int mod(const Int &A, const Int &B) const {
    auto X = known(A), Y = known(B);
    if (X && Y && *Y != 0)
      return SymExpr(*X % *Y);
    if (divExact(A, B))
      return SymExpr(0);
    return SymExpr::symbol(Table->atom(SymbolInfo::Mod, norm(A), norm(B)));
  }

  Int min(const Int &A, const Int &B) const {
    Truth L = lt(A, B);
    if (L != Truth::Unknown)
      return L == Truth::Yes ? A : B;
    if (lt(B, A) == Truth::No)
      return A;
    return SymExpr::symbol(Table->atom(SymbolInfo::Min, norm(A), norm(B)));
  }

  Int max(const Int &A, const Int &B) const {
    Truth L = lt(A, B);
    if (L != Truth::Unknown)
      return L == Truth::Yes ? B : A;
    if (lt(B, A) == Truth::No)
      return B;
    return SymExpr::symbol(Table->atom(SymbolInfo::Max, norm(A), norm(B)));
  }

  /// \p E0 is what the user's variable \p Name holds.
  void nameSum(const Int &E0, const std::string &Name) const;

  /// Strides of empty tensors mean nothing here, so sizes are not clamped.
  Int atLeastOne(const Int &A) const {
    auto K = known(A);
    return K && *K < 1 ? SymExpr(1) : A;
  }

  /// "T*H*D", "T - 1", "min(5, T)"; sums in parentheses when \p Nested. See
  /// SymbolicText.h.
  std::string str(const Int &E, bool Nested = false) const;

private:
  /// What \p Ask says of sizes that two tensors broadcast to: "no, unless that
  /// is 1", or nothing.
  template <class F>
  Answer<Int> apart(const Int &A, const Int &B, const F &Ask) const {
    std::vector<Int> Unless;
    const Int X = whereMany(A, Unless), Y = whereMany(B, Unless);
    if (Unless.empty() || X == Y)
      return Truth::Unknown;
    Answer<Int> Answers = Ask(X, Y);
    if (!Answers.no())
      return Truth::Unknown;
    Answers.UnlessOne.insert(Answers.UnlessOne.end(), Unless.begin(),
                             Unless.end());
    return Answers;
  }

  /// lt() of what facts leave alone.
  Truth ltAsIs(const Int &A, const Int &B) const {
    const Int D = sub(B, A);
    if (Truth T = isPositive(D); T != Truth::Unknown)
      return T;
    // Factor out what cannot be 0: T*D - D  ->  T - 1.
    if (const Monomial G = D.commonMonomial();
        NonEmpty && G.Count && isSizes(G))
      if (Truth T = isPositive(D.dividedBy(G)); T != Truth::Unknown)
        return T;
    // The sum q + k, kept as one factor, and its part q.
    const Int A1 = expandSums(A), B1 = expandSums(B);
    if (A1 == A && B1 == B)
      return leftOpen(D);
    return lt(A1, B1);
  }

  Int quotient(const Int &A, const Int &B, SymbolInfo::Kind K) const {
    auto X = known(A), Y = known(B);
    if (X && Y && *Y > 0)
      return SymExpr(K == SymbolInfo::Ceil ? Concrete().ceilDiv(*X, *Y)
                                           : Concrete().floorDiv(*X, *Y));
    if (auto Q = divExact(A, B))
      return *Q;
    return SymExpr::symbol(Table->atom(K, norm(A), norm(B)));
  }

  /// Comparisons of a quotient with what it divides: T/2 == T only for 0; and
  /// of sums. \p Asked is the difference, and isZero() does not know it.
  Answer<Int> atomEq(const Int &A, const Int &B, const Int &Asked) const {
    const Int D = sub(expandSums(A), expandSums(B));
    if (auto C = D.constant())
      return truth(*C == 0);
    if (D != Asked)
      if (auto Apart = isZero(D); !Apart.unknown())
        return Apart;
    for (const auto *P : {&A, &B}) {
      const Int &Other = P == &A ? B : A;
      auto S = P->asSymbol();
      if (!S || !NonEmpty)
        continue;
      const SymbolInfo &I = (*Table)[*S];
      if (I.K != SymbolInfo::Floor && I.K != SymbolInfo::Ceil)
        continue;
      auto Div = known(I.B);
      if (!Div || *Div < 2 || norm(I.A) != Other)
        continue;
      if (!isAtLeast(Other, 1, 1))
        continue;
      if (I.K == SymbolInfo::Floor)
        return Truth::No;
      return Answer<Int>(Truth::No, {Other});
    }
    return Truth::Unknown;
  }
};

} // namespace tensortidy::layout

#include "Layout/SymbolicText.h"

#endif
