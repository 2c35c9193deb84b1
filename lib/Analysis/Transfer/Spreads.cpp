//===- Spreads.cpp - what is compared with more than it belongs to --------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Spreads.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/OwnReductions.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Sites.h"
#include "Layout/Error.h"
#include "llvm/ADT/SmallSet.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

void takesMatrix(const Context &Ctx, State &W, Object *X) {
  if (!X || !X->HasLayout || X->Segment < 0)
    return;
  Ctx.Facts.LayersOfAnyRank = true;
  if (Ctx.UsualRanks && X->leastRank() <= 2 && (!X->AtMost || X->AtMost >= 2))
    setRank(Ctx, W, *X, 2);
}

/// Whether a layer made \p V, and what came after it keeps the sizes, but for
/// \p Views.
static bool isOfLayer(const Context &Ctx, ValueId V, bool Views,
                      llvm::SmallSet<VarId, 4> &Read, unsigned Depth = 0) {
  const Stmt *D = Ctx.Flow.Values.origin(V);
  if (!D || Depth > 8)
    return false;
  auto Of = [&](ValueId Next) {
    return isOfLayer(Ctx, Next, Views, Read, Depth + 1);
  };
  if (D->O == Op::Load) {
    const auto &Stores = Ctx.Flow.Values.Stores[D->Var];
    return !Stores.empty() && Read.insert(D->Var).second &&
           llvm::all_of(Stores, [&](const Stmt *Store) {
             return Store && Of(Store->Args[0].Value);
           });
  }
  if (D->O == Op::Linear)
    return true;
  if (!keepsSizes(*D) && !(Views && opClass(D->O) == OpClass::View))
    return false;
  return llvm::any_of(D->Args, [&](const Arg &A) {
    return (A.Name == "self" || A.Name == "other") && Of(A.Value);
  });
}

void spreads(const Context &Ctx, State &W, const Stmt &S, const Object &X,
             const Object &Y) {
  if (!X.HasLayout || !Y.HasLayout || X.Segment >= 0 || Y.Segment >= 0) {
    Ctx.Facts.AsksRanks = true;
    return;
  }
  const SymDims &Left = X.L.Sizes, &Right = Y.L.Sizes;
  // Where it is not known whether two sizes are the same, they have to be.
  auto Wide = broadcastSizes(W.Ar, Left, Right,
                             [](const SymExpr &A, const SymExpr &, size_t) {
                               return std::optional(A);
                             });
  if (!Wide.ok())
    return;
  auto Size = [&](const SymDims &Of, size_t FromBack) {
    return FromBack < Of.size() ? Of[Of.size() - 1 - FromBack] : SymExpr(1);
  };
  std::vector<SymExpr> Unless[2]; // what one repeats of the other
  for (size_t D = 0; D < Wide->size(); ++D) {
    const SymExpr A = Size(Left, D), B = Size(Right, D);
    const bool OneA = W.Ar.known(A) == 1, OneB = W.Ar.known(B) == 1;
    if (OneA != OneB)
      Unless[OneA ? 0 : 1].push_back(OneA ? B : A);
  }
  // One row for all may be meant; a column for each column is not.
  const SymDims &Fewer = Unless[0].empty() ? Right : Left;
  const bool Several =
      S.O == Op::Loss && Unless[0].empty() != Unless[1].empty() &&
      Left.size() == Right.size() && Left.size() > 1 &&
      W.Ar.known(Fewer.back()) == 1 && W.Ar.known(Fewer[0]) != 1 &&
      llvm::any_of(S.Args, [&](const Arg &A) {
        llvm::SmallSet<VarId, 4> Read;
        return isOfLayer(Ctx, A.Value, true, Read);
      });
  SpreadSite Site;
  Site.Usual = Ctx.UsualRanks;
  std::vector<SymExpr> Open;
  for (auto &Of : Unless) {
    if (Several && Of.empty())
      continue;
    Site.Several = Several ? W.Ar.str(Of[0]) : "";
    // It takes all of them together to be 1: said of one alone.
    if (Of.size() != 1 ||
        isSilenced(Ctx, S, Silence::TestedOne, mustBeOne(W, Of)) ||
        isSilenced(Ctx, S, Silence::PathDependent, isPathDependent(W, Of)))
      return;
    if (!W.Ar.known(Of[0]))
      Open.push_back(Of[0]);
  }
  if (hasNoElements(Ctx, W, S))
    return;
  Site.Call = callText(Ctx, S, W);
  Site.Left = listText(W.Ar, Left);
  Site.Right = listText(W.Ar, Right);
  Site.Result = listText(W.Ar, *Wide);
  Site.Unless = excepted(W, Open);
  Ctx.Facts.Spread.insert({&S, std::move(Site)});
}

void columnMeetsVector(const Context &Ctx, State &W, const Stmt &S) {
  const Arg *A = findArg(S, "self"), *B = findArg(S, "other");
  const Object *X = A ? tensor(W, value(W, A->Value)) : nullptr;
  const Object *Y = B ? tensor(W, value(W, B->Value)) : nullptr;
  if (!X || !Y || !X->HasLayout || !Y->HasLayout || X->Segment >= 0 ||
      Y->Segment >= 0)
    return;
  const bool First = X->L.rank() == 2;
  const SymDims &Column = (First ? X : Y)->L.Sizes,
                &Vector = (First ? Y : X)->L.Sizes;
  if (Column.size() != 2 || Vector.size() != 1 || W.Ar.known(Column[1]) != 1 ||
      W.Ar.known(Column[0]) == 1 || !W.Ar.eq(Column[0], Vector[0]).yes())
    return;
  auto IsOfLayer = [&](const Arg &Of, bool Views) {
    llvm::SmallSet<VarId, 4> Read;
    return isOfLayer(Ctx, Of.Value, Views, Read);
  };
  const Arg &Tall = First ? *A : *B, &Flat = First ? *B : *A;
  // x.unsqueeze(1) - y: all pairs are meant.
  const Stmt *Made = Ctx.Flow.Values.origin(Tall.Value);
  if (Made && Made->O == Op::Unsqueeze)
    return;
  if (IsOfLayer(Tall, true) != IsOfLayer(Flat, true) &&
      (IsOfLayer(Tall, false) || IsOfLayer(Flat, true)))
    spreads(Ctx, W, S, *X, *Y);
}

} // namespace tensortidy::analysis
