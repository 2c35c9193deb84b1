//===- Singles.cpp - dimensions of one element ------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: all paths. The dimension that softmax() goes along has one
// element, and that is so by what is written in the function, or in the
// constructor of its object: unsqueeze(), keepdim, a 1 among the sizes.
//
//   score = x @ w                w is a parameter, randn({C, 1})
//   softmax(score, -1)           1 everywhere
//
// A number that has a name, or that is given to the function, may be another
// one elsewhere: nothing is said of it. So is what tests and examples make
// themselves, randn({1, 8}).
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class OneElement {
public:
  explicit OneElement(const CheckRun &C)
      : F(C.F), Held(C.Held), Values(C.Flow.Values), Loops(C.Loops) {}

  /// Whether dimension \p Dim of \p V has one element by what is written;
  /// counted from the end where it is negative. \p Rank is that of V, or -1.
  /// \p Kept: V is a parameter of a module, or a member that its constructor
  /// makes.
  bool isWritten(ValueId V, int64_t Dim, int64_t Rank, bool Kept = false) {
    if (++Steps > 64)
      return false;
    const Stmt *S = Held.origin(V);
    if (S && S->O == Op::Load)
      return isWrittenOfVariable(*S, Dim, Rank);
    if (!S)
      return false;
    const Arg *Self = findArg(*S, "self");
    auto Of = [&](const char *Name, int64_t At, int64_t Its = -1) {
      const Arg *A = findArg(*S, Name);
      return A && isWritten(A->Value, At, Its, Kept);
    };
    switch (S->O) {
    case Op::Unary:
    case Op::CloneDense:
    case Op::PreserveCopy:
    case Op::Clone:
    case Op::To:
    case Op::SameSizes:
    case Op::Contiguous:
    case Op::Detach:
    case Op::MaskedFill:
      return Of("self", Dim, Rank);
    case Op::SelfHandle:
      return Self && isWritten(Self->Value, Dim, Rank,
                               Kept || S->is(Attribute::RegistersParameter));
    case Op::Binary:
      return Dim < 0 && ofBoth(*S, Dim, Kept);
    case Op::MatMul:
    case Op::BMM:
      return Dim == -1   ? Of(S->O == Op::BMM ? "mat2" : "other", -1)
             : Dim == -2 ? Of("self", -2)
                         : false;
    case Op::MM:
      return Dim == -1 ? Of("mat2", -1) : Dim == -2 && Of("self", -2);
    case Op::Linear:
      return Dim == -1 ? Of("weight", 0) : Dim == -2 && Of("input", -2);
    case Op::Conv:
      return isOutput(*S, Dim);
    case Op::Weight:
      return isOne(findArg(*S, "size"), Dim);
    case Op::View:
    case Op::Reshape:
      return isOne(findArg(*S, S->O == Op::View ? "size" : "shape"), Dim);
    case Op::Filled:
    case Op::Random:
    case Op::Empty:
      return Kept && isOne(findArg(*S, "size"), Dim);
    case Op::Narrow:
      return dimension(findArg(*S, "dim"), Dim, Rank) == Dim
                 ? isOne(findArg(*S, "length"))
                 : Of("self", Dim, Rank);
    case Op::Unsqueeze:
      return isUnsqueezed(*S, Dim, Rank, Kept);
    case Op::Reduce:
      return isKept(*S, Dim, Rank, Kept);
    case Op::Transpose:
      return isTransposed(*S, Dim, Rank, Kept);
    default:
      return false;
    }
  }

  /// The same of the only size in operand \p Sizes.
  bool isWrittenIn(const Arg *Sizes) const { return isOne(Sizes, 0); }

private:
  /// Whether \p A is 1, written there and not by a name.
  bool isOne(const Arg *A) const {
    const Stmt *N = A ? Held.def(A->Value) : nullptr;
    return writtenNumber(N) == 1 && !N->IsNamed && !N->TypesVary && !N->InMacro;
  }

  /// The same of element \p At of a list, where all is written in one place.
  bool isOne(const Arg *List, int64_t At) const {
    const Stmt *L = List ? Held.origin(List->Value) : nullptr;
    if (!L || L->O != Op::List)
      return false;
    const auto Size = static_cast<int64_t>(L->Args.size());
    At = At < 0 ? At + Size : At;
    if (At < 0 || At >= Size)
      return false;
    const Arg &A = L->Args[static_cast<size_t>(At)];
    return isOne(&A) && Held.def(A.Value)->Context == L->Context;
  }

  /// The number of an operand that is a dimension, counted as \p Dim is;
  /// nothing where that cannot be told.
  std::optional<int64_t> dimension(const Arg *A, int64_t Dim,
                                   int64_t Rank) const {
    const auto N = Held.number(A);
    if (!N || (*N < 0) == (Dim < 0))
      return N;
    if (Rank < 0)
      return std::nullopt;
    return *N < 0 ? *N + Rank : *N - Rank;
  }

  /// Each operand that is a tensor has one element there.
  bool ofBoth(const Stmt &S, int64_t Dim, bool Kept) {
    bool Any = false;
    for (const char *Name : {"self", "other"}) {
      const Arg *A = findArg(S, Name);
      if (!A)
        return false;
      if (Loops.isNumber(A->Value))
        continue;
      if (!isWritten(A->Value, Dim, -1, Kept))
        return false;
      Any = true;
    }
    return Any;
  }

  /// conv2d(c, 1): one channel.
  bool isOutput(const Stmt &S, int64_t Dim) const {
    const Arg *Weight = findArg(S, "weight");
    const Stmt *W = Weight ? Held.origin(Weight->Value) : nullptr;
    const auto Dims = Held.number(findArg(S, "dims"));
    return W && W->O == Op::Weight && Dims && !findArg(S, "transposed") &&
           (Dim == 1 || Dim == -1 - *Dims) && isOne(findArg(*W, "size"), 0);
  }

  bool isUnsqueezed(const Stmt &S, int64_t Dim, int64_t Rank, bool Kept) {
    const auto New = dimension(findArg(S, "dim"), Dim, Rank);
    const Arg *Self = findArg(S, "self");
    if (!New || !Self)
      return false;
    if (*New == Dim)
      return true;
    const int64_t Moved =
        Dim < 0 ? (Dim < *New ? 1 : 0) : (Dim > *New ? -1 : 0);
    return isWritten(Self->Value, Dim + Moved, Rank < 0 ? -1 : Rank - 1, Kept);
  }

  /// sum(dim, keepdim)
  bool isKept(const Stmt &S, int64_t Dim, int64_t Rank, bool Kept) {
    const Arg *Self = findArg(S, "self"), *Keep = findArg(S, "keepdim");
    const Stmt *Is = Keep ? Held.origin(Keep->Value) : nullptr;
    if (!Self || !Is || Is->O != Op::Const || !Is->Imm)
      return false;
    const auto Of = dimension(findArg(S, "dim"), Dim, Rank);
    return Of && (*Of == Dim || isWritten(Self->Value, Dim, Rank, Kept));
  }

  bool isTransposed(const Stmt &S, int64_t Dim, int64_t Rank, bool Kept) {
    const auto A = dimension(findArg(S, "dim0"), Dim, Rank),
               B = dimension(findArg(S, "dim1"), Dim, Rank);
    const Arg *Self = findArg(S, "self");
    if (!A || !B || !Self)
      return false;
    return isWritten(Self->Value,
                     Dim == *A   ? *B
                     : Dim == *B ? *A
                                 : Dim,
                     Rank, Kept);
  }

  /// Of a member that nothing here changes: what its constructor made of it. Of
  /// other variables: all that they may hold.
  bool isWrittenOfVariable(const Stmt &Load, int64_t Dim, int64_t Rank) {
    const auto Stores = Held.reaching(Load);
    if (!Stores.empty())
      return llvm::all_of(Stores, [&](const Stmt *S) {
        return isWritten(S->Args[0].Value, Dim, Rank);
      });
    const ValueId Made = Values.Stores[Load.Var].empty() ? madeOf(Load.Var) : 0;
    return Made && isWritten(Made, Dim, Rank, true);
  }

  /// What a constructor made the member of, which is told by an assumption that
  /// both have the same sizes; 0: it is not known.
  ValueId madeOf(VarId Member) const {
    ValueId Made = 0;
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.O != Op::Assume || S.Args.size() != 1 || !S.Before)
        return;
      const Stmt *Same = Held.def(S.Args[0].Value);
      if (!Same || Same->O != Op::CmpEq || Same->Args.size() != 2)
        return;
      const ValueId Of = sizesOf(Same->Args[0].Value),
                    As = sizesOf(Same->Args[1].Value);
      if (Of && As && Values.loaded(Of) == Member)
        Made = As;
    });
    return Made;
  }

  ValueId sizesOf(ValueId V) const {
    const Stmt *S = Held.def(V);
    const Arg *Self = S && S->O == Op::Sizes ? findArg(*S, "self") : nullptr;
    return Self ? Self->Value : 0;
  }

  const Function &F;
  const Handles &Held;
  const DefUse &Values;
  const LoopFacts &Loops;
  unsigned Steps = 0;
};

} // namespace

static const char *effectOfOne(const Stmt &S) {
  return S.is(Attribute::AddsUpToOne) ? "every value is 1"
         : S.is(Attribute::NanAlone)  ? "every value is nan"
                                      : "every value is 0";
}

/// layer_norm() gives its bias there.
static bool hasBias(const Stmt &S) {
  return findArg(S, "normalized_shape") != nullptr;
}

void tellSingles(CheckRun &C) {
  for (const auto &[S, Site] : C.Opaque.Singles) {
    if (!Site.One || Site.Other || S->Expected || S->InTry)
      continue;
    const Arg *Self = findArg(*S, "self"),
              *Shape = findArg(*S, "normalized_shape");
    OneElement Of(C);
    if (!Self || (Shape ? !Of.isWrittenIn(Shape)
                        : !Of.isWritten(Self->Value, Site.Dim, Site.Rank)))
      continue;
    Finding Found(Check::ShapeMismatch, 0, *S);
    Found.At = S;
    Found.Message = Site.Call +
                    " goes along a dimension of size 1: " + effectOfOne(*S) +
                    (hasBias(*S) ? ", but for the bias" : "");
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
