//===- Queries.cpp - what a tensor is, and its memory -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/ByteBlocks.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Devices.h"
#include "Analysis/Transfer/ElementBytes.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Sites.h"
#include "Analysis/Transfer/Subscripts.h"
#include "Analysis/Transfer/Transfer.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

/// data_ptr<T>() and accessor<T, N>() throw unless dtype and rank are those. A
/// tensor of unknown rank has that one from here on.
static void access(const Context &Ctx, State &W, const Stmt &S, Object &O) {
  const Value Wanted = operand(W, S, "dtype");
  // A macro's body may be compiled for every dtype and run for one.
  if (Wanted.K == Value::Symbol && !Wanted.Text.empty() && !O.DType.empty() &&
      !S.InMacro && !S.TypesVary) {
    if (Wanted.Text == O.DType || Wanted.Text == storedAs(O.DType))
      ++Ctx.Facts.Sites[&S].Ok;
    else
      dtypeFails(Ctx, W, S, O, {Wanted.Text});
  }
  auto Rank = intArg(W, S, "dims");
  if (!Rank || !O.HasLayout)
    return;
  if (O.Segment >= 0) {
    setRank(Ctx, W, O, static_cast<unsigned>(*Rank));
    return;
  }
  const auto Have = static_cast<int64_t>(O.L.rank());
  if (Have == *Rank)
    ++Ctx.Facts.Sites[&S].Ok;
  else
    layoutFails(
        Ctx, W, S, {&O},
        refuse<Symbolic>(Rule::RankWanted, {SymExpr(*Rank), SymExpr(Have)}),
        {});
}

static void sizeOrStride(TENSORTIDY_OPERANDS) {
  auto D = dimArg(Ctx, W, S, Self, "dim");
  if (!D)
    return unknownInt(Ctx, W, S);
  int64_t N = static_cast<int64_t>(Self->L.rank());
  // What is read in a public field.
  const bool Unchecked = S.is(Attribute::Unguarded);
  int64_t At = *D < 0 && !Unchecked ? *D + N : *D;
  if (Unchecked && At >= N)
    noElement(Ctx, W, S, At, N);
  if (Unchecked && (At < 0 || At >= N))
    return unknownInt(Ctx, W, S);
  if (At < 0 || At >= N) {
    site(Ctx, W, S, {Self}, wrapDim(W.Ar, *D, static_cast<size_t>(N), false));
    return unknownInt(Ctx, W, S);
  }
  Ctx.Facts.Answered.insert(&S);
  const SymExpr &Asked = S.O == Op::Size
                             ? Self->L.Sizes[static_cast<size_t>(At)]
                             : Self->L.Strides[static_cast<size_t>(At)];
  // x.unsqueeze(1).size(2) is x.size(1), in the user's words.
  if (const auto Id = Asked.asSymbol(); Id && !Self->Name.empty()) {
    SymbolInfo &Called = Ctx.Table[*Id];
    const auto Dim = intArg(W, S, "dim");
    const std::string Of = nameAt(Ctx, S, *Self);
    const std::string Here = (Of.empty() ? Self->Name : Of) +
                             (S.O == Op::Size ? ".size(" : ".stride(") +
                             (Dim ? std::to_string(*Dim) : "?") + ")";
    if (!Called.Named && Dim && llvm::StringRef(Called.Name).contains(")."))
      Called.call(Here, false, Ctx.Ids.Line);
    else if (Dim)
      nameHere(Ctx, S, Asked, Here);
  }
  return setResult(W, S, Value::integer(Asked));
}
TENSORTIDY_TRANSFER_AS(Size, sizeOrStride)
TENSORTIDY_TRANSFER_AS(Stride, sizeOrStride)

static void allSizes(TENSORTIDY_OPERANDS) {
  if (!Self || !Self->HasLayout)
    return setResult(W, S, Value());
  if (Self->Segment >= 0) {
    Value V;
    if (S.O == Op::Sizes) {
      V.K = Value::Symbol;
      V.Text = "%sizes";
      V.T = operand(W, S, "self").T;
    }
    return setResult(W, S, std::move(V));
  }
  std::vector<Value> E;
  for (const SymExpr &X : S.O == Op::Sizes ? Self->L.Sizes : Self->L.Strides)
    E.push_back(Value::integer(X));
  return setResult(W, S, Value::list(std::move(E)));
}
TENSORTIDY_TRANSFER_AS(Sizes, allSizes)
TENSORTIDY_TRANSFER_AS(Strides, allSizes)

TENSORTIDY_TRANSFER(Dim) {
  if (!Self || !Self->HasLayout)
    return unknownInt(Ctx, W, S);
  return setResult(W, S, rank(Ctx, W, operand(W, S, "self").T, *Self));
}

TENSORTIDY_TRANSFER(Numel) {
  if (!Self || !Self->HasLayout)
    return unknownInt(Ctx, W, S);
  return setResult(W, S, Value::integer(numel(W.Ar, Self->L.Sizes)));
}

TENSORTIDY_TRANSFER(StorageOffset) {
  if (!Self || !Self->HasLayout)
    return unknownInt(Ctx, W, S);
  return setResult(W, S, Value::integer(Self->L.Offset));
}

TENSORTIDY_TRANSFER(IsContiguous) {
  auto C = std::make_shared<Condition>();
  bool Known = true;
  C->F = formatArg(W, S, MemoryFormat::Contiguous, Known);
  if (!Self || !Known)
    return setResult(
        W, S, Value::condition(atom("v" + std::to_string(S.Result), "")));
  C->K = Condition::Contiguous;
  C->T = operand(W, S, "self").T;
  C->Where = S.Where;
  return setResult(W, S, Value::condition(std::move(C)));
}

TENSORTIDY_TRANSFER(Defined) {
  auto C = std::make_shared<Condition>();
  C->K = Condition::Defined;
  C->T = operand(W, S, "self").T;
  const Arg *Of = findArg(S, "self");
  const VarId V = Of ? Ctx.Flow.Values.loaded(Of->Value) : VarId(NoId);
  if (V != NoId && Ctx.F.Vars[V].Base != NoId)
    Ctx.Asked.DefinedIn.emplace(definedKey(C->T), Ctx.F.Vars[V].Base);
  return setResult(W, S, Value::condition(std::move(C)));
}

TENSORTIDY_TRANSFER(IsSameSize) {
  auto C = std::make_shared<Condition>();
  C->K = Condition::SameSizes;
  C->T = operand(W, S, "self").T;
  C->Other = operand(W, S, "other").T;
  return setResult(
      W, S,
      Value::condition(C->T && C->Other
                           ? CondRef(std::move(C))
                           : atom("v" + std::to_string(S.Result), "")));
}

TENSORTIDY_TRANSFER(SuggestMemoryFormat) {
  Value V;
  V.K = Value::Symbol;
  V.Text = "%format";
  V.T = operand(W, S, "self").T;
  if (Self && Self->HasLayout && Self->Segment < 0)
    if (auto Fmt = suggestMemoryFormat(W.Ar, Self->L))
      V.Text = name(*Fmt);
  return setResult(W, S, V.T ? std::move(V) : Value());
}

static void dtypeOf(TENSORTIDY_OPERANDS) {
  Value V;
  V.K = Value::Symbol;
  if (Self) {
    V.Text = Self->DType;
    if (S.O == Op::DTypeOf) // which it may be found to be
      V.T = operand(W, S, "self").T;
  }
  if (S.O == Op::OptionsOf && V.Text.empty())
    V.Text = "unknown";
  if (S.O == Op::OptionsOf && Self) {
    Value Format;
    Format.K = Value::None;
    V.Elems = std::make_shared<const std::vector<Value>>(
        std::vector<Value>{Format, deviceOf(operand(W, S, "self").T, *Self)});
  }
  return setResult(W, S, std::move(V));
}
TENSORTIDY_TRANSFER_AS(DTypeOf, dtypeOf)
TENSORTIDY_TRANSFER_AS(OptionsOf, dtypeOf)

TENSORTIDY_TRANSFER(QueryOther) {
  if (S.is(Attribute::Output))
    for (const Arg &A : S.Args)
      if (const Object *O = tensor(W, value(W, A.Value)))
        Ctx.Facts.Outputs.insert(O->Storage);
  if (Self && S.is(Attribute::MovesBlock) && !movesBytes(Ctx, W, S))
    moveBlock(Ctx, W, S, *Self);
  if (const int64_t Item = Self ? itemSize(Self->DType) : 0) {
    if (S.is(Attribute::BytesEach))
      return setResult(W, S, Value::integer(SymExpr(Item)));
    if (S.is(Attribute::CountsBytes) && Self->HasLayout)
      return setResult(
          W, S,
          Value::integer(W.Ar.mul(SymExpr(Item), numel(W.Ar, Self->L.Sizes))));
  }
  return setResult(W, S, Value());
}

static void noLayout(TENSORTIDY_OPERANDS) { setResult(W, S, Value()); }
TENSORTIDY_TRANSFER_AS(Backward, noLayout)

static void pointerInto(TENSORTIDY_OPERANDS) {
  if (Self)
    access(Ctx, W, S, *Self);
  if (Self && S.is(Attribute::BorrowsSizes)) // the others are for kernels
    readsOnHost(Ctx, W, S, *Self);
  if (Self && findArg(S, "seen"))
    misreads(Ctx, W, S, *Self);
  if (Self && S.O == Op::Accessor)
    return setResult(W, S, accessorOf(S, *Self));
  if (!Self || S.O != Op::DataPtr || Self->Ggml)
    return setResult(W, S, Value());
  Object Of = *Self;
  if (Of.DType.empty()) // or it throws
    Of.DType = operand(W, S, "dtype").Text;
  return setResult(W, S, pointerTo(S, Of));
}
TENSORTIDY_TRANSFER_AS(DataPtr, pointerInto)
TENSORTIDY_TRANSFER_AS(Accessor, pointerInto)

TENSORTIDY_TRANSFER(Item) {
  if (Self && Self->HasLayout) {
    SymExpr N = numel(W.Ar, Self->L.Sizes);
    auto One = W.Ar.eq(N, SymExpr(1));
    if (One.no() && One.UnlessOne.empty())
      layoutFails(Ctx, W, S, {Self}, refuse<Symbolic>(Rule::ManyElements, {N}),
                  {});
    else
      ++(One.yes() ? Ctx.Facts.Sites[&S].Ok : Ctx.Facts.Sites[&S].Unknown);
  }
  return unknownInt(Ctx, W, S);
}

} // namespace tensortidy::analysis
