//===- Singles.cpp - dimensions of one element -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Singles.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Relevance.h"

namespace tensortidy::analysis {

using namespace program;

/// The only dimension that \p S is told to go along: `dim`, or that of the one
/// size that is normalized.
static std::optional<int64_t> onlyDim(State &W, const Stmt &S) {
  if (const Value Shape = operand(W, S, "normalized_shape");
      Shape.K == Value::List)
    return Shape.Elems->size() == 1 ? std::optional<int64_t>(-1) : std::nullopt;
  Value V = operand(W, S, "dim");
  if (V.K == Value::List && V.Elems->size() == 1)
    V = Value(V.Elems->front());
  return V.K == Value::Int ? W.Ar.known(V.I) : std::nullopt;
}

/// Whether \p S divides by one less than the number of elements.
static bool corrects(const Context &Ctx, State &W, const Stmt &S) {
  if (findArg(S, "unbiased")) {
    const Value V = operand(W, S, "unbiased");
    return V.K == Value::Bool && V.C && evaluate(Ctx, W, *V.C) == Truth::Yes;
  }
  const Value V = operand(W, S, "correction");
  return V.K == Value::None || !findArg(S, "correction") ||
         (V.K == Value::Int && W.Ar.known(V.I) == 1);
}

/// The size of dimension \p Dim of \p O, counted from the end where it is
/// negative; null: it is not known.
static const SymExpr *sizeAt(const Object &O, int64_t Dim) {
  const auto Rank = static_cast<int64_t>(O.L.rank());
  const int64_t At = Dim < 0 ? Dim + Rank : Dim;
  if (!O.HasLayout || At < 0 || At >= Rank ||
      (O.Segment >= 0 && (Dim < 0 ? At <= O.Segment : At >= O.Segment)))
    return nullptr;
  return &O.L.Sizes[static_cast<size_t>(At)];
}

void noteSingle(const Context &Ctx, State &W, const Stmt &S) {
  if (Ctx.H != Hypothesis::Opaque)
    return;
  const Object *O = tensor(W, operand(W, S, "self"));
  if (S.is(Attribute::FindsPlaces)) {
    bool &Is = Ctx.Facts.OfVector.try_emplace(&S, true).first->second;
    Is = Is && O && O->HasLayout && O->Segment < 0 && O->L.rank() == 1;
  }
  if (!S.is(Attribute::AddsUpToOne) && !S.is(Attribute::ZeroAlone) &&
      !S.is(Attribute::NanAlone))
    return;
  SingleSite &Site = Ctx.Facts.Singles[&S];
  const int64_t Dims = O && O->HasLayout && O->Segment < 0
                           ? static_cast<int64_t>(O->L.rank())
                           : -1;
  Site.Dims = Site.One + Site.Other == 0 || Site.Dims == Dims ? Dims : -1;
  const auto Dim = onlyDim(W, S);
  const SymExpr *Size = O && Dim ? sizeAt(*O, *Dim) : nullptr;
  if (!Size || W.Ar.known(*Size) != 1 ||
      (S.is(Attribute::NanAlone) && !corrects(Ctx, W, S)) ||
      hasNoElements(Ctx, W, S)) {
    ++Site.Other;
    return;
  }
  const bool Counted = O->Segment < 0;
  const auto Rank = static_cast<int64_t>(O->L.rank());
  if (!Site.One++) {
    Site.Dim = Counted && *Dim >= 0 ? *Dim - Rank : *Dim;
    Site.Rank = Counted ? Rank : -1;
    Site.Call = callText(Ctx, S, W);
  } else if (Site.Rank != (Counted ? Rank : -1)) {
    ++Site.Other;
  }
}

} // namespace tensortidy::analysis
