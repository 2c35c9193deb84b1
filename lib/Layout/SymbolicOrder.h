//===- SymbolicOrder.h - how symbolic sizes compare -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How large a polynomial of sizes is at least, by what each symbol is: a size
// is 1 or more, what was added to make a size 0 or more.
//
//   T*D - D    is (T - 1)*D: 0 or more, and 0 only where T is 1
//   q + k      is 0 only where both are
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_SYMBOLICORDER_H
#define TENSORTIDY_LAYOUT_SYMBOLICORDER_H

#include "Layout/Axes.h"
#include "Layout/SymbolicFacts.h"
#include <set>

namespace tensortidy::layout {

/// The signs of symbolic sizes and of their differences.
class SymbolicOrder : public SymbolicFacts {
public:
  using SymbolicFacts::SymbolicFacts;

  /// Or null.
  const Axes *Apart = nullptr;
  /// Told of what is asked in vain; or null.
  OpenQuestions *Open = nullptr;

protected:
  /// Whether \p D is more than 0.
  Truth isPositive(const Int &D) const {
    if (auto C = D.constant())
      return truth(*C > 0);
    if (isAtLeast(D, 1, 1))
      return Truth::Yes;
    if (isAtLeast(D, -1, 0))
      return Truth::No;
    return Truth::Unknown;
  }

  /// Whether \p D, the difference of two sizes, is 0.
  Answer<Int> isZero(const Int &D) const {
    // Never by divisibility: 2*x - 3.
    int64_t Gcd = 0, Const = 0;
    for (const auto &T : D.Terms) {
      if (T.M.Count == 0)
        Const = T.C;
      else
        Gcd = std::gcd(Gcd, T.C);
    }
    if (Gcd && Const % Gcd != 0)
      return Truth::No;
    // All coefficients of one sign: bounded away from 0, or 0 only when every
    // monomial has its least value.
    for (int Sign : {1, -1}) {
      auto Low = lowestOfTerms(D, Sign);
      if (!Low)
        continue;
      if (*Low > 0)
        return Truth::No;
      if (*Low != 0 || !NonEmpty)
        continue;
      for (const Int &Less : lessThan(D, Sign)) // n is 2 or more: n - 1
        if (const auto More = lowestOfTerms(Less, Sign); More && *More > 0)
          return Truth::No;
      SymExpr All(1);
      bool Sizes = true;
      for (const auto &T : D.Terms)
        if (T.M.Count) {
          Sizes = Sizes && isSizes(T.M) && !dividesOut(T.M);
          All = mul(All, SymExpr::monomial(T.M));
        }
      if (Sizes && All.Terms.size() == 1)
        return Answer<Int>(Truth::No, {All.squareFree()});
      if (isSummands(D, Sign))
        return Answer<Int>(Truth::No, {isZeroAsOne(D, Sign * Gcd)});
    }
    if (!NonEmpty)
      return Truth::Unknown;
    const Int Above = aboveLeast(D);
    for (int Sign : {1, -1}) {
      if (auto Up = countsFromZero(D, Above, Sign); !Up.unknown())
        return Up;
      for (const Int &Less : lessThan(D, Sign))
        if (auto Up = countsFromZero(Less, aboveLeast(Less), Sign);
            !Up.unknown())
          return Up;
    }
    return leftOpen(D);
  }

  /// Nothing is known of \p D, which bounds of what is in it may change.
  Truth leftOpen(const Int &D) const {
    if (Open)
      for (const auto &T : D.Terms)
        Open->Size.insert(T.M.S, T.M.S + T.M.Count);
    return Truth::Unknown;
  }

  /// Whether Sign*E is more than 0, by all that aboveLeast() says, which is
  /// \p Above: "no, it is not 0", maybe with what makes it so.
  Answer<Int> countsFromZero(const Int &E, const Int &Above, int Sign) const {
    if (const auto Low = lowestOfTerms(E, Sign); Low && *Low > 0)
      return Truth::No;
    for (const auto &T : E.Terms)
      if (dividesOut(T.M))
        return Truth::Unknown;
    const auto Low = countsUp(Above, Sign);
    if (!Low || *Low < 0)
      return Truth::Unknown;
    return *Low > 0 ? Answer<Int>(Truth::No) : oneOfThemIsZero(Above);
  }

  /// "No", but where all terms of aboveLeast() \p E are 0, for which the one of
  /// the fewest factors is reason enough. That of a size is 0 where it is 1.
  Answer<Int> oneOfThemIsZero(const Int &E) const {
    for (const auto &T : E.Terms) {
      Answer<Int> R(Truth::No);
      for (unsigned I = 0; I < T.M.Count; ++I) {
        const SymbolId F = T.M.S[I];
        const SymExpr S = SymExpr::symbol(F);
        if (least(F) == int64_t(1))
          R.UnlessOne.push_back(S);
        else if (isSummand(F))
          R.UnlessOne.push_back(add(S, SymExpr(1)));
      }
      if (R.UnlessOne.size() == T.M.Count)
        return R;
    }
    return Truth::Unknown; // nobody said that there is some of it
  }

  /// "d*h + d*k is 0", where d is a size, as what is 1 then: h + k + 1.
  Int isZeroAsOne(Int D, int64_t Gcd) const {
    Monomial Sizes;
    const Monomial Common = D.commonMonomial();
    for (unsigned I = 0; I < Common.Count; ++I)
      if (kind(Common.S[I]) == SymbolInfo::Size)
        Sizes.S[Sizes.Count++] = Common.S[I];
    D = D.dividedBy(Sizes);
    for (auto &T : D.Terms)
      T.C /= Gcd;
    return add(D, SymExpr(1));
  }

  /// `8 / k * k`: what it is can be told from the number, if k divides that.
  bool dividesOut(const Monomial &M) const {
    for (unsigned I = 0; I < M.Count; ++I) {
      const SymbolInfo &Atom = (*Table)[M.S[I]];
      if (Atom.K != SymbolInfo::Floor && Atom.K != SymbolInfo::Ceil)
        continue;
      const Int By = norm(Atom.B);
      Monomial Rest;
      if (known(norm(Atom.A)) && By.Terms.size() == 1 && By.Terms[0].M.Count &&
          M.without(By.Terms[0].M, Rest))
        return true;
    }
    return false;
  }

  /// The least value a monomial can have, where that is known.
  std::optional<int64_t> least(const Monomial &M) const {
    int64_t L = 1;
    for (unsigned I = 0; I < M.Count; ++I) {
      const auto One = least(M.S[I]);
      if (!One && !isSummand(M.S[I]))
        return std::nullopt;
      L *= One.value_or(0);
    }
    return L;
  }

  /// Whether a factor is at least 1 or 0. Looks at what an atom was made of as
  /// it stood then: facts may since say "C == H*(C/H)", and following them
  /// would not end.
  std::optional<int64_t> least(SymbolId Factor) const {
    const SymbolInfo &S = (*Table)[Factor];
    switch (kind(Factor)) {
    case SymbolInfo::Size:
    case SymbolInfo::Sum:
      return NonEmpty ? 1 : 0;
    case SymbolInfo::Stride:
    case SymbolInfo::Mod:
      return 0;
    case SymbolInfo::Ceil:
    case SymbolInfo::Floor: {
      auto A = lowestAsMade(S.A, 1);
      if (!A || *A < 0)
        return std::nullopt;
      // Used as a size, a quotient has elements.
      return S.K == SymbolInfo::Floor ? NonEmpty : *A > 0;
    }
    case SymbolInfo::Min:
    case SymbolInfo::Max: {
      auto A = lowestAsMade(S.A, 1), B = lowestAsMade(S.B, 1);
      if (!A || !B)
        return std::nullopt;
      const int64_t V =
          S.K == SymbolInfo::Min ? std::min(*A, *B) : std::max(*A, *B);
      if (V < 0)
        return std::nullopt;
      return V > 0;
    }
    default:
      return std::nullopt;
    }
  }

  /// The least value of Sign*E when all its monomials count upwards.
  std::optional<int64_t> lowestOfTerms(const Int &E, int Sign) const {
    int64_t Sum = 0;
    for (const auto &T : E.Terms) {
      int64_t C = T.C * Sign;
      if (T.M.Count == 0) {
        Sum += C;
        continue;
      }
      if (C < 0)
        return std::nullopt;
      auto L = least(T.M);
      if (!L)
        return std::nullopt;
      Sum += C * *L;
    }
    return Sum;
  }

  /// The same, or what is left when each size is 1 at least. Not by floors: one
  /// may be made of the atom that is asked about.
  std::optional<int64_t> lowestAsMade(const Int &E, int Sign) const {
    const auto Low = lowestOfTerms(E, Sign);
    return Low ? Low : countsUp(aboveLeast(E), Sign);
  }

  /// Whether Sign*E is \p Least or more, where that can be told.
  bool isAtLeast(const Int &E, int Sign, int64_t Least) const {
    if (const auto Low = lowestAsMade(E, Sign); Low && *Low >= Least)
      return true;
    for (const Int &Less : lessThan(E, Sign))
      if (const auto More = lowestOfTerms(Less, Sign); More && *More >= Least)
        return true;
    return false;
  }

  /// What Sign*E is not less than, with something in it as small as it can be.
  std::vector<Int> lessThan(const Int &E, int Sign) const {
    std::vector<Int> All;
    for (const auto &[S, Least] : *Floors) {
      bool Grows = E.contains(S); // with S
      for (const auto &T : E.Terms) {
        Monomial One, Rest;
        One.Count = 1;
        One.S[0] = S;
        if (T.M.without(One, Rest))
          Grows = Grows && (T.C < 0) == (Sign < 0) && !Rest.contains(S) &&
                  least(Rest);
      }
      if (Grows)
        for (const Int &L : Least)
          All.push_back(expandSums(substitute(E, {{S, L}})));
    }
    return All;
  }

  /// \p D, which is not 0 by itself, without what both have in common, if it is
  /// the difference of two that are equal by chance only; or nothing.
  ///   d*h - d*n     h - n, if those are different axes
  Int chance(const Int &D0) const {
    if (!Open && (!Apart || Apart->empty()))
      return Int();
    Int D = expandSums(D0);
    if (const Monomial Common = D.commonMonomial(); Common.Count)
      D = D.dividedBy(Common);
    D = D.dividedByContent(); // 2*kv - 2*heads
    return isByChance(D, Apart, Open ? &Open->Apart : nullptr) ? D : Int();
  }

  /// E with each size written as 1 and what it has more:
  ///   h*(p + q) - p   is   p' + h'*p' + (h' + 1)*q - p' = h'*p' + h'*q + q
  /// Nothing where that would be long.
  Int aboveLeast(const Int &E) const {
    constexpr unsigned Longest = 8, Highest = 5;
    std::map<SymbolId, SymExpr> More;
    for (const auto &T : E.Terms) {
      if (E.Terms.size() > Longest || T.M.Count > Highest)
        return Int();
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (const SymbolId S = T.M.S[I]; least(S) == int64_t(1))
          More[S] = add(SymExpr::symbol(S), SymExpr(1));
    }
    return More.empty() ? E : substitute(E, More);
  }

  /// The constant of Sign*E, if nothing in aboveLeast() E is subtracted.
  std::optional<int64_t> countsUp(const Int &E, int Sign) const {
    if (E.isZero())
      return std::nullopt;
    int64_t Sum = 0;
    for (const auto &T : E.Terms) {
      if (T.M.Count == 0)
        Sum = T.C * Sign;
      else if ((T.C < 0) != (Sign < 0))
        return std::nullopt;
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (!least(T.M.S[I]) && !isSummand(T.M.S[I]))
          return std::nullopt;
    }
    return Sum;
  }

  /// Whether \p E is more than 0, unless one of \p Unless is 1; unknown where
  /// it is at least 0, and no where not even that can be told. Sizes are
  /// counted from 1 here: with T = 1 + t, 2*T*D - 2*D is 2*t*(1 + d).
  Truth beyond(const Int &E, const std::set<SymbolId> &NotNegative,
               std::vector<Int> &Unless) const {
    std::map<SymbolId, SymExpr> Above;
    for (const auto &T : E.Terms)
      for (unsigned I = 0; I < T.M.Count; ++I) {
        const SymbolId S = T.M.S[I];
        const SymbolInfo::Kind K = kind(S);
        const bool IsSize = K == SymbolInfo::Size || K == SymbolInfo::Sum;
        if (IsSize && NonEmpty)
          Above[S] = add(SymExpr::symbol(S), SymExpr(1));
        else if (!IsSize && K != SymbolInfo::Stride && K != SymbolInfo::Mod &&
                 !NotNegative.count(S))
          return Truth::No;
      }
    const Int More = substitute(E, Above);
    for (const auto &T : More.Terms)
      if (T.C < 0)
        return Truth::No;
    if (!More.Terms.empty() && More.Terms[0].M.Count == 0)
      return Truth::Yes;
    // It is 0 where of each product one factor is.
    std::vector<Int> All{SymExpr(1)};
    for (const auto &T : More.Terms) {
      std::vector<Int> Both;
      for (const Int &U : All)
        for (unsigned I = 0; I < T.M.Count; ++I) {
          if (!Above.count(T.M.S[I]))
            return Truth::Unknown; // 0 is no exception that has a name
          const Int Now =
              U.contains(T.M.S[I]) ? U : mul(U, SymExpr::symbol(T.M.S[I]));
          if (std::find(Both.begin(), Both.end(), Now) == Both.end())
            Both.push_back(Now);
        }
      constexpr size_t Most = 8;
      if (Both.size() > Most)
        return Truth::Unknown;
      All = std::move(Both);
    }
    if (More.Terms.empty())
      return Truth::Unknown;
    Unless = std::move(All);
    return Truth::Yes;
  }
};

} // namespace tensortidy::layout

#endif
