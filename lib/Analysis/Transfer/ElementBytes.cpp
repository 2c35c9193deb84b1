//===- ElementBytes.cpp - the bytes of elements behind pointers -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/ElementBytes.h"
#include "Analysis/Transfer/Accesses.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Sites.h"
#include "Layout/Contiguity.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

/// Whether \p V counts elements: what it is computed from has no number in it
/// that may be the bytes of one.
static bool countsElements(const Context &Ctx, ValueId V, unsigned Depth = 0) {
  const Stmt *D = Ctx.Flow.Values.origin(V);
  if (!D || Depth > 6)
    return false;
  switch (D->O) {
  case Op::Numel:
  case Op::ListSize:
  case Op::Size:
  case Op::Load:
    return true;
  case Op::Const:
    return D->Const == ConstKind::Int && D->Imm > 2 && D->Imm != 4 &&
           D->Imm != 8 && D->Imm != 16;
  case Op::IMul:
    return llvm::all_of(D->Args, [&](const Arg &A) {
      return countsElements(Ctx, A.Value, Depth + 1);
    });
  default:
    return false;
  }
}

/// How many bytes for each of \p All elements \p Bytes counts: 4 in
/// `x.numel() * sizeof(float)`, 1 in `x.numel()`.
static std::optional<int64_t> bytesEach(const Context &Ctx, const State &W,
                                        ValueId Bytes, const SymExpr &All) {
  if (W.Ar.known(All))
    return std::nullopt;
  auto IsAll = [&](ValueId V) {
    const auto N = again(Ctx, W, V, 0);
    return N && W.Ar.eq(*N, All).yes() && countsElements(Ctx, V);
  };
  if (IsAll(Bytes))
    return 1;
  const Stmt *D = Ctx.Flow.Values.origin(Bytes);
  if (!D || D->O != Op::IMul || D->Args.size() != 2)
    return std::nullopt;
  for (size_t I = 0; I < 2; ++I) {
    const auto Each = W.Ar.known(value(W, D->Args[I].Value).I);
    if (value(W, D->Args[I].Value).K == Value::Int && Each &&
        IsAll(D->Args[1 - I].Value))
      return Each;
  }
  return std::nullopt;
}

bool countsOtherBytes(const Context &Ctx, State &W, const Stmt &S,
                      const Pointee &P, const SymExpr &From, ValueId Bytes) {
  const Object &O = P.Of;
  const int64_t Item = itemSize(O.DType);
  if (!Item || !O.HasLayout || !W.Ar.eq(From, SymExpr(0)).yes() ||
      hasNoElements(Ctx, W, S))
    return false;
  const SymExpr All = numel(W.Ar, O.L.Sizes);
  const auto Each = bytesEach(Ctx, W, Bytes, All);
  if (!Each || *Each == Item)
    return false;
  if (PointerUse *U = wrongUse(Ctx, W, S, *P.Taken, O, PointerUse::Bytes)) {
    U->Count = W.Ar.str(All);
    U->Given = std::to_string(*Each);
    U->Real = std::to_string(Item);
    U->Other = O.DType;
  }
  return true;
}

void misreads(const Context &Ctx, State &W, const Stmt &S, const Object &O) {
  const std::string As = operand(W, S, "seen").Text;
  const int64_t Item = itemSize(O.DType), Seen = itemSize(As);
  // Numbers of 16 bits may be looked at by twos, bytes as anything, and complex
  // numbers as what they consist of.
  const bool IsHalf = O.DType == "float16" || O.DType == "bfloat16";
  auto IsFloat = [](llvm::StringRef T) { return T.starts_with("float"); };
  auto IsComplex = [](llvm::StringRef T) {
    return T == "complex64" || T == "complex128";
  };
  if (Item < 2 || Seen < 2 || Item == Seen || IsComplex(O.DType) ||
      IsComplex(As) || (IsHalf && !IsFloat(As)) || hasNoElements(Ctx, W, S))
    return;
  if (PointerUse *U = wrongUse(Ctx, W, S, S, O, PointerUse::Type)) {
    U->Given = As;
    U->Real = O.DType;
  }
}

} // namespace tensortidy::analysis
