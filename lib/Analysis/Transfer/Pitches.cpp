//===- Pitches.cpp - strides handed on with raw pointers -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Pitches.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Traversal.h"
#include "Layout/Contiguity.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

std::vector<Given> givenTo(const Context &Ctx, const State &W, const Stmt &S) {
  std::vector<Given> All;
  for (const Arg &A : S.Args) {
    const Value V = value(W, A.Value);
    const Stmt *D = A.Value ? Ctx.Flow.DefOf[A.Value] : nullptr;
    if (V.K != Value::List || !D || D->O != Op::List ||
        D->Args.size() != V.Elems->size() ||
        llvm::none_of(*V.Elems,
                      [](const Value &E) { return E.K == Value::Pointer; })) {
      All.push_back({V, A.Value, A.Name, false});
      continue;
    }
    for (size_t I = 0; I < V.Elems->size(); ++I)
      All.push_back({(*V.Elems)[I], D->Args[I].Value, A.Name, true});
  }
  return All;
}

std::optional<WrongStep> wrongPitch(const State &W, const Object &O,
                                    const SymExpr &Given,
                                    const std::vector<SymExpr> &Numbers) {
  // Of a transposed matrix, dense memory, it may be told elsewhere.
  std::vector<size_t> Order;
  if (!O.HasLayout || O.Segment >= 0 || O.L.rank() < 2)
    return std::nullopt;
  const bool Packed = isContiguous(W.Ar, O.L).yes();
  if (!Packed && density(W.Ar, O.L, Order) != Density::Gaps)
    return std::nullopt;
  const SymDims &Sizes = O.L.Sizes, &Real = O.L.Strides,
                Dense = denseStrides(W.Ar, Sizes);
  const SymExpr Item(std::max<int64_t>(itemSize(O.DType), 1));
  auto Is = [&](const SymExpr &A, const SymExpr &B) {
    return W.Ar.eq(A, B).yes();
  };
  auto Has = [&](const SymExpr &N) {
    return llvm::any_of(Numbers, [&](const SymExpr &M) { return Is(M, N); });
  };
  auto Found = [&](const SymExpr &Taken,
                   const SymExpr &Is) -> std::optional<WrongStep> {
    return W.Ar.eq(Taken, Is).no() ? std::optional(WrongStep{Taken, Is})
                                   : std::nullopt;
  };
  for (size_t D = 0; D < O.L.rank(); ++D)
    if (!isOne(W.Ar, Sizes[D]) &&
        (Is(Given, Real[D]) || Is(Given, W.Ar.mul(Real[D], Item)))) {
      // B*T rows are as far apart as those of T.
      SymExpr Rows = Sizes[D];
      for (size_t Last = D + 1; Last + 1 < O.L.rank(); ++Last) {
        if (!Is(Real[Last - 1], W.Ar.mul(Real[Last], Sizes[Last])) ||
            isOne(W.Ar, Sizes[Last]) || Has(Sizes[D]) || Has(Sizes[Last]))
          return std::nullopt;
        Rows = W.Ar.mul(Rows, Sizes[Last]);
        if (Has(Rows))
          return Found(Real[D], Real[Last]);
      }
      return std::nullopt;
    }
  if (Packed)
    return std::nullopt;
  for (size_t D = 0; D + 1 < O.L.rank(); ++D)
    if (!isOne(W.Ar, Sizes[D]) && !isOne(W.Ar, Dense[D]) &&
        (Is(Given, Dense[D]) || Is(Given, W.Ar.mul(Dense[D], Item))))
      return Found(Dense[D], Real[D]);
  return std::nullopt;
}

static bool isPitch(const Context &Ctx, const Given &A) {
  return A.V.K == Value::Int &&
         (A.Name == "stride" || namesStride(Ctx, A.Of, 0));
}

std::vector<SymExpr> pitchesOf(const Context &Ctx,
                               const std::vector<Given> &Args, size_t Of) {
  const bool Alone = llvm::all_of(Args, [&](const Given &A) {
    return &A == &Args[Of] || A.V.K == Value::Int || A.V.K == Value::Bool ||
           A.V.K == Value::Symbol || A.V.K == Value::None;
  });
  std::vector<SymExpr> Found;
  for (size_t I = Alone ? 0 : Of + 1; I < Args.size(); ++I) {
    if (I != Of && isPitch(Ctx, Args[I]))
      Found.push_back(Args[I].V.I);
    else if (!Alone)
      break;
  }
  return Found;
}

std::optional<WrongStep> strangeStep(const Context &Ctx, const State &W,
                                     const std::vector<Given> &Args,
                                     size_t Of) {
  auto IsPointer = [&](size_t I) { return Args[I].V.K == Value::Pointer; };
  size_t First = Of, End = Of + 1, Last = 0;
  while (First > 0 && IsPointer(First - 1))
    --First;
  while (End < Args.size() && IsPointer(End))
    ++End;
  for (Last = End; Last < Args.size() && isPitch(Ctx, Args[Last]);)
    ++Last;
  const Object &O = Args[Of].V.P->Of;
  if (End - First < 2 || Last - End != End - First || !O.HasLayout ||
      O.Segment >= 0)
    return std::nullopt;
  const SymExpr &Given = Args[End + (Of - First)].V.I;
  auto Has = [&](const Object &T, size_t D) {
    const SymExpr Item(std::max<int64_t>(itemSize(T.DType), 1));
    return !W.Ar.eq(T.L.Strides[D], Given).no() ||
           !W.Ar.eq(W.Ar.mul(T.L.Strides[D], Item), Given).no();
  };
  for (size_t D = 0; D < O.L.rank(); ++D)
    if (Has(O, D))
      return std::nullopt;
  for (size_t I = First; I < End; ++I) {
    const Object &T = Args[I].V.P->Of;
    if (I == Of || !T.HasLayout || T.Segment >= 0 || T.L.rank() != O.L.rank() ||
        T.Storage == O.Storage)
      continue;
    for (size_t D = 0; D < T.L.rank(); ++D)
      if (W.Ar.eq(T.L.Sizes[D], O.L.Sizes[D]).yes() &&
          W.Ar.eq(T.L.Strides[D], Given).yes())
        return WrongStep{Given, O.L.Strides[D]};
  }
  return std::nullopt;
}

std::optional<SymExpr> gapsWithin(const State &W, const Object &O,
                                  const std::vector<SymExpr> &Pitches,
                                  const std::vector<SymExpr> &Numbers) {
  if (!O.HasLayout || O.Segment >= 0 || Pitches.size() != 1)
    return std::nullopt;
  auto Is = [&](const SymExpr &A, const SymExpr &B) {
    return W.Ar.eq(A, B).yes();
  };
  std::optional<size_t> Pitched;
  for (size_t D = 0; D < O.L.rank(); ++D)
    if (!isOne(W.Ar, O.L.Sizes[D]) && Is(O.L.Strides[D], Pitches[0])) {
      if (Pitched)
        return std::nullopt;
      Pitched = D;
    }
  if (!Pitched || *Pitched + 2 >= O.L.rank())
    return std::nullopt;
  SymLayout Inner = O.L;
  Inner.Sizes.erase(Inner.Sizes.begin(), Inner.Sizes.begin() + *Pitched + 1);
  Inner.Strides.erase(Inner.Strides.begin(),
                      Inner.Strides.begin() + *Pitched + 1);
  std::vector<size_t> Order;
  auto IsIn = [&](const SymExpr &What, llvm::ArrayRef<SymExpr> Of) {
    return llvm::any_of(Of, [&](const SymExpr &N) { return Is(N, What); });
  };
  const bool Told = llvm::all_of(Inner.Sizes, [&](const SymExpr &Size) {
    return isOne(W.Ar, Size) || IsIn(Size, Numbers);
  });
  const bool Others = llvm::any_of(Inner.Strides, [&](const SymExpr &Stride) {
    return IsIn(Stride, Numbers) && !IsIn(Stride, Inner.Sizes);
  });
  if (density(W.Ar, Inner, Order) != Density::Gaps || !Told || Others)
    return std::nullopt;
  return numel(W.Ar, Inner.Sizes);
}

/// The tensor whose stride or size \p V is, if it is one as it was asked for.
static const Object *askedFor(const Context &Ctx, const State &W, ValueId V) {
  const Stmt *D = Ctx.Flow.Values.origin(V);
  const Arg *Self = D && (D->O == Op::Stride || D->O == Op::Size)
                        ? findArg(*D, "self")
                        : nullptr;
  const Stmt *From = Self ? Ctx.Flow.DefOf[Self->Value] : nullptr;
  Value Of = Self ? value(W, Self->Value) : Value();
  if (From && From->O == Op::Load && Of.isNothing())
    Of = W.Vars[From->Var]; // in an earlier block
  return Of.K == Value::Tensor ? W.Objects.find(Of.T) : nullptr;
}

std::vector<SymExpr> ownPitches(const Context &Ctx, const State &W,
                                const std::vector<Given> &Args, size_t Of) {
  auto Has = [&](const Given &A, const Given &Pitch) {
    const Object &O = A.V.P->Of;
    const Object *Asked = askedFor(Ctx, W, Pitch.Of);
    return (Asked && Asked->Storage == O.Storage) ||
           (O.HasLayout &&
            llvm::any_of(O.L.Strides, [&](const SymExpr &Stride) {
              return W.Ar.eq(Stride, Pitch.V.I).yes();
            }));
  };
  std::vector<SymExpr> Own;
  for (const Given &A : Args) {
    if (!isPitch(Ctx, A))
      continue;
    const bool Others = llvm::any_of(Args, [&](const Given &B) {
      return &B != &Args[Of] && B.V.K == Value::Pointer && Has(B, A);
    });
    if (!Others || Has(Args[Of], A))
      Own.push_back(A.V.I);
  }
  return Own;
}

bool areOthers(const Context &Ctx, const State &W, const Stmt &S,
               const std::vector<Given> &Args, size_t Of) {
  if (S.Strided || !ownPitches(Ctx, W, Args, Of).empty())
    return false;
  return llvm::all_of(Args, [&](const Given &A) {
    return !A.IsField && (A.V.K == Value::Int || !namesStride(Ctx, A.Of, 0));
  });
}

bool areSizes(const Context &Ctx, const State &W,
              const std::vector<Given> &Args, const Object &O) {
  const SymExpr All = numel(W.Ar, O.L.Sizes);
  return llvm::all_of(Args, [&](const Given &A) {
    if (A.V.K != Value::Int || W.Ar.known(A.V.I) || W.Ar.divExact(All, A.V.I))
      return true;
    const Object *Asked = askedFor(Ctx, W, A.Of);
    return Asked && Asked->Storage != O.Storage;
  });
}

} // namespace tensortidy::analysis
