//===- Sites.cpp - what paths say about operations that can fail ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Sites.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Evidence.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Relevance.h"
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
      if (K && *K == -1) // an inexact quotient of known numbers
        return Ar.known(E.Values[0]).has_value();
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

std::optional<Origin> sizesOrigin(const State &W, const Stmt &S,
                                  const Object &O) {
  const Provenance *P = maker(O.Prov);
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
  return Origin{Origin::Sizes, P->Where, O.Name, Sizes, P->What};
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

/// Whether \p S asks for a size or stride of `empty({0})`: it stands for no
/// tensor, its data_ptr() is null, and code asks for that first.
static bool asksPlaceholder(const State &W, const Stmt &S,
                            llvm::ArrayRef<const Object *> Of) {
  return (S.O == Op::Size || S.O == Op::Stride) && Of.size() == 1 && Of[0] &&
         Of[0]->HasLayout && Of[0]->Segment < 0 && Of[0]->L.rank() == 1 &&
         W.Ar.known(Of[0]->L.Sizes[0]) == 0;
}

void layoutFails(const Context &Ctx, State &W, const Stmt &S,
                 llvm::ArrayRef<const Object *> Of,
                 const LayoutError<SymExpr> &E,
                 const std::vector<SymExpr> &UnlessOne, const std::string &Role,
                 bool FromBack) {
  LayoutSite &Site = Ctx.Facts.Sites[&S];
  if (hasNoElements(Ctx, W, S) ||
      isSilenced(Ctx, S, Silence::NoElements, asksPlaceholder(W, S, Of)))
    return;
  if (llvm::any_of(Of, [&](const Object *O) {
        return O && isVouchedFor(Ctx, W, S, *O);
      })) {
    ++Site.Unknown;
    return;
  }
  // What compares dimensions counted from the back holds for every rank.
  bool Segments = false, Apart = true;
  for (const Object *O : FromBack ? llvm::ArrayRef<const Object *>() : Of) {
    Segments = Segments || (O && O->Segment >= 0);
    Apart = Apart && (!O || O->isApart());
  }
  if (!isRelevant(Ctx, W, S, Of, E, UnlessOne)) {
    ++Site.Unknown;
    return;
  }
  // A segment is 1 when it has no dimensions.
  bool OfSegment =
      E.R != Rule::ViewStrides && !restIn(Ctx, W, UnlessOne).empty();
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
  V.Why.Text = render(W.Ar, Shown, callText(Ctx, S, W), V.Name, Role);
  V.Unless = excepted(W, UnlessOne);
  V.Unless.NoElements =
      V.Unless.empty() && E.R != Rule::ViewStrides && !holdsWhenEmpty(W.Ar, E);
  if (Main) {
    if (Main->HasLayout)
      V.Copies = W.Ar.str(numel(W.Ar, Main->L.Sizes));
    V.Prov = Main->Prov;
  }
  for (const Object *O : Of)
    if (O)
      if (auto Made = sizesOrigin(W, S, *O))
        V.Origins.push_back(std::move(*Made));
  for (const Object *O : Of)
    if (O && O->HasLayout)
      for (Proof &P :
           proofs(Ctx, W, E.R == Rule::ViewStrides ? O->L.Strides : O->L.Sizes))
        V.Proofs.push_back(std::move(P));
  V.Taken = path(W);
  Site.Failures.push_back(std::move(V));
}

void dtypeFails(const Context &Ctx, State &W, const Stmt &S, const Object &O,
                std::vector<std::string> Wanted, const std::string &Role,
                bool UnlessAutocast) {
  LayoutSite &Site = Ctx.Facts.Sites[&S];
  if (hasNoElements(Ctx, W, S) || isVouchedFor(Ctx, W, S, O) ||
      isDTypeVouchedFor(Ctx, W, S, O))
    return;
  ++Site.Failed;
  if (Site.Failures.size() >= 4)
    return;
  LayoutFailure V;
  V.R = Rule::DTypeWanted;
  const OpClass K = opClass(S.O);
  const bool Computes = K == OpClass::Compute || S.O == Op::Einsum;
  V.Name = Computes || !Role.empty() ? O.Name : nameAt(Ctx, S, O);
  V.Why.K = Refusal::OtherDType;
  if (findArg(S, "unchecked"))
    V.Why.E = Refusal::ReadsOthers;
  V.Why.Asks = K == OpClass::Access ? Refusal::AsksFor
               : !Role.empty()      ? Refusal::Needs
               : Computes           ? Refusal::NeedsOfBoth
                                    : Refusal::Gives;
  V.Why.Call = callText(Ctx, S, W);
  V.Why.DTypes = std::move(Wanted);
  V.Why.UnlessAutocast = UnlessAutocast;
  V.Why.Role = Role;
  V.Why.Right = O.DType;
  const Provenance *P = maker(O.Prov);
  if (P && P->Where.Begin != S.Where.Begin)
    V.Origins.push_back({Origin::DType, P->Where, "", "", P->What});
  V.Taken = path(W);
  Site.Failures.push_back(std::move(V));
}

} // namespace tensortidy::analysis
