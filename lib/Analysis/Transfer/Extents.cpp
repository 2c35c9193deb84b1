//===- Extents.cpp - how far addresses reach ------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Extents.h"
#include "Analysis/Transfer/Accesses.h"
#include "llvm/ADT/STLFunctionalExtras.h"

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

namespace {
/// A variable that counts in a loop around here: the symbol it holds.
struct Counting {
  SymbolId Symbol;
  std::optional<Counter> By; ///< nothing: it does not count
  bool Inclusive = false;    ///< it reaches its bound
};
} // namespace

/// \p E with each variable in it replaced as \p Take says, which gives nothing
/// where that is not known.
static std::optional<SymExpr>
replaceCounters(const Context &Ctx, const State &W, const SymExpr &E,
                llvm::function_ref<std::optional<SymExpr>(const Counting &,
                                                          const SymExpr &)>
                    Take) {
  const LoopFacts &Facts = Ctx.Flow.loops();
  std::optional<SymExpr> Rest = W.Ar.norm(E);
  if (Rest->constant())
    return Rest;
  W.Vars.forEach([&](VarId V, const Value &Held) { // which live: not all
    const auto Symbol = Rest && Held.K == Value::Int
                            ? W.Ar.norm(Held.I).asSymbol()
                            : std::nullopt;
    if (!Symbol || !Rest->contains(*Symbol))
      return;
    Counting C{*Symbol, Facts.counter(V)};
    if (!C.By) {
      C.By = Facts.counter(V, true);
      C.Inclusive = true;
    }
    if (C.By && !Ctx.Flow.insideLoop(Ctx.Block, C.By->Of))
      C.By.reset();
    Rest = Take(C, *Rest);
  });
  return Rest;
}

std::optional<SymExpr> farthest(const Context &Ctx, State &W,
                                const SymExpr &E) {
  auto Last = [&](const Counting &C,
                  const SymExpr &Rest) -> std::optional<SymExpr> {
    if (!C.By)
      return Rest;
    const auto Bound = again(Ctx, W, C.By->Bound, 0);
    if (!Bound || C.By->Step != 1 || !comesBy(Ctx, C.By->Of))
      return std::nullopt;
    const SymExpr At0 = W.Ar.substitute(Rest, {{C.Symbol, SymExpr(0)}}),
                  At1 = W.Ar.substitute(Rest, {{C.Symbol, SymExpr(1)}}),
                  At2 = W.Ar.substitute(Rest, {{C.Symbol, SymExpr(2)}});
    const SymExpr By = W.Ar.sub(At1, At0);
    if (W.Ar.sub(At2, At1) != By || W.Ar.le(SymExpr(0), By).T != Truth::Yes)
      return std::nullopt;
    return W.Ar.add(At0, W.Ar.mul(By, W.Ar.sub(*Bound, SymExpr(!C.Inclusive))));
  };
  return replaceCounters(Ctx, W, E, Last);
}

std::optional<SymExpr> nearest(const Context &Ctx, State &W, const SymExpr &E) {
  auto First = [&](const Counting &C,
                   const SymExpr &Rest) -> std::optional<SymExpr> {
    if (!C.By || !comesBy(Ctx, C.By->Of))
      return std::nullopt;
    return W.Ar.substitute(Rest, {{C.Symbol, SymExpr(C.By->Start)}});
  };
  return replaceCounters(Ctx, W, E, First);
}

} // namespace tensortidy::analysis
