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
// rewrites of a symbol, applied before every question.
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

#include "Layout/Arith.h"
#include "Layout/Axes.h"
#include "Layout/CopyOnWrite.h"
#include "Layout/Symbols.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tensortidy::layout {

/// Arithmetic on symbolic sizes under a set of facts. Copies share the symbol
/// table, not the facts.
class Symbolic {
public:
  using Int = SymExpr;

  explicit Symbolic(Symbols &Table) : Table(&Table) {}

  Symbols &symbols() const { return *Table; }
  /// Size symbols are at least 1 (see the head of this file).
  bool NonEmpty = true;
  /// No two sizes are equal by chance: eq() says no where nothing is known.
  bool Distinct = false;
  /// Or null.
  const Axes *Apart = nullptr;
  /// Told of what is asked in vain; or null.
  OpenQuestions *Open = nullptr;

  Int constant(int64_t V) const { return SymExpr(V); }
  std::optional<int64_t> known(const Int &A) const {
    return Facts->empty() ? A.constant() : norm(A).constant();
  }
  Int add(const Int &A, const Int &B) const { return combine(A, B, 1); }
  Int sub(const Int &A, const Int &B) const { return combine(A, B, -1); }

  Int mul(const Int &A, const Int &B) const {
    SymExpr R;
    R.Terms.reserve(A.Terms.size() * B.Terms.size());
    for (const auto &X : A.Terms)
      for (const auto &Y : B.Terms) {
        if (X.M.Count + Y.M.Count > Monomial::Max)
          return big(A, B);
        SymExpr::Term T;
        T.M.Count = X.M.Count + Y.M.Count;
        std::merge(X.M.S, X.M.S + X.M.Count, Y.M.S, Y.M.S + Y.M.Count, T.M.S);
        if (__builtin_mul_overflow(X.C, Y.C, &T.C))
          return big(A, B);
        R.Terms.push_back(T);
      }
    return SymExpr::canonical(std::move(R));
  }

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
    return Truth::Unknown;
  }

  std::optional<Int> divExact(const Int &A0, const Int &B0) const {
    Int A = norm(A0), B = norm(B0);
    if (B.isZero())
      return std::nullopt;
    if (A.isZero() || A == B)
      return SymExpr(A.isZero() ? 0 : 1);
    if (B.Terms.size() != 1)
      return std::nullopt;
    SymExpr R;
    for (const auto &T : A.Terms) {
      SymExpr::Term Q;
      if (!T.M.without(B.Terms[0].M, Q.M) || T.C % B.Terms[0].C != 0)
        return std::nullopt;
      Q.C = T.C / B.Terms[0].C;
      R.Terms.push_back(Q);
    }
    return SymExpr::canonical(std::move(R));
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
  /// A computed size as one factor: a sum becomes an atom, so that products of
  /// sizes stay monomials.
  Int asSize(const Int &E0) const {
    Int E = norm(E0);
    if (E.Terms.size() > 1) // of q + k without q, k is left
      E = expandSums(E);
    if (E.Terms.size() < 2)
      return E;
    return SymExpr::symbol(Table->atom(SymbolInfo::Sum, E, SymExpr()));
  }
  /// \p E0 is what the user's variable \p Name holds.
  void nameSum(const Int &E0, const std::string &Name) const;
  /// Strides of empty tensors mean nothing here, so sizes are not clamped.
  Int atLeastOne(const Int &A) const {
    auto K = known(A);
    return K && *K < 1 ? SymExpr(1) : A;
  }

  /// Learns A == B: cancels what both have in common and rewrites one symbol.
  /// Returns false when that is plainly impossible.
  bool assumeEqual(const Int &A0, const Int &B0) {
    if (auto Whole = undivided(A0, B0))
      if (!assumeEqual(Whole->first, Whole->second))
        return false;
    Int D = sub(norm(A0), norm(B0));
    if (D.isZero())
      return true;
    Monomial G = D.commonMonomial();
    if (G.Count)
      D = D.dividedBy(G);
    if (D.constant()) {
      // Nothing but a common factor: that is 0, which no size here is.
      if (!G.Count || isSizes(G))
        return false;
      if (G.Count == 1)
        rewrite(G.S[0], SymExpr(0));
      return true;
    }
    // A sum of what is not negative is 0 where each of it is.
    if (!G.Count && (isSummands(D, 1) || isSummands(D, -1))) {
      for (const auto &T : SymExpr(D).Terms)
        if (T.M.Count == 1)
          rewrite(T.M.S[0], SymExpr(0));
      return true;
    }
    // 64 == 8 * K is 8 == K.
    int64_t Common = 0;
    for (const auto &T : D.Terms)
      Common = T.C == INT64_MIN ? 1 : std::gcd(Common, T.C);
    for (auto &T : D.Terms)
      T.C /= Common;
    // Sizes whose product is 1 are 1.
    if (D.Terms.size() == 2 && D.Terms[0].M.Count == 0 &&
        D.Terms[1].M.Count > 1 && D.Terms[0].C == -D.Terms[1].C &&
        (D.Terms[0].C == 1 || D.Terms[0].C == -1) && isSizes(D.Terms[1].M)) {
      const Monomial All = D.Terms[1].M;
      for (unsigned I = 0; I < All.Count; ++I)
        rewrite(All.S[I], SymExpr(1));
      return true;
    }
    // Solve for a symbol that occurs alone, once: prefer the one made last.
    std::optional<SymbolId> Best;
    for (const auto &T : D.Terms) {
      if (T.M.Count != 1 || (T.C != 1 && T.C != -1))
        continue;
      SymbolId S = T.M.S[0];
      unsigned Uses = 0;
      for (const auto &U : D.Terms)
        Uses += U.M.contains(S);
      if (Uses == 1 && (!Best || Table->isBetterGone(S, *Best)))
        Best = S;
    }
    if (!Best)
      return true;
    SymExpr Rest;
    int64_t Coef = 1;
    for (const auto &T : D.Terms) {
      if (T.M.Count == 1 && T.M.S[0] == *Best)
        Coef = T.C;
      else
        Rest.Terms.push_back(T);
    }
    for (auto &T : Rest.Terms) // Coef*S + Rest == 0
      T.C *= -Coef;
    Int To = SymExpr::canonical(std::move(Rest));
    if (kind(*Best) == SymbolInfo::Size) { // so is what equals it
      assumeSize(To);
      To = asSize(To);
    }
    rewrite(*Best, To);
    return true;
  }

  /// Learns that \p S is \p E or more, which a use of that much proves.
  void assumeAtLeast(SymbolId S, const Int &E0) {
    constexpr size_t Most = 4;
    const Int E = norm(E0);
    const auto Known = Floors->find(S);
    if (!E.contains(S) &&
        (Known == Floors->end() ||
         (Known->second.size() < Most &&
          std::find(Known->second.begin(), Known->second.end(), E) ==
              Known->second.end())))
      Floors.own()[S].push_back(E);
  }
  using Bounds = std::map<SymbolId, std::vector<Int>>;
  const Bounds &floors() const { return *Floors; }
  void setFloors(Bounds To) { Floors = std::move(To); }
  /// Forgets that a symbol is at least so much where \p Goes says so.
  template <class Predicate> void eraseFloors(Predicate Goes) {
    Bounds Stay;
    bool All = true;
    for (const auto &[S, Least] : *Floors)
      for (const Int &E : Least)
        if (!Goes(S, E))
          Stay[S].push_back(E);
        else
          All = false;
    if (!All)
      Floors = std::move(Stay);
  }

  void rewrite(SymbolId S, Int To) {
    To = norm(To);
    if (To.contains(S))
      return;
    std::map<SymbolId, SymExpr> One{{S, To}};
    auto &All = Facts.own();
    for (auto &F : All)
      if (F.second.contains(S))
        F.second = substitute(F.second, One);
    All[S] = std::move(To);
  }
  const std::map<SymbolId, SymExpr> &facts() const { return *Facts; }
  void dropFact(SymbolId S) { Facts.own().erase(S); }
  void setFacts(std::map<SymbolId, SymExpr> F) { Facts.own() = std::move(F); }

  /// How an integer or an atom served.
  enum class Use : unsigned char {
    Summand, ///< was added to make a size: at least 0
    Size,    ///< at least 1, as sizes are
  };
  /// Learns that \p E is the size of a dimension: what it multiplies are sizes
  /// too, whether it is an integer or computed: n_embd / n_head, min(n, 512).
  /// Of a sum only the whole is one, and what all its terms have in common: in
  /// d * (n + padding), padding may be 0.
  void assumeSize(const Int &E) {
    serve(E.commonMonomial(), Use::Size);
    for (const auto &T : E.Terms)
      if (T.C < 0 && T.M.Count)
        return;
    if (E.Terms.size() > 1)
      for (const auto &T : E.Terms)
        serve(T.M, Use::Summand);
  }
  /// What \p S is: what served as a size is one from there on.
  SymbolInfo::Kind kind(SymbolId S) const {
    auto It = Served->find(S);
    return It != Served->end() && It->second == Use::Size ? SymbolInfo::Size
                                                          : (*Table)[S].K;
  }
  /// What served as a size, or in one.
  const std::map<SymbolId, Use> &served() const { return *Served; }
  /// \p S served as no more than \p As, or as nothing.
  void forgetUse(SymbolId S, std::optional<Use> As = std::nullopt) {
    const auto It = Served->find(S);
    if (It == Served->end())
      return;
    if (!As)
      Served.own().erase(S);
    else if (*As < It->second)
      Served.own()[S] = *As;
  }

  Int norm(const Int &E) const {
    if (Facts->empty())
      return E;
    for (const auto &T : E.Terms)
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (Facts->count(T.M.S[I]))
          return substitute(E, *Facts);
    return E;
  }
  Int substitute(const Int &E, const std::map<SymbolId, SymExpr> &Map) const {
    SymExpr Same, Changed; // terms without a symbol of Map stay in order
    for (const auto &T : E.Terms) {
      SymExpr::Term Rest{Monomial(), T.C};
      const SymExpr *Put[Monomial::Max];
      unsigned Count = 0;
      for (unsigned I = 0; I < T.M.Count; ++I) {
        const auto It = Map.find(T.M.S[I]);
        if (It == Map.end())
          Rest.M.S[Rest.M.Count++] = T.M.S[I];
        else
          Put[Count++] = &It->second;
      }
      if (!Count) {
        Same.Terms.push_back(T);
        continue;
      }
      SymExpr P = Rest.M.Count || Rest.C != 1
                      ? mul(SymExpr::monomial(Rest.M, Rest.C), *Put[0])
                      : *Put[0];
      for (unsigned I = 1; I < Count; ++I)
        P = mul(P, *Put[I]);
      Changed = Changed.isZero() ? std::move(P) : add(Changed, P);
    }
    if (Same.isZero())
      return Changed;
    return Changed.isZero() ? Same : add(Same, Changed);
  }

  /// "T*H*D", "T - 1", "min(5, T)"; sums in parentheses when \p Nested. See
  /// SymbolicText.h.
  std::string str(const Int &E, bool Nested = false) const;

private:
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

  Int combine(const Int &A, const Int &B, int64_t Sign) const {
    SymExpr R;
    R.Terms.reserve(A.Terms.size() + B.Terms.size());
    size_t I = 0, J = 0;
    while (I < A.Terms.size() || J < B.Terms.size()) {
      if (J == B.Terms.size() ||
          (I < A.Terms.size() && A.Terms[I].M < B.Terms[J].M)) {
        R.Terms.push_back(A.Terms[I++]);
      } else if (I == A.Terms.size() || B.Terms[J].M < A.Terms[I].M) {
        R.Terms.push_back(B.Terms[J++]);
        R.Terms.back().C *= Sign;
      } else {
        int64_t C;
        if (__builtin_add_overflow(A.Terms[I].C, Sign * B.Terms[J].C, &C))
          return big(A, B);
        if (C)
          R.Terms.push_back({A.Terms[I].M, C});
        ++I, ++J;
      }
    }
    return R.Terms.size() > 24 ? big(A, B) : R;
  }

  /// An expression too large to carry: a symbol nothing is known of.
  Int big(const Int &, const Int &) const {
    return SymExpr::symbol(Table->fresh(SymbolInfo::Integer, "?"));
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

  /// `heads / kv == 1`: who divides one size by another and asks for a number
  /// knows that it divides it, so heads is 1*kv.
  std::optional<std::pair<Int, Int>> undivided(const Int &A,
                                               const Int &B) const {
    for (const auto *P : {&A, &B}) {
      const auto S = P->asSymbol();
      const auto Times = known(P == &A ? B : A);
      if (!S || !Times || *Times < 1 || (*Table)[*S].K != SymbolInfo::Floor)
        continue;
      const SymbolInfo &I = (*Table)[*S];
      if (!known(I.B))
        return std::pair(I.A, mul(SymExpr(*Times), I.B));
    }
    return std::nullopt;
  }

  /// Whether a plain integer is in it, which may be 0.
  bool hasInteger(const Monomial &M) const {
    for (unsigned I = 0; I < M.Count; ++I)
      if (kind(M.S[I]) == SymbolInfo::Integer)
        return true;
    return false;
  }

  void serve(const Monomial &M, Use As) {
    for (unsigned I = 0; I < M.Count; ++I)
      switch ((*Table)[M.S[I]].K) {
      case SymbolInfo::Integer:
      case SymbolInfo::Floor:
      case SymbolInfo::Ceil:
      case SymbolInfo::Min:
      case SymbolInfo::Max: {
        const auto It = Served->find(M.S[I]);
        if (It == Served->end() || It->second < As)
          Served.own()[M.S[I]] = As;
        break;
      }
      default:
        break;
      }
  }
  bool isSummand(SymbolId S) const { return Served->count(S); }
  /// Whether Sign*E is a sum of what was added to make sizes: 0 only where all
  /// of it is.
  bool isSummands(const Int &E, int Sign) const {
    for (const auto &T : E.Terms) {
      bool MayBeZero = false;
      for (unsigned I = 0; I < T.M.Count; ++I) {
        const SymbolId S = T.M.S[I];
        Monomial One;
        One.Count = 1;
        One.S[0] = S;
        MayBeZero |= isSummand(S) && kind(S) != SymbolInfo::Size;
        if (!isSummand(S) && !isSizes(One))
          return false;
      }
      if (!MayBeZero || (T.C < 0) != (Sign < 0))
        return false;
    }
    return !E.Terms.empty();
  }

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

  bool isSizes(const Monomial &M) const {
    for (unsigned I = 0; I < M.Count; ++I) {
      SymbolInfo::Kind K = kind(M.S[I]);
      if (K != SymbolInfo::Size && K != SymbolInfo::Sum &&
          K != SymbolInfo::Ceil && K != SymbolInfo::Floor)
        return false;
    }
    return true;
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

  Int expandSums(const Int &E) const {
    std::map<SymbolId, SymExpr> Map;
    for (const auto &T : E.Terms)
      for (unsigned I = 0; I < T.M.Count; ++I)
        if ((*Table)[T.M.S[I]].K == SymbolInfo::Sum)
          Map[T.M.S[I]] = (*Table)[T.M.S[I]].A;
    return Map.empty() ? E : norm(substitute(E, Map));
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

  Symbols *Table;
  CopyOnWrite<std::map<SymbolId, SymExpr>> Facts;
  CopyOnWrite<std::map<SymbolId, Use>> Served; ///< integers and atoms, see Use
  CopyOnWrite<Bounds> Floors;                  ///< what symbols are at least
};

} // namespace tensortidy::layout

#include "Layout/SymbolicText.h"

#endif
