//===- Ranks.cpp - dimensions of tensors of unknown rank -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Lists.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

Object opaque(const Context &Ctx, State &W, const std::string &Name,
              SymbolKey Key) {
  Object O;
  O.HasLayout = true;
  O.Root = true;
  O.Key = Key;
  O.Name = Name;
  O.Segment = 0;
  // Channels-last takes effect once the rank is known to be 4.
  O.SegmentDense = Ctx.H != Hypothesis::Opaque;
  O.L.Sizes = SymDims(1, Ctx.Ids.symbol(Key, SymbolInfo::Size, "?"));
  O.L.Strides = SymDims(
      1, O.SegmentDense ? SymExpr(1)
                        : Ctx.Ids.symbol(Key.part(1), SymbolInfo::Stride, "?"));
  O.L.Offset = Ctx.Ids.symbol(Key.part(2), SymbolInfo::Stride, "?");
  auto P = std::make_shared<Provenance>();
  P->Assumed = Name;
  O.Prov = std::move(P);
  if (auto It = Ctx.Given.find(O.Key); It != Ctx.Given.end())
    setRank(Ctx, W, O, It->second);
  return O;
}

Object denseUnknown(const Context &Ctx, SymbolKey Key) {
  Object O;
  O.HasLayout = true;
  O.Segment = 0;
  O.SegmentDense = true;
  O.L.Sizes = SymDims(1, Ctx.Ids.symbol(Key.part(0), SymbolInfo::Size, "?"));
  O.L.Strides = SymDims(1, SymExpr(1));
  return O;
}

static SymbolKey dimensionKey(const Object &O) {
  auto S = O.L.Sizes[static_cast<size_t>(O.Segment)].asSymbol();
  return {SymbolKey::Dimension, NoId, S ? *S : 0};
}

/// Two tensors may be known to have the same sizes: strides are each one's own.
static SymbolKey strideKey(const Context &Ctx, const Object &O) {
  auto Symbol = [&](const SymDims &Of) {
    return Of[static_cast<size_t>(O.Segment)].asSymbol().value_or(0);
  };
  return {SymbolKey::Stride, NoId,
          Ctx.Ids.number({SymbolKey::Strides, NoId, Symbol(O.L.Sizes),
                          Symbol(O.L.Strides)})};
}

/// \p Part changes as the element count \p Whole does.
static void partOf(const Context &Ctx, const SymExpr &Whole,
                   const SymExpr &Part) {
  if (auto S = Whole.asSymbol()) {
    Ctx.Table[*Part.asSymbol()].Owner = Ctx.Table[*S].Owner;
    Ctx.Table[*Part.asSymbol()].Joined = Ctx.Table[*S].Joined;
  }
}

void pullFront(const Context &Ctx, State &W, Object &O, unsigned Count) {
  for (; Count; --Count) {
    auto At = static_cast<size_t>(O.Segment);
    const SymbolKey Key = dimensionKey(O), StrideKey = strideKey(Ctx, O);
    std::string Name = rootName(O), Dim = std::to_string(At);
    SymExpr N = O.L.Sizes[At];
    SymExpr D = Ctx.Ids.symbol(Key.part(0), SymbolInfo::Size,
                               Name + ".size(" + Dim + ")");
    SymExpr Rest = Ctx.Ids.symbol(Key.part(1), SymbolInfo::Size, "...");
    partOf(Ctx, N, D);
    partOf(Ctx, N, Rest);
    Ctx.Table[*Rest.asSymbol()].Rest = true;
    if (auto S = N.asSymbol())
      if (!W.Ar.facts().count(*S))
        W.Ar.rewrite(*S, W.Ar.mul(D, Rest));
    SymExpr Stride = O.SegmentDense
                         ? W.Ar.mul(Rest, O.L.Strides[At])
                         : Ctx.Ids.symbol(StrideKey.part(2), SymbolInfo::Stride,
                                          Name + ".stride(" + Dim + ")");
    O.L.Sizes[At] = Rest;
    O.L.Sizes.insert(O.L.Sizes.begin() + O.Segment, D);
    O.L.Strides.insert(O.L.Strides.begin() + O.Segment, Stride);
    ++O.Segment;
  }
}

void pullBack(const Context &Ctx, State &W, Object &O, unsigned Count) {
  for (; Count; --Count) {
    auto At = static_cast<size_t>(O.Segment);
    const SymbolKey Key = dimensionKey(O), StrideKey = strideKey(Ctx, O);
    std::string Name = rootName(O);
    std::string Dim = std::to_string(static_cast<int64_t>(At) -
                                     static_cast<int64_t>(O.L.rank()));
    SymExpr N = O.L.Sizes[At];
    SymExpr D = Ctx.Ids.symbol(Key.part(3), SymbolInfo::Size,
                               Name + ".size(" + Dim + ")");
    SymExpr Rest = Ctx.Ids.symbol(Key.part(4), SymbolInfo::Size, "...");
    partOf(Ctx, N, D);
    partOf(Ctx, N, Rest);
    Ctx.Table[*Rest.asSymbol()].Rest = true;
    if (auto S = N.asSymbol())
      if (!W.Ar.facts().count(*S))
        W.Ar.rewrite(*S, W.Ar.mul(Rest, D));
    SymExpr Inner = O.L.Strides[At];
    SymExpr Stride = O.SegmentDense
                         ? Inner
                         : Ctx.Ids.symbol(StrideKey.part(5), SymbolInfo::Stride,
                                          Name + ".stride(" + Dim + ")");
    O.L.Sizes[At] = Rest;
    O.L.Strides[At] = O.SegmentDense ? W.Ar.mul(D, Inner)
                                     : Ctx.Ids.symbol(StrideKey.part(6),
                                                      SymbolInfo::Stride, "?");
    O.L.Sizes.insert(O.L.Sizes.begin() + O.Segment + 1, D);
    O.L.Strides.insert(O.L.Strides.begin() + O.Segment + 1, Stride);
  }
}

/// The rank is known now, and less than what was counted from either end:
///   [a, b, seg, c]  of rank 2  ->  [a, b], c == b
static bool meetEnds(State &W, Object &O, unsigned Rank) {
  const auto Front = static_cast<unsigned>(O.Segment);
  const auto Back = static_cast<unsigned>(O.L.rank()) - 1 - Front;
  const size_t Behind = O.L.rank() - Rank; // of dimension 0, from the back
  SymLayout L;
  L.Offset = O.L.Offset;
  for (unsigned D = 0; D < Rank; ++D) {
    const size_t At = D < Front ? D : Behind + D;
    L.Sizes.push_back(O.L.Sizes[At]);
    L.Strides.push_back(O.L.Strides[At]);
  }
  for (unsigned D = Rank - std::min(Rank, Back); D < std::min(Rank, Front); ++D)
    if (!W.Ar.assumeEqual(O.L.Sizes[D], O.L.Sizes[Behind + D]))
      return false;
  if (O.SegmentDense && isContiguous(W.Ar, O.L).yes())
    L.Strides = denseStrides(W.Ar, L.Sizes);
  O.L = std::move(L);
  O.Segment = -1;
  return true;
}

bool setRank(const Context &Ctx, State &W, Object &O, unsigned Rank) {
  if (!O.HasLayout)
    return true;
  if (O.Segment < 0)
    return O.L.rank() == Rank;
  if (Rank < O.AtLeast)
    return false;
  if (Rank + 1 < O.L.rank())
    return meetEnds(W, O, Rank);
  auto Have = static_cast<unsigned>(O.L.rank() - 1);
  const SymExpr Segment = O.L.Sizes[static_cast<size_t>(O.Segment)];
  if (W.SameUnknownRanks && Segment.asSymbol()) {
    W.SameUnknownRanks = false; // each other one once
    bool Fits = true;
    W.Objects.change(
        [&](ObjId, const Object &P) {
          return &P != &O && P.HasLayout && P.Segment >= 0 &&
                 P.L.Sizes[static_cast<size_t>(P.Segment)] == Segment;
        },
        [&](Object &P) {
          Fits &= setRank(Ctx, W, P,
                          Rank + static_cast<unsigned>(P.L.rank()) - 1 - Have);
        });
    W.SameUnknownRanks = true;
    if (!Fits)
      return false;
  }
  pullFront(Ctx, W, O, Rank - Have);
  if (auto S = O.L.Sizes[static_cast<size_t>(O.Segment)].asSymbol())
    if (!W.Ar.facts().count(*S))
      W.Ar.rewrite(*S, SymExpr(1));
  O.L.Sizes.erase(O.L.Sizes.begin() + O.Segment);
  O.L.Strides.erase(O.L.Strides.begin() + O.Segment);
  O.Segment = -1;
  if (O.Root && Ctx.H == Hypothesis::ChannelsLast)
    O.L.Strides =
        Rank == 4 ? *formatStrides(W.Ar, O.L.Sizes, MemoryFormat::ChannelsLast)
                  : denseStrides(W.Ar, O.L.Sizes);
  for (SymExpr &E : O.L.Strides)
    E = W.Ar.norm(E);
  return true;
}

std::optional<int64_t> place(const Context &Ctx, State &W, Object &O,
                             int64_t Dim, bool ForInsert) {
  if (!O.HasLayout)
    return std::nullopt;
  if (O.Segment < 0)
    return Dim;
  if (Dim < -32 || Dim > 32)
    return std::nullopt;
  const bool Front = Dim >= 0;
  const auto Need =
      static_cast<unsigned>(Front ? Dim + !ForInsert : -Dim - ForInsert);
  // More than tests leave: refused as for the most.
  if (auto Most = mostRank(Ctx, W, O); Most && *Most < Need)
    return setRank(Ctx, W, O, *Most) ? std::optional<int64_t>(Dim)
                                     : std::nullopt;
  if (O.AtMost && Need >= O.AtMost)
    return setRank(Ctx, W, O, O.AtMost)
               ? std::optional(Front ? Dim
                                     : static_cast<int64_t>(O.L.rank()) + Dim +
                                           ForInsert)
               : std::nullopt;
  const auto Before = static_cast<unsigned>(O.Segment);
  const auto Behind = static_cast<unsigned>(O.L.rank()) - 1 - Before;
  if (Front && Need > Before)
    pullFront(Ctx, W, O, Need - Before);
  if (!Front && Need > Behind)
    pullBack(Ctx, W, O, Need - Behind);
  O.AtLeast = std::max(O.AtLeast, Need);
  if (O.Key && !O.isApart()) {
    unsigned &Least = Ctx.Facts.LeastRanks[O.Key];
    const int Rank = static_cast<int>(O.AtLeast) - O.Over;
    Least = std::max(Least, static_cast<unsigned>(std::max(Rank, 0)));
  }
  return Front ? Dim : static_cast<int64_t>(O.L.rank()) + Dim + ForInsert;
}

} // namespace tensortidy::analysis
