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
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_SYMBOLIC_H
#define TENSORTIDY_LAYOUT_SYMBOLIC_H

#include "Layout/Arith.h"
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

  Int constant(int64_t V) const { return SymExpr(V); }
  std::optional<int64_t> known(const Int &A) const {
    return norm(A).constant();
  }
  Int add(const Int &A, const Int &B) const { return combine(A, B, 1); }
  Int sub(const Int &A, const Int &B) const { return combine(A, B, -1); }

  Int mul(const Int &A, const Int &B) const {
    SymExpr R;
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
    // Never equal by divisibility: 2*x - 3.
    int64_t Gcd = 0, Const = 0;
    for (const auto &T : D.Terms) {
      if (T.M.Count == 0)
        Const = T.C;
      else
        Gcd = gcd(Gcd, T.C);
    }
    if (Gcd && Const % Gcd != 0)
      return Truth::No;
    // All coefficients of one sign: bounded away from 0, or 0 only when every
    // monomial has its least value.
    for (int Sign : {1, -1}) {
      auto Low = lowest(D, Sign);
      if (!Low)
        continue;
      if (*Low > 0)
        return Truth::No;
      if (*Low == 0 && NonEmpty) {
        SymExpr All(1);
        bool Sizes = true;
        for (const auto &T : D.Terms)
          if (T.M.Count) {
            Sizes = Sizes && isSizes(T.M) && !dividesOut(T.M);
            All = mul(All, SymExpr::monomial(T.M));
          }
        if (Sizes && All.Terms.size() == 1)
          return Answer<Int>(Truth::No, {All.squareFree()});
      }
    }
    Answer<Int> Atoms = atomEq(A, B);
    if (Distinct && Atoms.unknown() &&
        std::all_of(D.Terms.begin(), D.Terms.end(),
                    [&](const auto &T) { return isSizes(T.M); }))
      return Truth::No;
    return Atoms;
  }

  Truth lt(const Int &A, const Int &B) const {
    Int D = sub(norm(B), norm(A)); // B - A > 0 ?
    if (auto C = D.constant())
      return truth(*C > 0);
    if (auto Low = lowest(D, 1))
      if (*Low > 0)
        return Truth::Yes;
    if (auto Low = lowest(D, -1))
      if (*Low >= 0)
        return Truth::No;
    // Factor out what cannot be 0: T*D - D  ->  T - 1.
    if (NonEmpty) {
      Monomial G = D.commonMonomial();
      if (G.Count && isSizes(G)) {
        Int Q = D.dividedBy(G);
        if (auto C = Q.constant())
          return truth(*C > 0);
        if (auto Low = lowest(Q, 1))
          if (*Low > 0)
            return Truth::Yes;
        if (auto Low = lowest(Q, -1))
          if (*Low >= 0)
            return Truth::No;
      }
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
    if (E.Terms.size() < 2)
      return E;
    return SymExpr::symbol(Table->atom(SymbolInfo::Sum, E, SymExpr()));
  }
  /// \p E0 is what the user's variable \p Name holds.
  void nameSum(const Int &E0, const std::string &Name) const {
    constexpr size_t Long = 40;
    const Int E = norm(E0);
    if (E.Terms.size() > 1 && !Name.empty() && plain(E).size() > Long)
      Table->nameSum(E, Name);
  }
  /// Strides of empty tensors mean nothing here, so sizes are not clamped.
  Int atLeastOne(const Int &A) const {
    auto K = known(A);
    return K && *K < 1 ? SymExpr(1) : A;
  }

  /// Learns A == B: cancels what both have in common and rewrites one symbol.
  /// Returns false when that is plainly impossible.
  bool assumeEqual(const Int &A0, const Int &B0) {
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
      if (Uses == 1 && (!Best || better(S, *Best)))
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
    const Int To = SymExpr::canonical(std::move(Rest));
    if (kind(*Best) == SymbolInfo::Size) // so is what equals it
      assumeSize(To);
    rewrite(*Best, To);
    return true;
  }

  void rewrite(SymbolId S, Int To) {
    To = norm(To);
    if (To.contains(S))
      return;
    std::map<SymbolId, SymExpr> One{{S, To}};
    for (auto &F : Facts)
      if (F.second.contains(S))
        F.second = substitute(F.second, One);
    Facts[S] = std::move(To);
  }
  const std::map<SymbolId, SymExpr> &facts() const { return Facts; }
  void dropFact(SymbolId S) { Facts.erase(S); }

  /// Learns that \p E is the size of a dimension: what it multiplies are sizes
  /// too, whether it is an integer or computed: n_embd / n_head, min(n, 512).
  /// Of a sum only the whole is one: in `n + padding`, padding may be 0.
  void assumeSize(const Int &E) {
    if (E.Terms.size() != 1)
      return;
    const Monomial &M = E.Terms[0].M;
    for (unsigned I = 0; I < M.Count; ++I)
      switch ((*Table)[M.S[I]].K) {
      case SymbolInfo::Integer:
      case SymbolInfo::Floor:
      case SymbolInfo::Ceil:
      case SymbolInfo::Min:
      case SymbolInfo::Max:
        Used.insert(M.S[I]);
        break;
      default:
        break;
      }
  }
  /// What \p S is: what served as a size is one from there on.
  SymbolInfo::Kind kind(SymbolId S) const {
    return Used.count(S) ? SymbolInfo::Size : (*Table)[S].K;
  }
  const std::set<SymbolId> &usedAsSizes() const { return Used; }
  void forgetSize(SymbolId S) { Used.erase(S); }

  Int norm(const Int &E) const {
    if (Facts.empty())
      return E;
    for (const auto &T : E.Terms)
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (Facts.count(T.M.S[I]))
          return substitute(E, Facts);
    return E;
  }
  Int substitute(const Int &E, const std::map<SymbolId, SymExpr> &Map) const {
    SymExpr R;
    for (const auto &T : E.Terms) {
      SymExpr P(T.C);
      for (unsigned I = 0; I < T.M.Count; ++I) {
        auto It = Map.find(T.M.S[I]);
        P = mul(P, It == Map.end() ? SymExpr::symbol(T.M.S[I]) : It->second);
      }
      R = add(R, P);
    }
    return R;
  }

  /// "T*H*D", "T - 1", "min(5, T)"; sums in parentheses when \p Nested.
  std::string str(const Int &E0, bool Nested = false) const {
    Int E = norm(E0);
    if (E.Terms.empty())
      return "0";
    std::string R;
    // Highest degree first, as people write it.
    for (size_t I = E.Terms.size(); I-- > 0;) {
      const auto &T = E.Terms[I];
      int64_t C = T.C;
      if (!R.empty()) {
        R += C < 0 ? " - " : " + ";
        C = C < 0 ? -C : C;
      } else if (C < 0) {
        R += "-";
        C = -C;
      }
      if (T.M.Count == 0 || C != 1)
        R += std::to_string(C) + (T.M.Count ? "*" : "");
      if (E.Terms.size() == 1 && C == 1 && T.M.Count == 1 &&
          (*Table)[T.M.S[0]].K == SymbolInfo::Sum && !Nested)
        return R + sum(T.M.S[0], false);
      for (unsigned J = 0; J < T.M.Count; ++J)
        R += (J ? "*" : "") +
             (T.M.Count > 1 || C != 1 ? factor(T.M.S[J]) : name(T.M.S[J]));
    }
    return Nested && E.Terms.size() > 1 ? "(" + R + ")" : R;
  }
  std::string name(SymbolId S) const {
    const SymbolInfo &I = (*Table)[S];
    if (!I.Name.empty())
      return called(S);
    if (!Facts.empty()) { // an atom reads as it was made, see least()
      Symbolic Bare(*Table);
      Bare.Plain = Plain;
      return Bare.name(S);
    }
    switch (I.K) {
    case SymbolInfo::Floor:
      return str(I.A, true) + "/" + divisor(I.B);
    case SymbolInfo::Ceil:
      return "ceil(" + str(I.A, true) + "/" + divisor(I.B) + ")";
    case SymbolInfo::Min:
      return "min(" + str(I.A) + ", " + str(I.B) + ")";
    case SymbolInfo::Max:
      return "max(" + str(I.A) + ", " + str(I.B) + ")";
    case SymbolInfo::Mod:
      return str(I.A, true) + "%" + divisor(I.B);
    case SymbolInfo::Sum:
      return sum(S, true);
    default:
      return "?";
    }
  }
  /// str() without marks.
  std::string plain(const Int &E, bool Nested = false) const {
    Symbolic Bare(*this);
    Bare.Plain = true;
    return Bare.str(E, Nested);
  }

private:
  std::string called(SymbolId S) const {
    const SymbolInfo &I = (*Table)[S];
    if (!Table->Marks)
      return I.Name;
    return Plain ? Table->Marks->plain(I.Name) : Table->Marks->mark(S, I);
  }
  /// A sum as one factor; a formula of several lines is of no use in a message.
  std::string sum(SymbolId S, bool Nested) const {
    const SymbolInfo &I = (*Table)[S];
    if (!I.Name.empty())
      return called(S);
    constexpr size_t Longest = 80;
    Symbolic Bare(*Table);
    if (Bare.plain(I.A, Nested).size() > Longest)
      return "(...)";
    Bare.Plain = Plain;
    return Bare.str(I.A, Nested);
  }
  /// "(c/r)", where more stands around it.
  std::string factor(SymbolId S) const {
    const SymbolInfo &I = (*Table)[S];
    const bool Divides = I.K == SymbolInfo::Floor || I.K == SymbolInfo::Mod;
    return I.Name.empty() && Divides ? "(" + name(S) + ")" : name(S);
  }
  /// "(r*r)", to the right of a division.
  std::string divisor(const Int &E) const {
    const std::string R = str(E, true);
    return E.Terms.size() == 1 && R.find_first_of("*/%") != std::string::npos
               ? "(" + R + ")"
               : R;
  }

  static int64_t gcd(int64_t A, int64_t B) {
    A = A < 0 ? -A : A;
    B = B < 0 ? -B : B;
    while (B) {
      int64_t T = A % B;
      A = B;
      B = T;
    }
    return A;
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

  /// The symbol to eliminate of two candidates: never a user's name in favour
  /// of an internal one, then the newer one; atoms last, as their meaning
  /// would be lost.
  bool better(SymbolId S, SymbolId Than) const {
    auto Score = [&](SymbolId X) {
      const SymbolInfo &I = (*Table)[X];
      int Sc = I.Named ? 0 : 2;
      if (I.K == SymbolInfo::Stride)
        Sc += 4;
      if (I.K >= SymbolInfo::Floor)
        Sc -= 3;
      return Sc;
    };
    int A = Score(S), B = Score(Than);
    return A != B ? A > B : S > Than;
  }

  /// Whether a plain integer is in it, which may be 0.
  bool hasInteger(const Monomial &M) const {
    for (unsigned I = 0; I < M.Count; ++I)
      if (kind(M.S[I]) == SymbolInfo::Integer)
        return true;
    return false;
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

  /// The least value a monomial can have, where that is known. Looks at what
  /// an atom was made of as it stood then: facts may since say "C == H*(C/H)",
  /// and following them would not end.
  std::optional<int64_t> least(const Monomial &M) const {
    int64_t L = 1;
    for (unsigned I = 0; I < M.Count; ++I) {
      const SymbolInfo &S = (*Table)[M.S[I]];
      switch (kind(M.S[I])) {
      case SymbolInfo::Size:
      case SymbolInfo::Sum:
        L = NonEmpty ? L : 0;
        break;
      case SymbolInfo::Stride:
      case SymbolInfo::Mod:
        L = 0;
        break;
      case SymbolInfo::Ceil: {
        auto A = lowest(S.A, 1);
        if (!A || *A < 0)
          return std::nullopt;
        L = *A > 0 ? L : 0;
        break;
      }
      case SymbolInfo::Floor: {
        auto A = lowest(S.A, 1);
        if (!A || *A < 0)
          return std::nullopt;
        L = NonEmpty ? L : 0; // used as a size, it has elements
        break;
      }
      case SymbolInfo::Min:
      case SymbolInfo::Max: {
        auto A = lowest(S.A, 1), B = lowest(S.B, 1);
        if (!A || !B)
          return std::nullopt;
        int64_t V =
            S.K == SymbolInfo::Min ? std::min(*A, *B) : std::max(*A, *B);
        if (V < 0)
          return std::nullopt;
        L *= V > 0 ? 1 : 0;
        break;
      }
      default:
        return std::nullopt;
      }
    }
    return L;
  }

  /// The least value of Sign*E when all its monomials count upwards.
  std::optional<int64_t> lowest(const Int &E, int Sign) const {
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

  Int expandSums(const Int &E) const {
    std::map<SymbolId, SymExpr> Map;
    for (const auto &T : E.Terms)
      for (unsigned I = 0; I < T.M.Count; ++I)
        if ((*Table)[T.M.S[I]].K == SymbolInfo::Sum)
          Map[T.M.S[I]] = (*Table)[T.M.S[I]].A;
    return Map.empty() ? E : substitute(E, Map);
  }

  /// Comparisons of a quotient with what it divides: T/2 == T only for 0.
  Answer<Int> atomEq(const Int &A, const Int &B) const {
    Int D = sub(expandSums(A), expandSums(B));
    if (auto C = D.constant())
      return truth(*C == 0);
    for (int Sign : {1, -1})
      if (auto Low = lowest(D, Sign))
        if (*Low > 0)
          return Truth::No;
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
      auto Low = lowest(Other, 1);
      if (!Low || *Low < 1)
        continue;
      if (I.K == SymbolInfo::Floor)
        return Truth::No;
      return Answer<Int>(Truth::No, {Other});
    }
    return Truth::Unknown;
  }

  Symbols *Table;
  bool Plain = false; ///< write names, not marks
  std::map<SymbolId, SymExpr> Facts;
  std::set<SymbolId> Used; ///< integers and atoms that served as sizes
};

} // namespace tensortidy::layout

#endif
