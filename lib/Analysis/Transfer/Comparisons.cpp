//===- Comparisons.cpp - comparisons of integers, sizes and dtypes -*- C++
//-*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Devices.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Ranks.h"
#include "llvm/ADT/StringExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

CondRef equalInts(const SymExpr &A, const SymExpr &B) {
  auto E = std::make_shared<Condition>();
  E->K = Condition::Equal;
  E->A = A;
  E->B = B;
  return E;
}

bool isKnownDType(llvm::StringRef DType) {
  return !DType.empty() && DType[0] != '%';
}

std::string dtypeKey(ObjId T) { return "dtype " + T.text() + ' '; }

std::string dtypeCase(ObjId T) { return " of dtype " + T.text(); }

CondRef equality(const Value &X, const Value &Y) {
  if (X.K == Value::Int && Y.K == Value::Int)
    return equalInts(X.I, Y.I);
  auto C = std::make_shared<Condition>();
  if (X.K == Value::Bool && Y.K == Value::Bool) {
    auto Both = std::make_shared<Condition>();
    auto None = std::make_shared<Condition>();
    Both->K = None->K = Condition::And;
    Both->L = X.C;
    Both->R = Y.C;
    None->L = negation(X.C);
    None->R = negation(Y.C);
    C->K = Condition::Or;
    C->L = std::move(Both);
    C->R = std::move(None);
    return C;
  }
  auto IsSizes = [](const Value &V) {
    return V.K == Value::Symbol && V.Text == "%sizes";
  };
  auto Dims = [](const Value &V) -> std::optional<std::vector<SymExpr>> {
    std::vector<SymExpr> R;
    if (V.K != Value::List)
      return std::nullopt;
    for (const Value &E : *V.Elems) {
      if (E.K != Value::Int)
        return std::nullopt;
      R.push_back(E.I);
    }
    return R;
  };
  if (IsSizes(X) || IsSizes(Y)) {
    C->K = Condition::SameSizes;
    C->T = IsSizes(X) ? X.T : Y.T;
    const Value &With = IsSizes(X) ? Y : X;
    if (IsSizes(With)) {
      C->Other = With.T;
      return C;
    }
    auto Known = Dims(With);
    if (!Known)
      return nullptr;
    C->Dims = std::move(*Known);
    return C;
  }
  if (X.K == Value::List && Y.K == Value::List) {
    auto A = Dims(X), B = Dims(Y);
    if (!A || !B)
      return nullptr;
    C->Flag = A->size() == B->size();
    CondRef All = C;
    for (size_t I = 0; C->Flag && I < A->size(); ++I) {
      auto And = std::make_shared<Condition>();
      And->K = Condition::And;
      And->L = std::move(All);
      And->R = equalInts((*A)[I], (*B)[I]);
      All = std::move(And);
    }
    return All;
  }
  if (X.K != Value::Symbol || Y.K != Value::Symbol)
    return nullptr;
  if (const bool IsX = X.Text == "%format"; IsX || Y.Text == "%format") {
    const auto F = formatNamed(IsX ? Y.Text : X.Text);
    if (!F)
      return nullptr;
    C->K = Condition::Suggested;
    C->T = IsX ? X.T : Y.T;
    C->F = *F;
    return C;
  }
  if (isDevice(X) || isDevice(Y))
    return equalDevices(X, Y);
  const bool IsX = isKnownDType(X.Text), IsY = isKnownDType(Y.Text);
  if (IsX && IsY) {
    C->Flag = X.Text == Y.Text;
    return C;
  }
  const Value &Open = IsX ? Y : X, &With = IsX ? X : Y;
  if (!Open.T || !(IsX || IsY || With.T))
    return nullptr;
  C->K = Condition::SameDType;
  C->T = Open.T;
  if (IsX || IsY)
    C->Text = With.Text;
  else
    C->Other = With.T;
  return C;
}

/// Whether the sizes that \p C compares are the same.
Truth sameSizes(const Context &Ctx, const State &W, const Condition &C) {
  const Object *O = W.Objects.find(C.T);
  const Object *P = C.Other ? W.Objects.find(C.Other) : nullptr;
  if (!O || !O->HasLayout || (C.Other && (!P || !P->HasLayout)))
    return Truth::Unknown;
  if (C.Other == C.T)
    return Truth::Yes;
  const auto &Dims = P ? P->L.Sizes : SymDims(C.Dims.begin(), C.Dims.end());
  const bool Open = O->Segment >= 0 || (P && P->Segment >= 0);
  if (Open)
    return (!P || P->Segment < 0) && O->AtLeast > Dims.size() ? Truth::No
                                                              : Truth::Unknown;
  if (O->L.rank() != Dims.size())
    return Truth::No;
  Truth All = Truth::Yes;
  for (size_t I = 0; I < Dims.size(); ++I)
    All = All && evaluate(Ctx, W, *equalInts(O->L.Sizes[I], Dims[I]));
  return All;
}

/// From here on two tensors have the same sizes, or one has those listed.
bool assumeSameSizes(const Context &Ctx, State &W, const Condition &C) {
  Object *O = W.Objects.edit(C.T);
  Object *P = C.Other ? W.Objects.edit(C.Other) : nullptr;
  if (!O || !O->HasLayout || (C.Other && (!P || !P->HasLayout)) || O == P)
    return true;
  if (P && P->Segment >= 0 && O->Segment < 0)
    std::swap(O, P);
  if (P && P->Segment >= 0) {
    // Neither rank is known: from here on it is one, of the same sizes. What
    // is asked of one dimension of either is asked of both.
    const auto Front = std::max(O->Segment, P->Segment);
    const size_t Back = std::max(O->L.rank() - static_cast<size_t>(O->Segment),
                                 P->L.rank() - static_cast<size_t>(P->Segment));
    for (Object *X : {O, P}) {
      pullFront(Ctx, W, *X, static_cast<unsigned>(Front - X->Segment));
      pullBack(Ctx, W, *X,
               static_cast<unsigned>(
                   Back - (X->L.rank() - static_cast<size_t>(X->Segment))));
    }
    for (size_t I = 0; I < O->L.rank(); ++I)
      if (static_cast<int>(I) != O->Segment &&
          !W.Ar.assumeEqual(P->L.Sizes[I], O->L.Sizes[I]))
        return false;
    const auto At = static_cast<size_t>(O->Segment);
    W.Ar.assumeEqual(P->L.Sizes[At], O->L.Sizes[At]);
    P->L.Sizes[At] = O->L.Sizes[At];
    O->AtLeast = P->AtLeast = std::max(O->AtLeast, P->AtLeast);
    W.SameUnknownRanks = true;
    return true;
  }
  const SymDims Dims = P ? P->L.Sizes : SymDims(C.Dims.begin(), C.Dims.end());
  if (!setRank(Ctx, W, *O, static_cast<unsigned>(Dims.size())))
    return false;
  for (size_t I = 0; I < Dims.size(); ++I)
    if (!W.Ar.assumeEqual(O->L.Sizes[I], Dims[I]))
      return false;
  return true;
}

/// Whether the dtypes that \p C compares are the same.
Truth sameDType(const State &W, const Condition &C) {
  const Object *O = W.Objects.find(C.T);
  const Object *P = C.Other ? W.Objects.find(C.Other) : nullptr;
  const std::string &With = P ? P->DType : C.Text;
  return !O || !isKnownDType(O->DType) || !isKnownDType(With)
             ? Truth::Unknown
             : truth(O->DType == With);
}

/// Whether nothing but sizes occurs in \p E: integers may be 0, sizes may not
/// while there are elements.
bool onlySizes(const State &W, const SymExpr &E) {
  for (const auto &T : E.terms())
    for (unsigned I = 0; I < T.M.Count; ++I)
      if (W.Ar.kind(T.M.S[I]) != SymbolInfo::Size)
        return false;
  return true;
}

std::string compareKey(const Context &Ctx, const Symbolic &Ar,
                       const Condition &C) {
  std::string Key = C.K == Condition::Equal ? "eq" : "lt";
  const SymExpr Difference = Ar.norm(Ar.sub(C.A, C.B));
  bool Lasts = true;
  for (const auto &T : Difference.terms()) {
    Key += ' ' + std::to_string(T.C);
    for (unsigned I = 0; I < T.M.Count; ++I) {
      Key += '*' + std::to_string(T.M.S[I]);
      Lasts = Lasts && Ctx.Table[T.M.S[I]].Owner == ~0u;
    }
  }
  return Lasts ? "var " + Key : Key;
}

std::optional<Difference> difference(const Symbolic &Ar, const Condition &C) {
  Difference D;
  const SymExpr E = Ar.norm(Ar.sub(C.A, C.B));
  for (const auto &T : E.terms()) {
    if (std::abs(T.C) > (int64_t(1) << 40))
      return std::nullopt;
    if (T.M.Count == 0) {
      D.K = T.C;
    } else if (D.C == 0 && T.M.Count == 1 && std::abs(T.C) == 1) {
      D.S = T.M.S[0];
      D.C = T.C;
    } else {
      return std::nullopt;
    }
  }
  return D.C ? std::optional(D) : std::nullopt;
}

/// What the ranges of integers say of a comparison.
Truth byRange(const State &W, const Condition &C) {
  const auto D = difference(W.Ar, C);
  auto It = D ? W.Ranges.find(D->S) : W.Ranges.end();
  if (It == W.Ranges.end())
    return Truth::Unknown;
  State::Range R = It->second; // of A - B
  if (D->C < 0) {
    std::swap(R.Least, R.Most);
    for (auto *End : {&R.Least, &R.Most})
      if (*End)
        *End = -**End;
  }
  const bool Above = R.Least && *R.Least + D->K > 0;
  const bool Below = R.Most && *R.Most + D->K < 0;
  if (C.K == Condition::Equal)
    return Above || Below ? Truth::No : Truth::Unknown;
  return Below                             ? Truth::Yes
         : R.Least && *R.Least + D->K >= 0 ? Truth::No
                                           : Truth::Unknown;
}

/// A comparison of what a loop changes, as it is in the first iteration, if
/// this is one.
static std::optional<Condition> inFirstIteration(const State &W,
                                                 const Condition &C) {
  if (W.Initial.empty())
    return std::nullopt;
  Condition First = C;
  for (SymExpr *E : {&First.A, &First.B})
    *E = W.Ar.substitute(W.Ar.norm(*E), W.Initial);
  if (First.A == W.Ar.norm(C.A) && First.B == W.Ar.norm(C.B))
    return std::nullopt;
  return First;
}

/// Whether no path takes a comparison this way: a loop from 0 to 4 does not end
/// before its first iteration.
bool refuted(const State &W, const Condition &C, bool Holds) {
  const auto First = inFirstIteration(W, C);
  if (First) {
    const auto A = W.Ar.known(First->A), B = W.Ar.known(First->B);
    if (A && B && (C.K == Condition::Equal ? *A == *B : *A < *B) != Holds)
      return true;
  }
  return byRange(W, C) == truth(!Holds) ||
         (First && byRange(W, *First) == truth(!Holds));
}

/// A comparison \p Holds, or does not.
void limit(const Context &Ctx, State &W, const Condition &C, bool Holds) {
  // A loop over the dimensions may run no time at all, which nobody means.
  auto IsRank = [&](const Condition &Of) {
    const auto D = difference(W.Ar, Of);
    return D && W.RankOf.count(D->S);
  };
  if (const auto First = inFirstIteration(W, C);
      First && !(Ctx.CountedOut && IsRank(*First)))
    limitTo(W, *First, Holds);
  if (!(Ctx.CountedOut && IsRank(C)))
    limitTo(W, C, Holds);
}

void limitTo(State &W, const Condition &C, bool Holds) {
  const auto D = difference(W.Ar, C);
  if (!D || (C.K == Condition::Equal && !Holds))
    return;
  State::Range &R = W.Ranges[D->S];
  auto AtLeast = [&](int64_t X) { R.Least = std::max(R.Least.value_or(X), X); };
  auto AtMost = [&](int64_t X) { R.Most = std::min(R.Most.value_or(X), X); };
  // Where C*S + K is 0.
  const int64_t Zero = -D->K * D->C;
  if (C.K == Condition::Equal) {
    AtLeast(Zero);
    AtMost(Zero);
  } else if ((D->C > 0) == Holds) {
    AtMost(Holds ? Zero - 1 : Zero);
  } else {
    AtLeast(Holds ? Zero + 1 : Zero);
  }
  // From here on it is as a size is.
  const SymbolInfo &Is = W.Ar.symbols()[D->S];
  if (R.Least && *R.Least > 0 && Is.Owner == NoId && !Is.Joined)
    W.Ar.assumeSize(SymExpr::symbol(D->S));
}

bool mustBeOne(const State &W, const std::vector<SymExpr> &Exceptions) {
  return llvm::any_of(Exceptions, [&](const SymExpr &E) {
    auto AtMost = [&](SymbolId S, int64_t Most) {
      const auto It = W.Ranges.find(S);
      return It != W.Ranges.end() && It->second.Most &&
             *It->second.Most <= Most;
    };
    const SymExpr N = W.Ar.norm(E);
    if (const auto D = difference(W.Ar, *equalInts(N, SymExpr(1)));
        D && N.terms().size() > 1) // of q + 1, where q is 0
      return D->C > 0 && AtMost(D->S, -D->K);
    // A product of such is one, too.
    if (N.terms().size() != 1 || N.terms()[0].C != 1)
      return false;
    const auto &M = N.terms()[0].M;
    return M.Count && std::all_of(M.S, M.S + M.Count,
                                  [&](SymbolId S) { return AtMost(S, 1); });
  });
}

} // namespace tensortidy::analysis
