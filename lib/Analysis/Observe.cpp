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

#include "Analysis/Machine.h"
#include "Layout/Contiguity.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

/// "[B, ..., C]": the segment stands for any number of dimensions.
static std::string sizesText(const World &W, const Object &O) {
  std::string R = "[";
  for (size_t D = 0; D < O.L.rank(); ++D) {
    R += D ? ", " : "";
    R += static_cast<int>(D) == O.Segment ? "..." : W.Ar.str(O.L.Sizes[D]);
  }
  return R + "]";
}

static bool hasUnknownStride(const World &W, const Symbols &Table,
                             const Object &O) {
  for (const SymExpr &E : O.L.Strides) {
    const SymExpr Stride = W.Ar.norm(E);
    for (const auto &T : Stride.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (Table[T.M.S[I]].K == SymbolInfo::Stride)
          return true;
  }
  return false;
}

static std::string layoutText(const World &W, const Symbols &Table,
                              const Object &O) {
  std::string R = sizesText(W, O);
  if (isContiguous(W.Ar, O.L).yes() && (O.Segment < 0 || O.SegmentDense))
    return R + ", contiguous";
  if (O.Segment >= 0 || hasUnknownStride(W, Table, O))
    return R + ", strides unknown";
  R += ", strides " + listText(W.Ar, O.L.Strides);
  if (isContiguous(W.Ar, O.L, MemoryFormat::ChannelsLast).yes())
    return R + ", channels_last";
  if (isContiguous(W.Ar, O.L, MemoryFormat::ChannelsLast3d).yes())
    return R + ", channels_last_3d";
  return R;
}

void Machine::observe(World &W, const Stmt &S) {
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
  LayoutFact &Fact = R.Layouts[&S];
  std::string Text = layoutText(W, Table, *O);
  if (O->Ggml) // in its own order
    Text = "ne " + ggmlText(W, O->L, false) +
           (isContiguous(W.Ar, O->L).yes() ? ", contiguous"
            : hasUnknownStride(W, Table, *O)
                ? ", nb unknown"
                : ", nb " + ggmlText(W, O->L, true) + " elements");
  // A type that has no name here is nobody's business.
  const std::string DType =
      O->DType.empty() || O->DType.front() == '%' ? "" : O->DType;
  if (std::find(Fact.Layouts.begin(), Fact.Layouts.end(), Text) !=
      Fact.Layouts.end())
    return;
  if (Fact.Layouts.empty()) {
    Fact.IsStored = S.O == Op::Store;
    Fact.Where = S.Where;
    if (Fact.IsStored && S.Callee.Begin)
      Fact.Where = S.Callee;
    else if (!Fact.IsStored)
      Fact.Point = S.Callee;
    if ((Fact.IsStored || S.O == Op::Load) && S.Var < F.Vars.size())
      Fact.Name = F.Vars[S.Var].Name;
    Fact.DType = DType;
    for (const Provenance *P = O->Prov.get(); P && Fact.History.size() < 6;
         P = P->Parent.get())
      if (!P->What.empty())
        Fact.History.push_back(
            {P->Where, P->What + (P->Of.empty() ? "" : " of " + P->Of)});
  } else if (Fact.DType != DType) {
    Fact.DType.clear();
  }
  if (Fact.Layouts.size() < 3)
    Fact.Layouts.push_back(std::move(Text));
}

void Machine::noteInLoop(const World &W, const Stmt &S, const Object &O) {
  TensorFact Now;
  Now.DType = O.DType;
  if (O.HasLayout && O.Segment < 0) {
    Now.Rank = static_cast<int>(O.L.rank());
    for (const SymExpr &Size : O.L.Sizes)
      Now.Sizes.push_back(W.Ar.str(Size));
  }
  auto [It, New] = R.InLoops.try_emplace(&S, Now);
  if (New)
    return;
  TensorFact &All = It->second;
  if (All.DType != Now.DType)
    All.DType.clear();
  if (All.Rank != Now.Rank) {
    All.Rank = -1;
    All.Sizes.clear();
  }
  for (size_t D = 0; D < All.Sizes.size(); ++D)
    if (All.Sizes[D] != Now.Sizes[D])
      All.Sizes[D].clear();
}

} // namespace tensortidy::analysis
