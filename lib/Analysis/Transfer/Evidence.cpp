//===- Evidence.cpp - what success proves ---------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Evidence.h"
#include "Layout/Ggml.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

/// Whether \p E is made of numbers that the code knows: of none that only this
/// analysis has a name for, and none that a loop changes.
static bool isSaid(const Context &Ctx, const SymExpr &E) {
  for (const auto &T : E.terms()) {
    if (T.C < 0)
      return false;
    for (unsigned I = 0; I < T.M.Count; ++I) {
      const SymbolInfo &Of = Ctx.Table[T.M.S[I]];
      if (Of.Name == "?" || Of.Rest || Of.Joined || Of.Owner != NoId ||
          Of.K == SymbolInfo::Stride)
        return false;
    }
  }
  return true;
}

bool assumeAtLeast(const Context &Ctx, State &W, const SymExpr &Size0,
                   const SymExpr &Least0) {
  const SymExpr Size = W.Ar.norm(Size0), Least = W.Ar.norm(Least0);
  const auto Of = Size.asSymbol();
  if (!Of || Ctx.Table[*Of].Rest || Ctx.Table[*Of].Owner != NoId ||
      Ctx.Table[*Of].K > SymbolInfo::Stride || Least.contains(*Of) ||
      !isSaid(Ctx, Least) || W.Ar.lt(Size, Least) != Truth::Unknown)
    return false;
  // A size that is compared with a sum: so much is meant to be in it.
  const auto Parts = llvm::count_if(
      Least.terms(), [](const auto &T) { return T.M.Count > 0; });
  if (Parts > 1 && Ctx.Table[*Of].K == SymbolInfo::Size)
    W.Ar.assumeSize(Least);
  W.Ar.assumeAtLeast(*Of, Least);
  return true;
}

/// \p S goes on only where \p Size is \p Least, where a range ends, or more.
static void provesEnd(const Context &Ctx, State &W, const Stmt &S,
                      const SymExpr &Size, const SymExpr &Least) {
  if (isSaid(Ctx, W.Ar.norm(Least)))
    W.Ar.assumeSize(W.Ar.norm(Least));
  if (!assumeAtLeast(Ctx, W, Size, Least))
    return;
  Ctx.Facts.Shown.Floors.push_back(
      {Ctx.Block, *W.Ar.norm(Size).asSymbol(), W.Ar.norm(Least), S.point()});
}

void provesRange(const Context &Ctx, State &W, const Stmt &S,
                 const SymExpr &Size, const SymExpr &Start,
                 const SymExpr &Length) {
  if (!W.Ar.norm(Start).isZero() && isSaid(Ctx, W.Ar.norm(Start)) &&
      isSaid(Ctx, W.Ar.norm(Length)))
    provesEnd(Ctx, W, S, Size, W.Ar.add(Start, Length));
}

void provesIndex(const Context &Ctx, State &W, const Stmt &S,
                 const SymExpr &Size, const SymExpr &Index) {
  if (const auto Known = W.Ar.known(Index); Known && *Known > 0)
    provesEnd(Ctx, W, S, Size, SymExpr(*Known + 1));
}

/// \p Offset without whole steps of \p Step.
static SymExpr within(const Symbolic &Ar, const SymExpr &Offset,
                      SymbolId Step) {
  const SymExpr All = Ar.norm(Offset);
  SymExpr Rest;
  for (const auto &T : All.terms())
    if (!T.M.contains(Step))
      Rest = Ar.add(Rest, SymExpr::monomial(T.M, T.C));
  return Rest;
}

//   [ q q q q k k v v | q q q q k k v v | ... ]     k: 2 from 4 on, of each row
//
// Where rows are no longer than what is taken of each, an offset that is not so
// many rows would lead into the next one.
void provesRows(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                const SymLayout &L, const SymExpr &Offset) {
  using ggml::at;
  SymExpr Row(1); // from its first element to its last
  for (size_t I = 0; I < ggml::Rank; ++I) {
    const SymExpr &Size = L.Sizes[at(I)];
    const SymExpr Stride = W.Ar.norm(L.Strides[at(I)]);
    if (W.Ar.known(Size) == 1)
      continue;
    const auto Step = Stride.asSymbol();
    bool AllRows = Step.has_value();
    for (size_t D = 0; AllRows && D < ggml::Rank; ++D)
      if (W.Ar.eq(Of.L.Strides[at(D)], Stride).yes())
        AllRows = !W.Ar.eq(Of.L.Sizes[at(D)], Size).no();
    if (I > 0 && AllRows && !Row.contains(*Step))
      provesEnd(Ctx, W, S, Stride, W.Ar.add(within(W.Ar, Offset, *Step), Row));
    Row = W.Ar.add(Row, W.Ar.mul(W.Ar.sub(Size, SymExpr(1)), Stride));
  }
}

std::vector<Note> proofs(const Context &Ctx, const State &W,
                         const SymDims &Dims) {
  std::map<SymbolId, const Evidence::Floor *> Best; // what says the most
  for (const Evidence::Floor &F : Ctx.Facts.Shown.Floors) {
    const auto Known = W.Ar.floors().find(F.Of);
    if (Known == W.Ar.floors().end() ||
        !llvm::is_contained(Known->second, F.Least) ||
        llvm::none_of(Dims, [&](const SymExpr &E) {
          return W.Ar.norm(E).contains(F.Of);
        }))
      continue;
    const Evidence::Floor *&Told = Best[F.Of];
    if (!Told || W.Ar.lt(F.Least, Told->Least) == Truth::No)
      Told = &F;
  }
  std::vector<Note> Found;
  for (const auto &[Of, F] : Best)
    Found.push_back({F->Where, W.Ar.str(SymExpr::symbol(Of)) + " is at least " +
                                   W.Ar.str(F->Least) + " by this"});
  return Found;
}

} // namespace tensortidy::analysis
