//===- Sites.cpp - what paths say about operations that can fail ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Sites.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/ViewOps.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

/// Rules that count dimensions: nothing they say holds for a tensor some of
/// whose dimensions are not known.
static bool countsDimensions(Rule R) {
  switch (R) {
  case Rule::DimOutOfRange:
  case Rule::ZeroDim:
  case Rule::PermuteLength:
  case Rule::ExpandRank:
  case Rule::ExpandSize:
  case Rule::TRank:
  case Rule::MTRank:
  case Rule::FormatRank:
  case Rule::RankWanted:
  case Rule::BroadcastSize:
  case Rule::MatMulRank:
  case Rule::MatMulSizes:
  case Rule::CatRank:
  case Rule::CatSize:
  case Rule::StackSize:
  case Rule::ConvChannels:
  case Rule::InPlaceRank:
  case Rule::InPlaceSize:
    return true;
  default:
    return false;
  }
}

/// Rules whose text is about one of several operands.
static bool namesOperand(Rule R) {
  switch (R) {
  case Rule::RankWanted:
  case Rule::RankAtMost:
  case Rule::RankAtLeast:
  case Rule::SizeWanted:
  case Rule::SizeAtMost:
  case Rule::SizeAtLeast:
  case Rule::SizeMultiple:
  case Rule::StrideWanted:
  case Rule::StrideMultiple:
  case Rule::InPlaceRank:
  case Rule::InPlaceSize:
    return true;
  default:
    return false;
  }
}

/// Which two of its values a refusal wants to be equal, where it is that.
static std::optional<std::pair<size_t, size_t>> mustBeEqual(Rule R) {
  switch (R) {
  case Rule::BroadcastSize:
  case Rule::ExpandSize:
  case Rule::UnflattenCount:
  case Rule::SplitSum:
  case Rule::CatSize:
  case Rule::StackSize:
  case Rule::ConvChannels:
  case Rule::InPlaceSize:
  case Rule::SizeWanted:
    return std::make_pair(0, 1);
  case Rule::MatMulSizes:
    return std::make_pair(1, 2);
  default:
    return std::nullopt;
  }
}

/// Whether the refusal also holds when sizes may be 0: what is compared differs
/// by more than a factor that an empty dimension would make 0.
static bool holdsWhenEmpty(const Symbolic &Ar0, const LayoutError<SymExpr> &E) {
  Symbolic Ar = Ar0;
  Ar.NonEmpty = false;
  if (const auto Equal = mustBeEqual(E.R)) {
    auto Same = Ar.eq(E.Values[Equal->first], E.Values[Equal->second]);
    return Same.no() && Same.UnlessOne.empty();
  }
  switch (E.R) {
  case Rule::ViewCount: {
    SymExpr Product(1);
    for (const SymExpr &S : E.NewSizes) {
      auto K = Ar.known(S);
      if (K && *K == -1)
        return true; // an inexact quotient of known numbers
      Product = Ar.mul(Product, S);
    }
    auto Same = Ar.eq(E.Values[0], Product);
    return Same.no() && Same.UnlessOne.empty();
  }
  case Rule::NarrowRange:
    return Ar.lt(E.Values[2], Ar.add(E.Values[0], E.Values[1])) == Truth::Yes ||
           Ar.lt(E.Values[1], SymExpr(0)) == Truth::Yes;
  case Rule::NarrowStart:
    return Ar.lt(E.Values[1], E.Values[0]) == Truth::Yes ||
           Ar.lt(E.Values[0], Ar.sub(SymExpr(0), E.Values[1])) == Truth::Yes;
  default:
    return true;
  }
}

/// "'y' is [2, 3] here: zeros({2, 3})", where an operation says so.
std::optional<Note> sizesNote(const State &W, const Stmt &S, const Object &O) {
  const Provenance *P = O.Prov.get();
  while (P && (P->What.empty() || P->Checked))
    P = P->Parent.get();
  if (!P || !O.HasLayout || P->Where.Begin == S.Where.Begin ||
      (O.Segment >= 0 && O.L.rank() == 1))
    return std::nullopt;
  std::string Sizes = listText(W.Ar, O.L.Sizes);
  if (O.Segment >= 0) {
    const SymDims Front(O.L.Sizes.begin(), O.L.Sizes.begin() + O.Segment);
    const std::string Before = listText(W.Ar, Front),
                      After = listText(W.Ar, O.tail());
    Sizes = Before.substr(0, Before.size() - 1) + (Front.empty() ? "" : ", ") +
            "..." + (O.tail().empty() ? "" : ", ") + After.substr(1);
  }
  return Note{P->Where, (O.Name.empty() ? "the tensor" : "'" + O.Name + "'") +
                            " is " + Sizes + " here: " + P->What};
}

/// Whether one of \p Exprs is not a product of sizes, but was rounded, or if
/// \p OrSum has a sum among its factors.
bool hasQuotient(const Context &Ctx, const State &W,
                 const std::vector<SymExpr> &Exprs, bool OrSum) {
  for (const SymExpr &E : Exprs) {
    const SymExpr N = W.Ar.norm(E);
    for (const auto &T : N.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (const auto K = Ctx.Table[T.M.S[I]].K;
            K >= SymbolInfo::Floor && (OrSum || K != SymbolInfo::Sum))
          return true;
  }
  return false;
}

/// Whether \p R allows for sizes of 1, which stand for all others.
static bool broadcasts(Rule R) {
  return R == Rule::BroadcastSize || R == Rule::ExpandSize ||
         R == Rule::InPlaceSize;
}

/// The symbols in \p Exprs that stand for dimensions nobody counted.
std::vector<SymbolId> restIn(const Context &Ctx, const State &W,
                             const std::vector<SymExpr> &Exprs) {
  std::vector<SymbolId> Found;
  for (const SymExpr &E : Exprs) {
    const SymExpr N = W.Ar.norm(E);
    for (const auto &T : N.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (Ctx.Table[T.M.S[I]].Rest)
          Found.push_back(T.M.S[I]);
  }
  return Found;
}

/// Dimensions that nobody counted and that come to one element may not be there
/// at all: no number for them is shown.
static void dropEmptySegment(const State &W, const Object &O,
                             LayoutError<SymExpr> &E) {
  if (O.Segment < 0 || static_cast<size_t>(O.Segment) >= E.Sizes.size())
    return;
  const auto Known = W.Ar.known(E.Sizes[O.Segment]);
  if (!Known || *Known != 1)
    return;
  E.Sizes.erase(E.Sizes.begin() + O.Segment);
  E.Strides.erase(E.Strides.begin() + O.Segment);
  for (unsigned &D : E.AtDims)
    D -= D > static_cast<unsigned>(O.Segment);
}

/// Whether it is written that what \p E refuses is 1: view() is asked for the
/// sizes of \p O but for a 1, or a size that nobody named should equal a 1.
///
///   x.mm(row.unsqueeze(0))       x is a column, though nothing else says so
static bool saysOne(const Context &Ctx, const State &W, const Object *O,
                    const LayoutError<SymExpr> &E) {
  if (const auto Equal = mustBeEqual(E.R)) {
    // A layer is made for the channels it gets, whatever their name there.
    const bool IsLayer = E.R == Rule::ConvChannels;
    auto Open = [&](const SymExpr &X) {
      const auto S = W.Ar.norm(X).asSymbol();
      return S && (IsLayer || (Ctx.Table[*S].K == SymbolInfo::Size &&
                               !Ctx.Table[*S].Named));
    };
    const SymExpr &X = E.Values[Equal->first], &Y = E.Values[Equal->second];
    return (W.Ar.known(X) == 1 && Open(Y)) || (W.Ar.known(Y) == 1 && Open(X));
  }
  if (E.R != Rule::ViewCount || !O || !O->HasLayout || O->Segment >= 0 ||
      E.NewSizes.size() != O->L.rank())
    return false;
  for (size_t D = 0; D < E.NewSizes.size(); ++D)
    if (!W.Ar.eq(E.NewSizes[D], SymExpr(1)).yes() &&
        !W.Ar.eq(E.NewSizes[D], O->L.Sizes[D]).yes())
      return false;
  return true;
}

/// Whether a size in \p Exprs was one thing on one path here and another on
/// the next: none of them need be what the refusal takes it for.
bool isLoose(const State &W, const std::vector<SymExpr> &Exprs) {
  return llvm::any_of(W.PathDependent, [&](SymbolId S) {
    return llvm::any_of(Exprs, [&](const SymExpr &E) { return E.contains(S); });
  });
}

/// Whether a size that \p E is about is an integer of which a test found that
/// it is 0: view({n, C}) where n is 0 is of a tensor without elements.
static bool isOfNothing(const State &W, const LayoutError<SymExpr> &E) {
  const auto IsZero = [&](const SymExpr &Size) {
    return W.Ar.known(Size) == int64_t(0);
  };
  return llvm::any_of(W.Ar.facts(),
                      [&](const auto &F) {
                        return F.second.isZero() && !W.RankOf.count(F.first);
                      }) &&
         (E.R == Rule::ViewCount
              ? llvm::any_of(E.NewSizes, IsZero)
              : mustBeEqual(E.R) && llvm::any_of(E.Values, IsZero));
}

void layoutFails(const Context &Ctx, State &W, const Stmt &S,
                 llvm::ArrayRef<const Object *> Of,
                 const LayoutError<SymExpr> &E,
                 const std::vector<SymExpr> &UnlessOne, const std::string &Role,
                 bool FromBack) {
  LayoutSite &Site = Ctx.Facts.Sites[&S];
  if (W.Degenerate)
    return; // no elements, no harm
  if (llvm::any_of(
          Of, [&](const Object *O) { return O && isVouchedFor(Ctx, W, *O); })) {
    ++Site.Unknown;
    return;
  }
  // What compares dimensions counted from the back holds for every rank.
  bool Segments = false, Apart = true;
  for (const Object *O : FromBack ? llvm::ArrayRef<const Object *>() : Of) {
    Segments = Segments || (O && O->Segment >= 0);
    Apart = Apart && (!O || O->isApart());
  }
  // What holds unless the rest is 1 does not hold where there is no rest. And
  // who writes {n / k, k} knows that k divides n, as who goes on with the
  // channels alone knows that n - 4 windows are one.
  if (!restIn(Ctx, W, UnlessOne).empty() || leftOne(W, UnlessOne) ||
      (E.R != Rule::ViewStrides &&
       hasQuotient(Ctx, W, UnlessOne, /*OrSum=*/!broadcasts(E.R)))) {
    ++Site.Unknown;
    return;
  }
  if (isLoose(W, UnlessOne) || isOfNothing(W, E) ||
      (!UnlessOne.empty() &&
       saysOne(Ctx, W, Of.size() == 1 ? Of[0] : nullptr, E))) {
    ++Site.Unknown;
    return;
  }
  // A segment is 1 when it has no dimensions.
  bool OfSegment = E.R != Rule::ViewStrides && !UnlessOne.empty();
  if (FromBack && OfSegment &&
      llvm::any_of(Of, [](const Object *O) { return O && O->Segment >= 0; })) {
    ++Site.Unknown;
    return;
  }
  if (Segments && (countsDimensions(E.R) || OfSegment)) {
    ++Site.Unknown;
    return;
  }
  ++Site.Failed;
  if (Site.Failures.size() >= 4)
    return;
  LayoutFailure V;
  V.R = E.R;
  V.Apart = Apart;
  size_t About = E.AtDims.empty() || E.R == Rule::ViewStrides ? 0 : E.AtDims[0];
  const Object *Main = About < Of.size() ? Of[About] : nullptr;
  if (Main && namesOperand(E.R))
    V.Name = Main->Name;
  else if (Main && Of.size() == 1)
    V.Name = nameAt(Ctx, S, *Main);
  LayoutError<SymExpr> Shown = E;
  if (Main && E.R == Rule::ViewStrides)
    dropEmptySegment(W, *Main, Shown);
  V.Message = render(W.Ar, Shown, callText(Ctx, S, W), V.Name, Role);
  V.Unless = unlessText(W, UnlessOne);
  V.OneExcepted = !V.Unless.empty();
  if (!V.OneExcepted && E.R != Rule::ViewStrides && !holdsWhenEmpty(W.Ar, E))
    V.Unless = "unless it is empty";
  if (Main) {
    if (Main->HasLayout)
      V.Copies = W.Ar.str(numel(W.Ar, Main->L.Sizes));
    V.Prov = Main->Prov;
  }
  for (const Object *O : Of)
    if (O)
      if (auto N = sizesNote(W, S, *O))
        V.Notes.push_back(std::move(*N));
  V.Path = pathText(W);
  Site.Failures.push_back(std::move(V));
}

/// Elements of another type than \p S asks for. \p Role is that of the operand,
/// or empty: then all operands of a computation are of one type.
void dtypeFails(const Context &Ctx, State &W, const Stmt &S, const Object &O,
                const std::string &Wanted, const std::string &Role) {
  LayoutSite &Site = Ctx.Facts.Sites[&S];
  if (W.Degenerate || isVouchedFor(Ctx, W, O))
    return;
  ++Site.Failed;
  if (Site.Failures.size() >= 4)
    return;
  LayoutFailure V;
  V.R = Rule::DTypeWanted;
  const OpClass K = opClass(S.O);
  const bool Both = K == OpClass::Compute && Role.empty();
  V.Name = K == OpClass::Compute || !Role.empty() ? O.Name : nameAt(Ctx, S, O);
  V.Message = callText(Ctx, S, W) +
              (K == OpClass::Access    ? " asks for "
               : Both || !Role.empty() ? " needs "
                                       : " gives ") +
              Wanted + (Both ? " on both sides" : "") +
              (!V.Name.empty()                  ? ", '" + V.Name + "'"
               : Role.empty() || Role == "self" ? ", the tensor"
                                                : ", its " + Role) +
              " has " + O.DType;
  const Provenance *P = O.Prov.get();
  while (P && (P->What.empty() || P->Checked))
    P = P->Parent.get();
  if (P && P->Where.Begin != S.Where.Begin)
    V.Notes.push_back({P->Where, "made here: " + P->What});
  V.Path = pathText(W);
  Site.Failures.push_back(std::move(V));
}

} // namespace tensortidy::analysis
