//===- Conditions.cpp - what branches and assertions teach -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Devices.h"
#include "Analysis/Transfer/Evidence.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Ranks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

std::string definedKey(ObjId T) { return "defined " + T.text(); }

/// Names what "one of two" says, where neither is known by itself.
static std::string conditionKey(const Context &Ctx, const State &W,
                                const Condition &C) {
  switch (C.K) {
  case Condition::Constant:
    return C.Flag ? "true" : "false";
  case Condition::Atom:
    return C.Key;
  case Condition::Not: {
    const std::string L = conditionKey(Ctx, W, *C.L);
    return (outlivesLoops(L) ? "var not(" : "not(") + L + ")";
  }
  case Condition::And:
  case Condition::Or: {
    const std::string L = conditionKey(Ctx, W, *C.L),
                      R = conditionKey(Ctx, W, *C.R);
    return std::string(outlivesLoops(L) && outlivesLoops(R) ? "var " : "") +
           (C.K == Condition::And ? "and(" : "or(") + L + ", " + R + ")";
  }
  case Condition::Equal:
  case Condition::Less:
    return compareKey(Ctx, W.Ar, C);
  case Condition::Contiguous:
    return "contiguous " + C.T.text() + " " +
           std::to_string(static_cast<int>(C.F));
  case Condition::Defined:
    return definedKey(C.T);
  case Condition::SameSizes: {
    std::string Key = "sizes " + C.T.text() + ' ' + C.Other.text();
    Condition Size; // each as if compared with 0
    Size.K = Condition::Equal;
    for (const SymExpr &E : C.Dims) {
      Size.A = E;
      Key += ", " + compareKey(Ctx, W.Ar, Size);
    }
    return Key;
  }
  case Condition::Suggested:
    return "format " + C.T.text() + ' ' + name(C.F);
  case Condition::SameDevice:
    return deviceKey(C);
  case Condition::SameDType:
    return dtypeKey(C.T) + C.Other.text() + C.Text;
  }
  return "";
}

Truth evaluate(const Context &Ctx, const State &W, const Condition &C) {
  switch (C.K) {
  case Condition::Constant:
    return truth(C.Flag);
  case Condition::Atom: {
    auto It = W.Assumed.find(C.Key);
    return It == W.Assumed.end() ? Truth::Unknown : truth(It->second.first);
  }
  case Condition::Not:
    return !evaluate(Ctx, W, *C.L);
  case Condition::And:
  case Condition::Or: {
    const Truth L = evaluate(Ctx, W, *C.L), Rt = evaluate(Ctx, W, *C.R);
    const Truth T = C.K == Condition::And ? L && Rt : L || Rt;
    if (T != Truth::Unknown)
      return T;
    auto It = W.Assumed.find(conditionKey(Ctx, W, C));
    return It == W.Assumed.end() ? T : truth(It->second.first);
  }
  case Condition::Equal:
  case Condition::Less: {
    Symbolic Ar = W.Ar;
    Ar.NonEmpty = false;
    Truth T;
    if (C.K == Condition::Equal) {
      auto A = Ar.eq(C.A, C.B);
      T = A.no() && !A.UnlessOne.empty() ? Truth::Unknown : A.T;
    } else {
      T = Ar.lt(C.A, C.B);
    }
    if (T == Truth::Unknown)
      T = byRange(W, C);
    if (T != Truth::Unknown)
      return T;
    auto It = W.Assumed.find(compareKey(Ctx, W.Ar, C));
    return It == W.Assumed.end() ? Truth::Unknown : truth(It->second.first);
  }
  case Condition::Contiguous: {
    const Object *Of = W.Objects.find(C.T);
    if (!Of || !Of->HasLayout)
      return Truth::Unknown;
    const Object &O = *Of;
    if (C.F == MemoryFormat::Contiguous && O.NotContiguous)
      return Truth::No;
    if (C.F != MemoryFormat::Contiguous && O.Segment >= 0)
      return Truth::Unknown;
    auto A = isContiguous(W.Ar, O.L, C.F);
    if (A.yes() && O.Segment >= 0 && !O.SegmentDense)
      return Truth::Unknown;
    return A.no() && !A.UnlessOne.empty() ? Truth::Unknown : A.T;
  }
  case Condition::Suggested: {
    const Object *O = W.Objects.find(C.T);
    if (O && O->HasLayout) {
      // Only tensors of four or five dimensions have a format.
      const auto Rank = formatRank(C.F);
      if (Rank &&
          (O->Segment < 0 ? *Rank != O->L.rank() : *Rank < O->leastRank()))
        return Truth::No;
      if (O->Segment < 0)
        if (auto F = suggestMemoryFormat(W.Ar, O->L))
          return truth(*F == C.F);
    }
    auto As = W.Assumed.find(conditionKey(Ctx, W, C));
    return As == W.Assumed.end() ? Truth::Unknown : truth(As->second.first);
  }
  case Condition::Defined: {
    const Object *O = W.Objects.find(C.T);
    if (O && !O->Root)
      return Truth::Yes;
    auto As = W.Assumed.find(definedKey(C.T));
    return As == W.Assumed.end() ? Truth::Unknown : truth(As->second.first);
  }
  case Condition::SameSizes:
  case Condition::SameDType:
  case Condition::SameDevice: {
    const Truth T = C.K == Condition::SameSizes   ? sameSizes(Ctx, W, C)
                    : C.K == Condition::SameDType ? sameDType(W, C)
                                                  : sameDevice(W, C);
    if (T != Truth::Unknown)
      return T;
    auto As = W.Assumed.find(conditionKey(Ctx, W, C));
    return As == W.Assumed.end() ? T : truth(As->second.first);
  }
  }
  return Truth::Unknown;
}

bool assumeContiguous(const Context &Ctx, State &W, ObjId T, MemoryFormat Fmt,
                      bool Holds, Range Where) {
  Object *Of = W.Objects.edit(T);
  if (!Of)
    return true;
  Object &O = *Of;
  if (Holds && !O.HasLayout && Fmt == MemoryFormat::Contiguous) {
    // Of unknown sizes, but contiguous.
    Object Dense = denseUnknown(
        Ctx, {SymbolKey::ContiguousObject, NoId, Ctx.Ids.number(T)});
    O.HasLayout = true;
    O.L = Dense.L;
    O.Segment = 0;
    O.SegmentDense = true;
    auto P = std::make_shared<Provenance>();
    P->Where = Where;
    P->Checked = true;
    P->What = "is_contiguous()";
    P->Parent = O.Prov;
    O.Prov = std::move(P);
    return true;
  }
  if (!O.HasLayout)
    return true;
  if (!Holds) {
    if (Fmt == MemoryFormat::Contiguous)
      O.NotContiguous = true;
    return true;
  }
  if (Fmt == MemoryFormat::Preserve)
    return true;
  if (O.Segment >= 0 && Fmt != MemoryFormat::Contiguous) {
    if (!setRank(Ctx, W, O, *formatRank(Fmt)))
      return false;
  }
  auto Is = isContiguous(W.Ar, O.L, Fmt);
  // "No, unless a size is 1": possible, but not what a hypothesis is for.
  if (Is.no() && (Is.UnlessOne.empty() || Ctx.H != Hypothesis::Opaque))
    return false;
  if (Is.yes() && (O.Segment < 0 || O.SegmentDense))
    return true;
  auto Strides = formatStrides(W.Ar, O.L.Sizes, Fmt);
  if (!Strides.ok())
    return false;
  for (size_t D = 0; D < O.L.rank(); ++D)
    if (auto S = O.L.Strides[D].asSymbol())
      if (Ctx.Table[*S].K == SymbolInfo::Stride && !W.Ar.facts().count(*S))
        W.Ar.rewrite(*S, (*Strides)[D]);
  O.L.Strides = *Strides;
  O.SegmentDense = true;
  auto P = std::make_shared<Provenance>();
  P->Where = Where;
  P->Checked = true;
  P->What = Fmt == MemoryFormat::Contiguous
                ? "is_contiguous()"
                : std::string("is_contiguous(") + name(Fmt) + ")";
  P->Parent = O.Prov;
  O.Prov = std::move(P);
  return true;
}

/// Each state has its own comparisons: with more of them time would grow with
/// their square.
static void remember(State &W, const std::string &Key, bool Holds,
                     const Asked &What = Asked()) {
  constexpr size_t MaxAssumed = 128;
  if (W.Assumed.size() < MaxAssumed)
    W.Assumed.set(Key, Holds, What);
}

/// Of an equality with a number: what is equal to it.
static Asked asked(const State &W, const Condition &C) {
  const auto D = difference(W.Ar, C);
  std::string Name = D ? SymbolicText(W.Ar).name(D->S) : "";
  if (Name.empty() || Name.find('?') != std::string::npos)
    return {};
  return {std::move(Name), -D->K * D->C};
}

/// More dimensions than any tensor has.
static constexpr int64_t MaxRank = 64;

/// The rank of \p O lies in \p Of; false when it cannot.
static bool limitRank(const Context &Ctx, State &W, Object &O,
                      const State::Range &Of) {
  if (Of.Least && *Of.Least > 0 && *Of.Least <= MaxRank)
    O.AtLeast = std::max(O.AtLeast, static_cast<unsigned>(*Of.Least));
  if (!Of.Most || *Of.Most > MaxRank || Ctx.CountedOut)
    return true;
  if (*Of.Most < static_cast<int64_t>(O.AtLeast))
    return false;
  return *Of.Most > static_cast<int64_t>(O.AtLeast) ||
         setRank(Ctx, W, O, O.AtLeast);
}

/// What comparisons leave of the rank that \p C asks for; false if nothing.
static bool limitRanks(const Context &Ctx, State &W, const Condition &C) {
  const auto D = difference(W.Ar, C);
  const auto Of = D ? W.RankOf.find(D->S) : W.RankOf.end();
  Object *O = Of != W.RankOf.end() ? W.Objects.edit(Of->second) : nullptr;
  if (!O || O->Segment < 0 || Ctx.CountedOut)
    return true;
  const auto Excluded = [&](int64_t Rank) {
    const SymExpr Symbol = SymExpr::symbol(D->S), Number(Rank);
    for (const auto &C : {equalInts(Symbol, Number), equalInts(Number, Symbol)})
      if (auto It = W.Assumed.find(compareKey(Ctx, W.Ar, *C));
          It != W.Assumed.end() && !It->second.first)
        return true;
    return false;
  };
  State::Range &R = W.Ranges[D->S];
  R.Least = std::max<int64_t>(R.Least.value_or(0), O->AtLeast);
  while (*R.Least < MaxRank && Excluded(*R.Least))
    ++*R.Least;
  bool Left = false;
  for (; R.Most && *R.Most > 0 && Excluded(*R.Most); Left = true)
    --*R.Most;
  // Nobody means the numbers that tests for other ranks leave over.
  W.Degenerate = W.Degenerate || (Left && *R.Most == 0);
  return limitRank(Ctx, W, *O, R);
}

/// A question that nothing is known of.
static bool assumeAtom(const Context &Ctx, State &W, const Condition &C,
                       bool Holds) {
  auto Was = Ctx.Asked.WasAtom.find(C.Key);
  for (unsigned Calls = 0; Calls < MostCalls && Was != Ctx.Asked.WasAtom.end();
       ++Calls)
    if (auto As = W.Assumed.find(Was->second); As != W.Assumed.end()) {
      W.Degenerate = W.Degenerate || As->second.first != Holds;
      break;
    } else {
      Was = Ctx.Asked.WasAtom.find(Was->second);
    }
  return W.Assumed.agree(C.Key, Holds, Asked{C.Text, {}});
}

/// `a && b`, `a || b`.
static bool assumeBoth(const Context &Ctx, State &W, const Condition &C,
                       bool Holds) {
  bool Both = (C.K == Condition::And) == Holds;
  if (Both)
    return assume(Ctx, W, *C.L, Holds) && assume(Ctx, W, *C.R, Holds);
  // One of two fails: only useful when the other is decided.
  Truth L = evaluate(Ctx, W, *C.L), Rt = evaluate(Ctx, W, *C.R);
  Truth Open = truth(!Holds);
  const std::string Key = conditionKey(Ctx, W, C);
  if (L == Open || Rt == Open) {
    if (L == Rt || !assume(Ctx, W, L == Open ? *C.R : *C.L, Holds))
      return false;
    // What is known of all paths, once one of each kind meet.
    remember(W, Key, Holds);
    return true;
  }
  for (const Condition *Part : {C.L.get(), C.R.get()}) {
    while (Part->K == Condition::Not)
      Part = Part->L.get();
    if (auto Of = Ctx.Asked.Tested.find(conditionKey(Ctx, W, *Part));
        Of != Ctx.Asked.Tested.end())
      Ctx.Asked.Tested.emplace(Key, Of->second);
  }
  return W.Assumed.agree(Key, Holds);
}

/// What both comparisons of integers leave; \p What is asked of.
static bool assumeCompared(const Context &Ctx, State &W, const Condition &C,
                           bool Holds, const Asked &What = Asked()) {
  const std::string Key = compareKey(Ctx, W.Ar, C);
  auto It = W.Assumed.find(Key);
  if ((It != W.Assumed.end() && It->second.first != Holds) ||
      refuted(W, C, Holds))
    return false;
  remember(W, Key, Holds, What);
  limit(Ctx, W, C, Holds);
  W.Degenerate = W.Degenerate || wasOtherwise(Ctx, W, C, Holds);
  return true;
}

static bool assumeEqual(const Context &Ctx, State &W, const Condition &C,
                        bool Holds) {
  if (!assumeCompared(Ctx, W, C, Holds, Holds ? asked(W, C) : Asked()))
    return false;
  W.Degenerate = W.Degenerate || (Holds && onlySizes(W, W.Ar.sub(C.A, C.B)) &&
                                  W.Ar.eq(C.A, C.B).no() &&
                                  W.Ar.eq(C.A, C.B).UnlessOne.empty());
  if (!Holds)
    return limitRanks(Ctx, W, C);
  for (const auto *P : {&C.A, &C.B}) {
    auto S = P->asSymbol();
    auto K = W.Ar.known(P == &C.A ? C.B : C.A);
    if (S && K && W.RankOf.count(*S)) {
      Object *O = W.Objects.edit(W.RankOf[*S]);
      if (O && O->Segment >= 0 && *K >= 0 && *K < 64 && !Ctx.CountedOut &&
          !setRank(Ctx, W, *O, static_cast<unsigned>(*K)))
        return false;
    }
  }
  return W.Ar.assumeEqual(C.A, C.B);
}

static bool assumeLess(const Context &Ctx, State &W, const Condition &C,
                       bool Holds) {
  if (!assumeCompared(Ctx, W, C, Holds))
    return false;
  const Truth Else = W.Ar.lt(C.A, C.B);
  // a < b: b is a + 1 or more; else a is b or more.
  if (Holds)
    assumeAtLeast(Ctx, W, C.B, W.Ar.add(C.A, SymExpr(1)));
  else
    assumeAtLeast(Ctx, W, C.A, C.B);
  if (!limitRanks(Ctx, W, C))
    return false;
  W.Degenerate =
      W.Degenerate || (onlySizes(W, W.Ar.sub(C.A, C.B)) &&
                       Else != Truth::Unknown && Else != truth(Holds));
  return true;
}

static bool assumeSuggested(const Context &Ctx, State &W, const Condition &C,
                            bool Holds) {
  const Truth Now = evaluate(Ctx, W, C);
  if (Now != Truth::Unknown)
    return Now == truth(Holds);
  remember(W, conditionKey(Ctx, W, C), Holds);
  Object *O = Holds ? W.Objects.edit(C.T) : nullptr;
  const auto Rank = formatRank(C.F);
  return !O || !Rank || !O->HasLayout || setRank(Ctx, W, *O, *Rank);
}

/// Two tensors have the same sizes, or the same dtype, or two devices are one.
static bool assumeSame(const Context &Ctx, State &W, const Condition &C,
                       bool Holds) {
  const Truth Now = evaluate(Ctx, W, C);
  if (Now != Truth::Unknown)
    return Now == truth(Holds);
  remember(W, conditionKey(Ctx, W, C), Holds);
  if (C.K == Condition::SameDevice) {
    if (Holds)
      assumeDevice(W, C);
    return true;
  }
  if (!Holds || C.K == Condition::SameSizes)
    return !Holds || assumeSameSizes(Ctx, W, C);
  Object *O = W.Objects.edit(C.T);
  Object *P = C.Other ? W.Objects.edit(C.Other) : nullptr;
  if (!O || O->Ggml)
    return true;
  if (P && !isKnownDType(P->DType))
    std::swap(O, P);
  const std::string &With = P ? P->DType : C.Text;
  if (isKnownDType(With))
    O->DType = With;
  return true;
}

bool assume(const Context &Ctx, State &W, const Condition &C, bool Holds) {
  switch (C.K) {
  case Condition::Constant:
    return C.Flag == Holds;
  case Condition::Atom:
    return assumeAtom(Ctx, W, C, Holds);
  case Condition::Not:
    return assume(Ctx, W, *C.L, !Holds);
  case Condition::And:
  case Condition::Or:
    return assumeBoth(Ctx, W, C, Holds);
  case Condition::Equal:
    return assumeEqual(Ctx, W, C, Holds);
  case Condition::Less:
    return assumeLess(Ctx, W, C, Holds);
  case Condition::Contiguous:
    return assumeContiguous(Ctx, W, C.T, C.F, Holds, C.Where);
  case Condition::Defined:
    return W.Assumed.agree(definedKey(C.T), Holds);
  case Condition::Suggested:
    return assumeSuggested(Ctx, W, C, Holds);
  case Condition::SameSizes:
  case Condition::SameDType:
  case Condition::SameDevice:
    return assumeSame(Ctx, W, C, Holds);
  }
  return true;
}

std::optional<unsigned> mostRank(const Context &Ctx, const State &W,
                                 const Object &O) {
  if (O.Segment < 0 || Ctx.CountedOut)
    return std::nullopt;
  for (const auto &[Rank, Id] : W.RankOf)
    if (W.Objects.find(Id) == &O)
      if (auto It = W.Ranges.find(Rank);
          It != W.Ranges.end() && It->second.Most && *It->second.Most >= 0)
        return static_cast<unsigned>(*It->second.Most);
  return std::nullopt;
}

} // namespace tensortidy::analysis
