//===- Observe.cpp - the layouts people ask about -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   auto y = x.transpose(1, 2);    y: [B, C, T], strides [T*C, 1, C]
//
// Only what is known is said: a tensor of unknown layout has no fact, and what
// differs between paths is listed path by path.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Observe.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Layout/Contiguity.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

static ShownLayout shown(const Context &Ctx, const State &W, const Object &O) {
  ShownLayout R;
  R.Ggml = O.Ggml;
  R.Sizes = O.Ggml ? ggmlText(W, O.L, false) : dimsText(W, O, O.L.Sizes);
  if (isContiguous(W.Ar, O.L).yes() && (O.Segment < 0 || O.SegmentDense)) {
    R.O = ShownLayout::Contiguous;
    return R;
  }
  if (O.Segment >= 0 || hasUnknownStride(Ctx, W, O))
    return R;
  R.O = ShownLayout::Strided;
  R.Strides = O.Ggml ? ggmlText(W, O.L, true) : listText(W.Ar, O.L.Strides);
  if (O.Ggml)
    return R;
  if (isContiguous(W.Ar, O.L, MemoryFormat::ChannelsLast).yes())
    R.O = ShownLayout::ChannelsLast;
  else if (isContiguous(W.Ar, O.L, MemoryFormat::ChannelsLast3d).yes())
    R.O = ShownLayout::ChannelsLast3d;
  return R;
}

namespace {
/// Small numbers in place of symbols.
class StandIns {
public:
  StandIns(const Symbolic &Ar, std::vector<int64_t> Choice)
      : Ar(Ar), Choice(std::move(Choice)) {}

  std::optional<int64_t> number(const SymExpr &E0) {
    int64_t Sum = 0;
    const SymExpr E = Ar.norm(E0);
    for (const auto &T : E.terms()) {
      int64_t Product = T.C;
      for (unsigned I = 0; I < T.M.Count; ++I) {
        const auto N = symbol(T.M.S[I]);
        if (!N || __builtin_mul_overflow(Product, *N, &Product))
          return std::nullopt;
      }
      if (__builtin_add_overflow(Sum, Product, &Sum))
        return std::nullopt;
    }
    return Sum;
  }
  /// "B=2, T=3"
  std::string text() const {
    std::string R;
    for (const auto &[S, N] : Order)
      R += (R.empty() ? "" : ", ") + SymbolicText(Ar).name(S) + "=" +
           std::to_string(N);
    return R;
  }

private:
  std::optional<int64_t> symbol(SymbolId S) {
    const SymbolInfo &I = Ar.symbols()[S];
    if (I.K == SymbolInfo::Stride || ++Depth > 200)
      return std::nullopt;
    if (I.K < SymbolInfo::Floor || I.K == SymbolInfo::Big) {
      if (auto It = Given.find(S); It != Given.end())
        return It->second;
      const int64_t N = Choice[Order.size() % Choice.size()];
      Order.emplace_back(S, N);
      Given[S] = N;
      return N;
    }
    const auto A = number(I.A), B = number(I.B);
    if (!A || !B)
      return std::nullopt;
    switch (I.K) {
    case SymbolInfo::Sum:
      return A;
    case SymbolInfo::Min:
      return std::min(*A, *B);
    case SymbolInfo::Max:
      return std::max(*A, *B);
    default:
      break;
    }
    if (*B <= 0 || *A < 0)
      return std::nullopt;
    return I.K == SymbolInfo::Floor  ? *A / *B
           : I.K == SymbolInfo::Ceil ? (*A + *B - 1) / *B
                                     : *A % *B;
  }

  const Symbolic &Ar;
  std::vector<int64_t> Choice;
  std::map<SymbolId, int64_t> Given;
  std::vector<std::pair<SymbolId, int64_t>> Order;
  unsigned Depth = 0;
};
} // namespace

/// Draws \p O into \p Fact.
static void draw(const State &W, const Object &O, ObservedLayout &Fact) {
  DrawnLayout &R = Fact.Of.Drawn;
  R.Ggml = O.Ggml;
  if (O.Segment >= 0) {
    Fact.NotDrawn = ObservedLayout::UnknownRank;
    return;
  }
  // The first that gives every dimension elements.
  for (const std::vector<int64_t> &Choice :
       {std::vector<int64_t>{2, 3}, {2}, {4}, {8, 4}, {64}}) {
    StandIns Small(W.Ar, Choice);
    R.Sizes.clear();
    R.Strides.clear();
    bool Sized = true, Placed = true;
    for (const SymExpr &E : O.L.Sizes) {
      R.Sizes.push_back(Small.number(E).value_or(0));
      Sized = Sized && R.Sizes.back() > 0;
    }
    for (const SymExpr &E : O.L.Strides) {
      const auto N = Small.number(E);
      Placed = Placed && N;
      R.Strides.push_back(N.value_or(0));
    }
    // Where a caller's tensor begins in its memory does not matter.
    R.Offset = Small.number(O.L.Offset).value_or(0);
    R.Where = Small.text();
    Fact.NotDrawn = !Placed           ? ObservedLayout::UnknownStrides
                    : !Sized          ? ObservedLayout::NoElements
                    : R.Sizes.empty() ? ObservedLayout::NoDimensions
                                      : ObservedLayout::None;
    if (Fact.NotDrawn == ObservedLayout::None)
      break;
  }
}

void observe(const Context &Ctx, State &W, const Stmt &S) {
  if (S.Context)
    return; // in a body a call runs: its layouts are those of one call
  Value V;
  if (S.O == Op::Store)
    V = W.Vars[S.Var];
  else if (S.Result)
    V = value(W, S.Result);
  const Object *O = tensor(W, V);
  if (!O || !O->HasLayout || !S.Where.Begin)
    return;
  if (O->Segment >= 0 && O->L.rank() == 1 && !O->SegmentDense)
    return; // nothing but a name
  ObservedLayout &Seen = Ctx.Facts.Layouts[&S];
  LayoutFact &Fact = Seen.Of;
  ShownLayout Now = shown(Ctx, W, *O);
  // A type that has no name here is nobody's business.
  const std::string DType =
      O->DType.empty() || O->DType.front() == '%' ? "" : O->DType;
  if (llvm::is_contained(Seen.Paths, Now))
    return;
  if (Seen.Paths.empty()) {
    Fact.IsStored = S.O == Op::Store;
    Fact.Where = S.Where;
    if (Fact.IsStored && S.Callee.Begin)
      Fact.Where = S.Callee;
    else if (!Fact.IsStored)
      Fact.Point = S.Callee;
    if ((Fact.IsStored || S.O == Op::Load) && S.Var < Ctx.F.Vars.size())
      Fact.Name = Ctx.F.Vars[S.Var].Name;
    Fact.DType = DType;
    draw(W, *O, Seen);
    Seen.Prov = O->Prov;
  } else if (Fact.DType != DType) {
    Fact.DType.clear();
  }
  if (Seen.Paths.size() < 3)
    Seen.Paths.push_back(std::move(Now));
}

/// Whether \p Size is of what no loop, and no two paths, give several values.
static bool staysTheSame(const State &W, const SymExpr &Size) {
  for (const auto &T : Size.terms())
    for (unsigned I = 0; I < T.M.Count; ++I)
      if (W.Ar.symbols()[T.M.S[I]].varies())
        return false;
  return true;
}

void noteInLoop(const Context &Ctx, const State &W, const Stmt &S,
                const Object &O) {
  TensorFact Now;
  Now.DType = O.DType;
  if (O.HasLayout && O.Segment < 0) {
    Now.Rank = static_cast<int>(O.L.rank());
    for (const SymExpr &Size : O.L.Sizes) {
      Now.Sizes.push_back(SymbolicText(W.Ar, true).str(Size));
      Now.Stays.push_back(staysTheSame(W, Size));
    }
  }
  auto [It, New] = Ctx.Facts.InLoops.try_emplace(&S, Now);
  if (New)
    return;
  TensorFact &All = It->second;
  if (All.DType != Now.DType)
    All.DType.clear();
  if (All.Rank != Now.Rank) {
    All.Rank = -1;
    All.Sizes.clear();
    All.Stays.clear();
  }
  for (size_t D = 0; D < All.Sizes.size(); ++D)
    if (All.Sizes[D] != Now.Sizes[D] || !Now.Stays[D]) {
      All.Stays[D] = false;
      if (All.Sizes[D] != Now.Sizes[D])
        All.Sizes[D].clear();
    }
}

} // namespace tensortidy::analysis
