//===- Exceptions.h - sizes of 1 that make a claim untrue -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule that answers "no, unless H is 1" has stopped at the first thing it
// found wrong. There may be more, so each exception is tried before it is said:
// with H 1, the rule is asked again.
//
//   sizes [C, H, w], strides [H*W, W, 1], contiguous?
//     the rule     no, unless H is 1       rows are apart
//     with H = 1   no, unless C is 1       and so are planes
//     so           no, unless C*H is 1
//
// That an expression is 1 says other things as well: q + 1 that q is 0, and
// a - b + 1 that a is b.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_EXCEPTIONS_H
#define TENSORTIDY_LAYOUT_EXCEPTIONS_H

#include "Layout/Symbolic.h"

namespace tensortidy::layout {

/// Those of \p Ones that hold: with one of them 1, \p Fine (an Answer, asked
/// of arithmetic that knows of that) is no longer "no". Where it still is under
/// a condition of its own, the exception is both; else it is dropped.
template <class Claim>
std::vector<SymExpr> exceptions(const Symbolic &Ar,
                                const std::vector<SymExpr> &Ones, Claim Fine,
                                unsigned Depth = 0) {
  constexpr unsigned Deepest = 4;
  std::vector<SymExpr> Found;
  for (const SymExpr &U0 : Ones) {
    const SymExpr U = Ar.norm(U0);
    Symbolic With = Ar;
    if (!With.assumeEqual(U, SymExpr(1)))
      continue; // it never is
    const Answer<SymExpr> Then = Fine(With);
    // It would take two sizes that are equal by chance as well.
    if (Then.unknown()) {
      Symbolic Chance = With;
      Chance.Distinct = true;
      if (Fine(Chance).no())
        continue;
    }
    // Nothing was learned from that: it stays as it was said.
    bool Same = false;
    for (const SymExpr &E : Then.UnlessOne)
      Same = Same || With.norm(E) == U;
    if (!Then.no() || Same) {
      Found.push_back(U);
      continue;
    }
    if (Depth < Deepest)
      for (const SymExpr &E : exceptions(With, Then.UnlessOne, Fine, Depth + 1))
        Found.push_back(Ar.mul(U, E));
  }
  return Found;
}

/// Whether \p E, where it is 1, says that two sizes are equal: a - b + 1.
inline bool isDifference(const SymExpr &E) {
  bool Plus = false, Minus = false;
  for (const auto &T : E.terms())
    if (T.M.Count)
      (T.C < 0 ? Minus : Plus) = true;
  return Plus && Minus;
}

/// The same of a size and a product: a - b*c + 1.
inline bool isSplit(const SymExpr &E) {
  return isDifference(E) &&
         std::any_of(E.terms().begin(), E.terms().end(),
                     [](const SymExpr::Term &T) { return T.M.Count > 1; });
}

/// An outcome as an answer: whether an operation works.
template <class Outcome> Answer<SymExpr> works(const Outcome &O) {
  if (O.failed())
    return {Truth::No, O.unlessOne()};
  return O.ok() ? Truth::Yes : Truth::Unknown;
}

namespace detail {
/// "T, H or C*D".
inline std::string choice(const std::vector<std::string> &Words) {
  std::string Text;
  for (size_t I = 0; I < Words.size(); ++I)
    Text += (I == 0 ? "" : I + 1 == Words.size() ? " or " : ", ") + Words[I];
  return Text;
}
} // namespace detail

/// "T, H or C*D is 1, or q is 0", without those that another implies: a product
/// is 1 only where its factors are.
inline std::string exceptionText(const Symbolic &Ar,
                                 const std::vector<SymExpr> &Exceptions) {
  std::vector<SymExpr> Kept;
  for (const SymExpr &U0 : Exceptions) {
    const SymExpr U = Ar.norm(U0);
    bool Implied = std::find(Kept.begin(), Kept.end(), U) != Kept.end();
    for (const SymExpr &X : Exceptions) {
      const SymExpr Y = Ar.norm(X);
      Implied = Implied || (Y != U && Ar.divExact(U, Y).has_value()) ||
                (Y != U && U.terms().size() > 1 &&
                 U.dividedBy(U.commonMonomial()) == Y);
    }
    if (!Implied)
      Kept.push_back(U);
  }
  std::sort(Kept.begin(), Kept.end());
  // Two of them may be one to the reader.
  std::vector<std::string> Ones, Zeros, Same;
  auto Add = [](std::vector<std::string> &To, std::string Words) {
    if (std::find(To.begin(), To.end(), Words) == To.end())
      To.push_back(std::move(Words));
  };
  for (const SymExpr &U : Kept) {
    if (U.terms().size() < 2) {
      Add(Ones, Ar.str(U));
      continue;
    }
    // T*q + T: T is 1, and q + 1 is.
    const Monomial Common = U.commonMonomial();
    const SymExpr Zero = Ar.sub(U.dividedBy(Common), SymExpr(1));
    SymExpr Plus, Minus;
    for (const auto &T : Zero.terms()) {
      SymExpr &To = T.C < 0 ? Minus : Plus;
      To = Ar.add(To, SymExpr::monomial(T.M, T.C < 0 ? -T.C : T.C));
    }
    const bool IsZero = Plus.isZero() || Minus.isZero();
    std::string Words = Ar.str(Plus.isZero() ? Minus : Plus);
    if (!IsZero)
      Words += " is " + Ar.str(Minus);
    if (Common.Count)
      Words = Ar.str(SymExpr::monomial(Common)) + " is 1 and " + Words +
              (IsZero ? " is 0" : "");
    Add(IsZero && !Common.Count ? Zeros : Same, std::move(Words));
  }
  std::string Text;
  auto Say = [&](const std::vector<std::string> &Words, const char *Is) {
    if (Words.empty())
      return;
    const bool Long = Text.find(" or ") != std::string::npos;
    Text += Text.empty() ? "" : Long ? ", or " : " or ";
    Text += detail::choice(Words) + Is;
  };
  Say(Ones, " is 1");
  Say(Zeros, " is 0");
  Say(Same, "");
  return Text;
}

} // namespace tensortidy::layout

#endif
