//===- InPlaceOps.cpp - operations that change a tensor in place -*- C++
//-*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/InPlaceOps.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Overwrite.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Sites.h"
#include "Analysis/Transfer/Transfer.h"
#include "Analysis/Transfer/ViewOps.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

void changeLayout(const Context &Ctx, State &W, const Stmt &S, Object &Self,
                  const LayoutOutcome<Symbolic> &Out) {
  ProvRef P = provenance(Ctx, W, S, &Self, false);
  Self.HasLayout = Out.ok();
  if (Out.ok())
    Self.L = *Out;
  Self.Prov = std::move(P);
  Self.Root = false;
  Self.NotContiguous = false;
  setResult(W, S, operand(W, S, "self"));
}

/// The sizes of what \p S computes before it writes it, where they are known.
/// What does not fit together there is refused here.
static std::optional<SymDims> computed(const Context &Ctx, State &W,
                                       const Stmt &S) {
  const OpClass Class = opClass(S.Computes);
  if (Class != OpClass::Factory && Class != OpClass::Compute)
    return std::nullopt;
  Stmt T = S;
  T.O = S.Computes;
  llvm::erase_if(T.Args, [](const Arg &A) { return A.Name == "out"; });
  ruleOf(T.O)(Ctx, W, T, tensorArg(Ctx, W, T, "self"));
  if (const auto It = Ctx.Facts.Sites.find(&T); It != Ctx.Facts.Sites.end()) {
    LayoutSite Of = std::move(It->second);
    Ctx.Facts.Sites.erase(It);
    LayoutSite &Site = Ctx.Facts.Sites[&S];
    Site.Ok += Of.Ok;
    Site.Unknown += Of.Unknown;
    Site.Failed += Of.Failed;
    std::move(Of.Failures.begin(), Of.Failures.end(),
              std::back_inserter(Site.Failures));
  }
  const Object *O = tensor(W, value(W, S.Result));
  if (!O || !O->HasLayout || O->Segment >= 0)
    return std::nullopt;
  return O->L.Sizes;
}

TENSORTIDY_TRANSFER_AS(TransposeInPlace, transposeDims)

TENSORTIDY_TRANSFER_AS(TInPlace, transposeMatrix)

static void squeezeInPlace(TENSORTIDY_OPERANDS) {
  if (!Self || !Self->HasLayout)
    return setResult(W, S, operand(W, S, "self"));
  const auto I = intArg(W, S, "dim");
  if (!I || Self->Segment >= 0)
    return changeLayout(Ctx, W, S, *Self, LayoutOutcome<Symbolic>::unknown());
  const auto Out = S.O == Op::SqueezeInPlace ? squeeze(W.Ar, Self->L, *I)
                                             : unsqueeze(W.Ar, Self->L, *I);
  site(Ctx, W, S, {Self}, Out);
  return changeLayout(Ctx, W, S, *Self, Out);
}
TENSORTIDY_TRANSFER_AS(SqueezeInPlace, squeezeInPlace)
TENSORTIDY_TRANSFER_AS(UnsqueezeInPlace, squeezeInPlace)

TENSORTIDY_TRANSFER(Resize) {
  if (Self) {
    auto N = sizesArg(Ctx, W, S, "size");
    ProvRef P = provenance(Ctx, W, S, Self, false);
    bool Known = true;
    const MemoryFormat Format =
        formatArg(W, S, MemoryFormat::Contiguous, Known);
    // The same sizes leave the strides alone, unless a format is asked for.
    bool Same = N && Self->HasLayout && Self->Segment < 0 &&
                N->size() == Self->L.rank() && !findArg(S, "memory_format");
    for (size_t D = 0; Same && D < N->size(); ++D)
      Same = W.Ar.eq((*N)[D], Self->L.Sizes[D]).yes();
    bool WasDense = Self->HasLayout && isContiguous(W.Ar, Self->L).yes() &&
                    (Self->Segment < 0 || Self->SegmentDense);
    // What fits into the memory it has stays there.
    const bool Fits = Same || (N && WasDense && Self->Segment < 0 &&
                               W.Ar.lt(numel(W.Ar, Self->L.Sizes),
                                       numel(W.Ar, *N)) == Truth::No);
    RunResult::SelfSite &Site = Ctx.Facts.SelfSites[&S];
    ++(Fits ? Site.Shares : Site.Other);
    if (!Same) {
      Self->Holds = std::nullopt;
      if (!Self->HasLayout)
        Self->L.Offset = valueSymbol(Ctx, S, SymbolInfo::Stride, "?");
      Self->HasLayout = false;
      Self->Resized = !WasDense;
      Self->Segment = -1;
      Self->Root = false;
      if (N && Known)
        if (auto Strides = formatStrides(W.Ar, *N, Format); Strides.ok()) {
          Self->HasLayout = true;
          Self->L.Sizes = *N;
          Self->L.Strides = *Strides;
        }
    }
    Self->NotContiguous = false;
    Self->Prov = std::move(P);
  }
  return setResult(W, S, operand(W, S, "self"));
}

TENSORTIDY_TRANSFER(AsStridedInPlace) {
  if (!Self)
    return setResult(W, S, operand(W, S, "self"));
  auto N = sizesArg(Ctx, W, S, "size"), St = sizesArg(Ctx, W, S, "stride");
  if (!findArg(S, "size") && Self->HasLayout && Self->Segment < 0)
    N = Self->L.Sizes;
  auto Offset = exprArg(W, S, "storage_offset");
  if (!Offset && Self->HasLayout)
    Offset = Self->L.Offset;
  LayoutOutcome<Symbolic> Out = LayoutOutcome<Symbolic>::unknown();
  if (N && St) {
    if (!Offset)
      Offset = valueSymbol(Ctx, S, SymbolInfo::Stride, "?");
    Out = asStrided(W.Ar, *N, *St, *Offset, std::nullopt);
    site(Ctx, W, S, {Self}, Out);
  }
  changeLayout(Ctx, W, S, *Self, Out);
  Self->Segment = -1;
}

TENSORTIDY_TRANSFER(Become) {
  const Object *Other = tensorArg(Ctx, W, S, "other");
  if (Self && Other) {
    Object O = *Other;
    O.Name = Self->Name;
    O.Prov = provenance(Ctx, W, S, Other, false);
    *Self = std::move(O);
  } else if (Self) {
    changeLayout(Ctx, W, S, *Self, LayoutOutcome<Symbolic>::unknown());
    Self->Holds = std::nullopt;
  }
  return setResult(W, S, operand(W, S, "self"));
}

TENSORTIDY_TRANSFER(OtherMeta) {
  if (Self && Self->Ggml) { // ne or nb is assigned
    for (unsigned D = 0; D < Self->L.rank(); ++D) {
      Self->L.Sizes[D] = valueSymbol(Ctx, S, SymbolInfo::Size, "?", 200 + D);
      Self->L.Strides[D] =
          valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 204 + D);
    }
    Self->Root = false;
  } else if (Self) {
    Self->HasLayout = false;
    Self->Root = false;
  }
  if (Self)
    Self->Holds = std::nullopt;
  return setResult(W, S, operand(W, S, "self"));
}

static void update(TENSORTIDY_OPERANDS) {
  writes(Ctx, W, S, "self");
  if (S.Computes != Op::Opaque)
    computed(Ctx, W, S);
  return setResult(W, S, operand(W, S, "self"));
}
TENSORTIDY_TRANSFER_AS(Overwrite, update)
TENSORTIDY_TRANSFER_AS(Update, update)

TENSORTIDY_TRANSFER(RequiresGrad) { setResult(W, S, operand(W, S, "self")); }

TENSORTIDY_TRANSFER(OutWrite) {
  Value V = operand(W, S, "out");
  writes(Ctx, W, S, "out");
  std::optional<SymDims> Sizes;
  if (S.Computes != Op::Opaque)
    Sizes = computed(Ctx, W, S);
  if (Object *O = tensor(W, V)) {
    O->Root = false;
    O->Holds = std::nullopt;
    // Resized when its shape does not fit.
    O->HasLayout =
        O->HasLayout && O->Segment < 0 && Sizes && Sizes->size() == O->L.rank();
    for (size_t D = 0; O->HasLayout && D < O->L.rank(); ++D)
      O->HasLayout = W.Ar.eq(O->L.Sizes[D], (*Sizes)[D]).yes();
  }
  return setResult(W, S, V);
}

} // namespace tensortidy::analysis
