//===- FromBlobOps.cpp - from_blob(): memory, sizes, types ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/FromBlobOps.h"
#include "Analysis/Transfer/Accesses.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Promotion.h"
#include "llvm/ADT/StringExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

static std::optional<SymExpr> vectorSize(const Context &Ctx, State &W,
                                         const Stmt &Data);

void checkBlob(const Context &Ctx, State &W, const Stmt &S,
               const std::optional<SymDims> &Sizes) {
  BlobSite &Site = Ctx.Facts.Blobs[&S];
  if (!Site.Message.empty())
    return;
  std::string Element = operand(W, S, "element").Text;
  Object Told;
  setDType(Ctx, W, S, Told);
  // Half-precision numbers travel as 16-bit integers.
  const bool Half = Element == "int16" &&
                    (Told.DType == "float16" || Told.DType == "bfloat16");
  // Whatever it is, it can be seen as bytes.
  const bool AsBytes = Told.DType == "uint8" || Told.DType == "int8";
  if (!Element.empty() && !Told.DType.empty() && Element != Told.DType &&
      !Half && !AsBytes && Element != "byte") {
    bool Given = findArg(S, "options") || findArg(S, "dtype");
    Site.Message = S.Text + "() takes memory of " + Element + " for " +
                   Told.DType + (Given ? "" : ", its default") +
                   ": the values are wrong";
    return;
  }
  if (!Sizes)
    return;
  std::optional<SymDims> Strides;
  if (findArg(S, "strides")) {
    Strides = sizesArg(Ctx, W, S, "strides");
    if (!Strides)
      return;
    if (Strides->size() != Sizes->size()) {
      Site.Message = S.Text + "() gets " + std::to_string(Sizes->size()) +
                     " sizes and " + std::to_string(Strides->size()) +
                     " strides";
      return;
    }
    for (const SymExpr &St : *Strides)
      if (W.Ar.lt(St, SymExpr(0)) == Truth::Yes) {
        Site.Message = S.Text + "() gets a negative stride, " + W.Ar.str(St);
        return;
      }
  }
  Value Capacity = operand(W, S, "capacity");
  // The elements of a vector, as it is now.
  const Arg *Data = findArg(S, "data");
  const Stmt *From = Data ? Ctx.Flow.DefOf[Data->Value] : nullptr;
  if (From && From->is(Attribute::GivesMemory) && !From->Args.empty()) {
    const Arg &Of = From->Args[0];
    const Value V = Of.Value ? value(W, Of.Value) : W.Vars[Of.Var];
    if (V.K == Value::List)
      Capacity = Value::integer(SymExpr(static_cast<int64_t>(V.Elems->size())));
  }
  if (From && Capacity.K != Value::Int)
    if (auto N = vectorSize(Ctx, W, *From))
      Capacity = Value::integer(*N);
  const bool Bytes =
      Element == "byte" &&
      (Told.DType == "uint8" || Told.DType == "int8" || Told.DType == "bool");
  if (Capacity.K != Value::Int || (Element != Told.DType && !Bytes))
    return;
  SymLayout L;
  L.Sizes = *Sizes;
  L.Strides = Strides ? *Strides : denseStrides(W.Ar, L.Sizes);
  const SymExpr Needs = storageSpan(W.Ar, L);
  // With any elements to read at all, it reads too many. Sizes are 1 or more
  // then, and what the memory was counted with is not negative.
  auto Open = [&](const SymExpr &E0) { // n + 1 is one size, and a sum
    const SymExpr E = W.Ar.norm(E0);
    std::map<SymbolId, SymExpr> Sums;
    for (const SymExpr::Term &T : E.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (Ctx.Table[T.M.S[I]].K == SymbolInfo::Sum)
          Sums[T.M.S[I]] = Ctx.Table[T.M.S[I]].A;
    return W.Ar.substitute(E, Sums);
  };
  std::map<SymbolId, SymExpr> More;
  for (const SymExpr &N : L.Sizes) {
    if (const auto Symbol = Open(N).asSymbol())
      More[*Symbol] = W.Ar.add(SymExpr::symbol(*Symbol), SymExpr(1));
    else if (W.Ar.known(N) && *W.Ar.known(N) <= 0)
      return;
  }
  const SymExpr Excess =
      W.Ar.substitute(Open(W.Ar.sub(Needs, Capacity.I)), More);
  const SymExpr Has = Open(Capacity.I);
  const bool Grows = llvm::all_of(Excess.terms(), [&](const SymExpr::Term &T) {
    for (unsigned I = 0; I < T.M.Count; ++I)
      if (!More.count(T.M.S[I]) && !Has.contains(T.M.S[I]))
        return false;
    return T.C > 0;
  });
  const bool Always = llvm::any_of(
      Excess.terms(), [](const SymExpr::Term &T) { return T.M.Count == 0; });
  if (Grows && Always)
    Site.Message = S.Text + "() reads " + W.Ar.str(Needs) +
                   " elements of memory that has " + W.Ar.str(Capacity.I);
}

/// How many elements the vector whose `data()` is \p Data has: that it was made
/// with, or resized to, and nothing else changes it.
static std::optional<SymExpr> vectorSize(const Context &Ctx, State &W,
                                         const Stmt &Data) {
  if (!Data.is(Attribute::GivesMemory) || Data.Args.empty())
    return std::nullopt;
  const VarId V = Data.Args[0].Var;
  if (V == NoId || Ctx.F.Vars[V].Type != VarType::List ||
      Ctx.F.Vars[V].IsMember || Ctx.F.Vars[V].IsParam ||
      Ctx.F.Vars[V].IsReference || Ctx.F.Vars[V].Borrows ||
      Ctx.F.Vars[V].IsCaptured)
    return std::nullopt;
  const Stmt *Made = nullptr, *Resized = nullptr;
  bool Other = false;
  for (const Stmt *T : Ctx.Flow.loops().Stores[V])
    if (T) { // what has no statement is looked at below
      Other = Other || Made;
      Made = Ctx.Flow.DefOf[T->Args[0].Value];
    }
  forEachStmt(Ctx.F, [&](BlockId, const Stmt &T) {
    for (const Arg &A : T.Args) {
      if (!T.isOpaque() || A.R != Role::Write || A.Var != V ||
          leavesMemory(T) || T.O == Op::StoreElement || T.O == Op::Assign)
        continue;
      Other = Other || Resized || !T.is(Attribute::Resizes);
      Resized = &T;
    }
  });
  if (!Made || Other)
    return std::nullopt;
  const bool Empty = (Made->O == Op::List && Made->Args.empty()) ||
                     (Made->is(Attribute::MakesVector) && Made->Args.empty());
  // What its variables held then, they hold now.
  auto Count = [&](ValueId N) -> std::optional<SymExpr> {
    llvm::SmallVector<ValueId, 8> Parts{N};
    for (size_t I = 0; I < Parts.size() && I < 16; ++I) {
      const Stmt *D = Ctx.Flow.DefOf[Parts[I]];
      if (!D ||
          (D->O == Op::Load && (Ctx.Flow.loops().Stores[D->Var].size() > 1 ||
                                Ctx.F.Vars[D->Var].IsCaptured)))
        return std::nullopt;
      for (const Arg &A : D->Args)
        Parts.push_back(A.Value);
    }
    return again(Ctx, W, N, 0);
  };
  if (Resized)
    return Empty && Resized->Args.size() > 1 ? Count(Resized->Args[1].Value)
                                             : std::nullopt;
  while (Made && Made->O == Op::ListCopy)
    Made = Ctx.Flow.DefOf[Made->Args[0].Value];
  if (!Made)
    return std::nullopt;
  if (Made->O == Op::List) // written out, in braces
    return SymExpr(static_cast<int64_t>(Made->Args.size()));
  // vector(n), vector(n, x)
  return Made->is(Attribute::MakesVector) &&
                 (Made->Args.size() == 1 || Made->Args.size() == 2)
             ? Count(Made->Args[0].Value)
             : std::nullopt;
}

} // namespace tensortidy::analysis
