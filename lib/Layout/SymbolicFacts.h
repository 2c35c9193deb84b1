//===- SymbolicFacts.h - what is known of symbolic sizes --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts ("C == H*D", after a view that could not have succeeded otherwise) are
// rewrites of a symbol, applied before every question:
//
//   assumeEqual(C, H*D)        C is H*D from here on
//   assumeAtLeast(n, 2)        n is 2 or more
//   assumeSize(n_embd/heads)   it served as a size, so it is at least 1
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_SYMBOLICFACTS_H
#define TENSORTIDY_LAYOUT_SYMBOLICFACTS_H

#include "Layout/Arith.h"
#include "Layout/CopyOnWrite.h"
#include "Layout/Symbols.h"
#include <algorithm>
#include <map>
#include <numeric>

namespace tensortidy::layout {

/// Sums and products of symbolic sizes under a set of facts. Copies share the
/// symbol table, not the facts.
class SymbolicFacts {
public:
  explicit SymbolicFacts(Symbols &Table) : Table(&Table) {}

  using Int = SymExpr;
  Symbols &symbols() const { return *Table; }
  /// Size symbols are at least 1 (see the head of this file).
  bool NonEmpty = true;
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

protected:
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

  bool isSizes(const Monomial &M) const {
    for (unsigned I = 0; I < M.Count; ++I) {
      SymbolInfo::Kind K = kind(M.S[I]);
      if (K != SymbolInfo::Size && K != SymbolInfo::Sum &&
          K != SymbolInfo::Ceil && K != SymbolInfo::Floor)
        return false;
    }
    return true;
  }

  Int expandSums(const Int &E) const {
    std::map<SymbolId, SymExpr> Map;
    for (const auto &T : E.Terms)
      for (unsigned I = 0; I < T.M.Count; ++I)
        if ((*Table)[T.M.S[I]].K == SymbolInfo::Sum)
          Map[T.M.S[I]] = (*Table)[T.M.S[I]].A;
    return Map.empty() ? E : norm(substitute(E, Map));
  }

  Symbols *Table;
  CopyOnWrite<std::map<SymbolId, SymExpr>> Facts;
  CopyOnWrite<std::map<SymbolId, Use>> Served; ///< integers and atoms, see Use
  CopyOnWrite<Bounds> Floors;                  ///< what symbols are at least
};

} // namespace tensortidy::layout

#endif
