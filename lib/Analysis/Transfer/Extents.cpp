//===- Extents.cpp - how far addresses reach ------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Extents.h"
#include "Analysis/Transfer/Accesses.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

/// Whether each iteration of \p Outer, around this block, comes by.
static bool comesBy(const Context &Ctx, program::LoopId Outer) {
  const LoopFacts &Facts = Ctx.Flow.loops();
  BlockId At = Ctx.Block;
  for (program::LoopId L = Ctx.F.Blocks[At].InLoop; L != NoId;
       L = Ctx.F.Loops[L].Parent) {
    if (!Facts.everyIteration(At, L) || Facts.LeavesEarly[L])
      return false;
    if (L == Outer)
      return true;
    At = Ctx.F.Loops[L].Head;
  }
  return false;
}

std::optional<SymExpr> farthest(const Context &Ctx, State &W,
                                const SymExpr &E) {
  const LoopFacts &Facts = Ctx.Flow.loops();
  SymExpr Rest = W.Ar.norm(E);
  for (VarId V = 0; V < Ctx.F.Vars.size(); ++V) {
    const Value Held = W.Vars[V];
    const auto Symbol =
        Held.K == Value::Int ? W.Ar.norm(Held.I).asSymbol() : std::nullopt;
    if (!Symbol || !Rest.contains(*Symbol))
      continue;
    bool Inclusive = false;
    auto C = Facts.counter(V);
    if (!C) {
      C = Facts.counter(V, true);
      Inclusive = true;
    }
    if (!C || !Ctx.Flow.insideLoop(Ctx.Block, C->Of))
      continue;
    const auto Bound = again(Ctx, W, C->Bound, 0);
    if (!Bound || C->Step != 1 || !comesBy(Ctx, C->Of))
      return std::nullopt;
    const std::map<SymbolId, SymExpr> Zero{{*Symbol, SymExpr(0)}},
        One{{*Symbol, SymExpr(1)}}, Two{{*Symbol, SymExpr(2)}};
    const SymExpr At0 = W.Ar.substitute(Rest, Zero),
                  At1 = W.Ar.substitute(Rest, One);
    const SymExpr By = W.Ar.sub(At1, At0);
    if (W.Ar.sub(W.Ar.substitute(Rest, Two), At1) != By ||
        W.Ar.le(SymExpr(0), By).T != Truth::Yes)
      return std::nullopt;
    Rest = W.Ar.add(At0, W.Ar.mul(By, W.Ar.sub(*Bound, SymExpr(!Inclusive))));
  }
  return Rest;
}

std::optional<SymExpr> nearest(const Context &Ctx, State &W, const SymExpr &E) {
  const LoopFacts &Facts = Ctx.Flow.loops();
  SymExpr Rest = W.Ar.norm(E);
  for (VarId V = 0; V < Ctx.F.Vars.size(); ++V) {
    const Value Held = W.Vars[V];
    const auto Symbol =
        Held.K == Value::Int ? W.Ar.norm(Held.I).asSymbol() : std::nullopt;
    if (!Symbol || !Rest.contains(*Symbol))
      continue;
    auto C = Facts.counter(V);
    if (!C)
      C = Facts.counter(V, true);
    if (!C || !Ctx.Flow.insideLoop(Ctx.Block, C->Of) || !comesBy(Ctx, C->Of))
      return std::nullopt;
    Rest = W.Ar.substitute(Rest, {{*Symbol, SymExpr(C->Start)}});
  }
  return Rest;
}

} // namespace tensortidy::analysis
