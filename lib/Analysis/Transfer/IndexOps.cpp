//===- IndexOps.cpp - x.index(): integers, slices, tensors ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/IndexOps.h"
#include "Analysis/Transfer/CopyOps.h"
#include "Analysis/Transfer/Evidence.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Needs.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Sites.h"
#include "Analysis/Transfer/ViewOps.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

using SymOutcome = LayoutOutcome<Symbolic>;

/// Whether an index tensor makes index() copy: all do but integers of no
/// dimension.
static Truth indexCopies(State &W, const Value &Index) {
  const Object *O = tensor(W, Index);
  if (!O)
    return Truth::Unknown;
  if (O->DType == "bool" ||
      (O->HasLayout &&
       (O->L.rank() > 1 || (O->Segment < 0 && O->L.rank() == 1))))
    return Truth::Yes;
  return Truth::Unknown;
}

std::vector<Value> indices(State &W, const Stmt &S) {
  const Value L = operand(W, S, "indices");
  if (L.K == Value::List)
    return *L.Elems;
  return L.K == Value::Unknown ? std::vector<Value>() : std::vector<Value>{L};
}

std::optional<Object> indexed(const Context &Ctx, State &W, const Stmt &S,
                              Object &O0, const std::vector<Value> &Idx) {
  // What is indexed one by one has a dimension of its own, here and in O0.
  int64_t Leading = 0;
  for (const Value &V : Idx) {
    if (V.K == Value::Ellipsis)
      break;
    if (V.K == Value::Int || V.K == Value::Slice)
      place(Ctx, W, O0, Leading++);
    else if (V.K != Value::None && V.K != Value::NewAxis)
      break;
  }
  Object O = O0;
  int64_t Dim = 0; // the next dimension; behind `...`, so many from the end
  bool FromEnd = false;
  for (size_t I = 0; I < Idx.size(); ++I) {
    const Value &V = Idx[I];
    SymOutcome Out = SymOutcome::unknown();
    switch (V.K) {
    case Value::Int:
    case Value::Slice: {
      auto P = place(Ctx, W, O, FromEnd ? -Dim : Dim);
      if (!P)
        return std::nullopt;
      Dim += FromEnd ? -1 : V.K == Value::Slice;
      if (V.K == Value::Int) {
        Out = selectAt(Ctx, W, S, O.L, *P, V.I);
        if (O.Segment > *P)
          --O.Segment;
        O.changeRank(-1);
      } else {
        auto Get = [&](size_t K, int64_t Default) -> std::optional<SymExpr> {
          const Value &X = (*V.Elems)[K];
          if (X.K == Value::Int)
            return X.I;
          return X.K == Value::Unknown || X.K == Value::None ||
                         X.K == Value::NewAxis
                     ? std::optional<SymExpr>(Default)
                     : std::nullopt;
        };
        const Value &Stop = (*V.Elems)[1];
        std::optional<SymExpr> End;
        if (Stop.K == Value::Int)
          End = Stop.I;
        auto B = Get(0, 0), St = Get(2, 1);
        if (!B || !St)
          return std::nullopt;
        if (auto At = wrapDim(W.Ar, *P, O.L.rank()); At.ok() && End)
          provesRange(Ctx, W, S, O.L.Sizes[*At], *B, W.Ar.sub(*End, *B));
        Out = slice(W.Ar, O.L, *P, *B, End, *St);
      }
      break;
    }
    case Value::None:
    case Value::NewAxis: {
      auto P = place(Ctx, W, O, FromEnd ? -Dim - 1 : Dim, true);
      if (!P)
        return std::nullopt;
      Out = unsqueeze(W.Ar, O.L, *P);
      if (O.Segment >= *P)
        ++O.Segment;
      O.changeRank(1);
      Dim += !FromEnd;
      break;
    }
    case Value::Ellipsis: {
      int64_t After = 0;
      for (size_t J = I + 1; J < Idx.size(); ++J)
        After += Idx[J].K == Value::Int || Idx[J].K == Value::Slice;
      FromEnd = O.Segment >= 0;
      Dim = FromEnd ? After : static_cast<int64_t>(O.L.rank()) - After;
      continue;
    }
    default: // a tensor or boolean index copies
      return std::nullopt;
    }
    if (!Out.ok()) {
      site(Ctx, W, S, {&O}, Out);
      return std::nullopt;
    }
    O.L = *Out;
  }
  return O;
}

namespace {

/// Indices with tensors among them: what numbers and slices leave of the
/// indexed tensor, and which of its dimensions tensors choose from.
struct ByTensors {
  SymLayout Of;
  std::vector<bool> Indexed;
  std::vector<SymLayout> Layouts;
  SymDims Together; ///< their sizes, broadcast
  bool Strided = true;

  SymDims sizes(State &W) const {
    size_t Before = 0;
    return stationary(W.Ar, Of, Indexed, Together, Before).Sizes;
  }
};

} // namespace

/// Nothing: not all is known of them.
static std::optional<ByTensors> byTensors(const Context &Ctx, State &W,
                                          const Stmt &S, Object &Self,
                                          const std::vector<Value> &Idx) {
  if (Self.Segment >= 0)
    return std::nullopt;
  ByTensors Found;
  Value All; // `:`
  All.K = Value::Slice;
  All.Elems = std::make_shared<const std::vector<Value>>(3);
  std::vector<Value> Plain; // with `:` for tensors
  auto Take = [&](Value As, bool ByTensor) {
    Plain.push_back(std::move(As));
    Found.Indexed.push_back(ByTensor);
  };
  for (size_t I = 0; I < Idx.size(); ++I) {
    const Value &V = Idx[I];
    const auto Part = static_cast<unsigned>(I);
    if (V.K == Value::Int) {
      Plain.push_back(V);
      continue;
    }
    if (V.K == Value::Slice) {
      Take(V, false);
      continue;
    }
    const Object *By = tensor(W, V);
    if (!By || !By->HasLayout || By->Segment >= 0)
      return std::nullopt;
    const bool Mask = By->DType == "bool" || By->DType == "uint8";
    if (!Mask && !llvm::StringRef(By->DType).starts_with("int"))
      return std::nullopt;
    if (By->L.rank() == 0) { // selects, as a number does
      if (Mask)
        return std::nullopt;
      Plain.push_back(Value::integer(
          valueSymbol(Ctx, S, SymbolInfo::Integer, "?", 64 + Part)));
      continue;
    }
    SymLayout L = By->L;
    if (Mask) { // the places of what is true
      L.Sizes =
          SymDims(1, valueSymbol(Ctx, S, SymbolInfo::Size, "?", 64 + Part));
      L.Strides =
          SymDims(1, valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 96 + Part));
    }
    for (size_t D = Mask ? By->L.rank() : 1; D > 0; --D) {
      Take(All, true);
      Found.Layouts.push_back(L);
    }
    Found.Strided &= !Mask;
    auto Both = broadcastSizes(W.Ar, Found.Together, L.Sizes);
    if (!Both.ok())
      return std::nullopt;
    Found.Together = *Both;
  }
  auto Part = indexed(Ctx, W, S, Self, Plain);
  if (!Part)
    return std::nullopt;
  Found.Of = Part->L;
  Found.Indexed.resize(Part->L.rank());
  return Found;
}

std::optional<SymDims> sizesByTensors(const Context &Ctx, State &W,
                                      const Stmt &S, Object &Self,
                                      const std::vector<Value> &Idx) {
  const auto By = byTensors(Ctx, W, S, Self, Idx);
  return By && !By->Layouts.empty() ? std::optional(By->sizes(W))
                                    : std::nullopt;
}

/// index() where tensors are among the indices, as far as all is known of them.
/// False: it is not.
static bool indexedByTensors(const Context &Ctx, State &W, const Stmt &S,
                             Object &Self, const std::vector<Value> &Idx) {
  const auto By = byTensors(Ctx, W, S, Self, Idx);
  if (!By)
    return false;
  if (By->Layouts.empty()) {
    resultView(Ctx, W, S, Self, SymOutcome(By->Of));
    return true;
  }
  auto Out = By->Strided ? layout::indexed(W.Ar, By->Of, By->Indexed,
                                           By->Layouts, By->Together)
                         : SymOutcome::unknown();
  const Object Of = Self;
  if (Out.ok())
    resultFresh(Ctx, W, S, &Of, std::move(Out));
  else
    resultSizes(Ctx, W, S, Of, By->sizes(W));
  return true;
}

static void index(const Context &Ctx, State &W, const Stmt &S, Object &O0) {
  const std::vector<Value> Idx = indices(W, S);
  if (Idx.empty())
    return resultUnknown(Ctx, W, S, false, &O0);
  indexFits(Ctx, W, S, O0, Idx);
  const auto By =
      llvm::find_if(Idx, [](const Value &V) { return V.K == Value::Tensor; });
  if (By != Idx.end() && O0.HasLayout && indexedByTensors(Ctx, W, S, O0, Idx)) {
    copies(Ctx, S, indexCopies(W, *By), {}, W);
    return;
  }
  if (auto O = indexed(Ctx, W, S, O0, Idx)) {
    resultView(Ctx, W, S, O0, SymOutcome(O->L), O->Segment);
    if (Object *R = tensor(W, value(W, S.Result))) {
      R->AtLeast = O->AtLeast;
      R->Over = O->Over;
    }
    return;
  }
  if (By == Idx.end())
    return resultUnknown(Ctx, W, S, false, &O0);
  const Truth Copies = indexCopies(W, *By);
  copies(Ctx, S, Copies, {}, W);
  const Object *Index = tensor(W, *By);
  if (Copies == Truth::Unknown && Index && Index->Root)
    Ctx.Facts.Copies[&S].MayBeNumber = Index->Name;
  resultUnknown(Ctx, W, S, true, &O0);
}

void indexAny(const Context &Ctx, State &W, const Stmt &S, Object *Self) {
  if (Self && !Self->HasLayout) {
    // Which elements are taken decides all the same.
    const Value L = operand(W, S, "indices");
    bool Copies = L.K == Value::Tensor && indexCopies(W, L) == Truth::Yes;
    if (L.K == Value::List)
      for (const Value &V : *L.Elems)
        Copies =
            Copies || (V.K == Value::Tensor && indexCopies(W, V) == Truth::Yes);
    if (Copies)
      copies(Ctx, S, Truth::Yes, {}, W);
    return resultUnknown(Ctx, W, S, Copies, Self);
  }
  if (!Self)
    return resultUnknown(Ctx, W, S, false, Self);
  return index(Ctx, W, S, *Self);
}

} // namespace tensortidy::analysis
