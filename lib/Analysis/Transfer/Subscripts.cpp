//===- Subscripts.cpp - how far a[i][j] goes in its loops -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Subscripts.h"
#include "Analysis/Transfer/Accesses.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Extents.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Sites.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

Value accessorOf(const Stmt &S, const Object &Self) {
  Value V = pointerTo(S, Self);
  V.K = Value::Accessor;
  return V;
}

/// The accessor that \p A is, or null.
static std::shared_ptr<const Pointee> accessorIn(const State &W, const Arg &A) {
  const Value V = A.Value         ? value(W, A.Value)
                  : A.Var != NoId ? W.Vars[A.Var]
                                  : Value();
  return V.K == Value::Accessor ? V.P : nullptr;
}

size_t knownRank(const Object &O) {
  return O.Segment < 0 ? O.L.rank() : static_cast<size_t>(O.Segment);
}

std::optional<SymExpr> accessorSize(const Context &Ctx, const State &W,
                                    const Stmt &S) {
  if (!S.calls(Attribute::AsksSizes) || S.Args.size() != 2)
    return std::nullopt;
  // Evaluated again, its operand is what the variable holds.
  const Stmt *Load =
      S.Args[0].Value ? Ctx.Flow.Values.def(S.Args[0].Value) : nullptr;
  Arg Of = S.Args[0];
  if (Load && Load->O == Op::Load) {
    Of.Value = 0;
    Of.Var = Load->Var;
  }
  const auto P = accessorIn(W, Of);
  const auto Dim = P ? again(Ctx, W, S.Args[1].Value, 0) : std::nullopt;
  const auto At = Dim ? W.Ar.known(*Dim) : std::nullopt;
  if (!At || *At < 0 || !P->Of.HasLayout ||
      static_cast<size_t>(*At) >= knownRank(P->Of))
    return std::nullopt;
  return P->Of.L.Sizes[static_cast<size_t>(*At)];
}

/// One more than index \p V is in the last iteration.
static std::optional<SymExpr> endOf(const Context &Ctx, State &W, ValueId V) {
  const auto I = again(Ctx, W, V, 0);
  const auto Last = I ? farthest(Ctx, W, *I) : std::nullopt;
  if (!Last || *Last == W.Ar.norm(*I)) // in no loop
    return std::nullopt;
  return W.Ar.norm(W.Ar.add(*Last, SymExpr(1)));
}

std::optional<size_t> otherAxis(const Context &Ctx, State &W, const Object &O,
                                size_t Dim, ValueId V) {
  const size_t Rank = knownRank(O);
  const auto End = Dim < Rank ? endOf(Ctx, W, V) : std::nullopt;
  if (!End || !End->asSymbol())
    return std::nullopt;
  if (const auto Same = W.Ar.eq(O.L.Sizes[Dim], *End);
      Same.yes() || (Same.no() && Same.UnlessOne.empty()))
    return std::nullopt;
  for (size_t D = 0; D < Rank; ++D)
    if (D != Dim && W.Ar.norm(O.L.Sizes[D]) == *End)
      return D;
  return std::nullopt;
}

/// Whether index \p V of dimension \p Dim, beside one that counts to the size
/// of Dim, leaves open whether the two sizes are equal: it is one number, or
/// counts to another size as well. `a[i][j]` with i and j below one size, or j
/// below i, is of a square.
static bool leavesOpen(const Context &Ctx, State &W, const Object &O,
                       size_t Dim, ValueId V) {
  const auto I = again(Ctx, W, V, 0);
  return (I && W.Ar.known(*I)) || otherAxis(Ctx, W, O, Dim, V);
}

SymExpr equalSizes(const State &W, const SymExpr &A, const SymExpr &B) {
  return W.Ar.add(W.Ar.sub(W.Ar.norm(A), W.Ar.norm(B)), SymExpr(1));
}

void selectsOtherAxis(const Context &Ctx, State &W, const Stmt &S,
                      const Object &O, size_t Dim) {
  const Arg *Index = findArg(S, "index"), *Self = findArg(S, "self");
  const program::LoopId L = Ctx.F.Blocks[Ctx.Block].InLoop;
  const auto Other = Index && Self && Ctx.H == Hypothesis::Opaque &&
                             L != NoId && !Ctx.Flow.loops().Reshapes[L] &&
                             Ctx.Flow.loops().sameTensor(Self->Value, L)
                         ? otherAxis(Ctx, W, O, Dim, Index->Value)
                         : std::nullopt;
  if (!Other)
    return;
  for (const auto &Use : Ctx.Flow.Values.Uses[S.Result])
    if (const Arg *Next = findArg(*Use.S, "index");
        Use.S->O == Op::Select && Next &&
        !leavesOpen(Ctx, W, O, *Other, Next->Value))
      return;
  const SymExpr Size = W.Ar.norm(O.L.Sizes[Dim]),
                End = W.Ar.norm(O.L.Sizes[*Other]);
  layoutFails(
      Ctx, W, S, {&O},
      refuse<Symbolic>(Rule::SelectRange, {W.Ar.sub(End, SymExpr(1)), Size,
                                           SymExpr(static_cast<int64_t>(Dim))}),
      {equalSizes(W, End, Size)});
}

namespace {
/// a[i][j], up to one of its subscripts, and those behind it.
struct Chain {
  std::shared_ptr<const Pointee> Accessor;
  llvm::SmallVector<ValueId, 4> Indices;
  size_t At = 0; ///< which of them the statement is
};
} // namespace

static Chain chainOf(const Context &Ctx, const State &W, const Stmt &S) {
  Chain C;
  const Stmt *First = &S;
  C.Indices.push_back(S.Args.back().Value);
  while (!(C.Accessor = accessorIn(W, First->Args[0]))) {
    First = First->Args[0].Value ? Ctx.Flow.Values.def(First->Args[0].Value)
                                 : nullptr;
    if (!First || !First->calls(Attribute::Subscript) ||
        First->Args.size() != 2)
      return Chain();
    C.Indices.insert(C.Indices.begin(), First->Args.back().Value);
  }
  C.At = C.Indices.size() - 1;
  for (const Stmt *Last = &S; Last;) {
    const Stmt *Next = nullptr;
    for (const auto &Use : Ctx.Flow.Values.Uses[Last->Result])
      if (Use.S->calls(Attribute::Subscript) && Use.S->Args.size() == 2 &&
          Use.A == &Use.S->Args[0])
        Next = Use.S;
    if (Next)
      C.Indices.push_back(Next->Args.back().Value);
    Last = Next;
  }
  return C;
}

/// Records that index \p End - 1 of dimension \p Dim is read.
static void readsBeyond(const Context &Ctx, State &W, const Stmt &S,
                        const Chain &C, const SymExpr &Last,
                        const std::vector<SymExpr> &Unless) {
  const Object &O = C.Accessor->Of;
  const SymExpr &Size = O.L.Sizes[C.At];
  if (hasNoElements(Ctx, W, S) ||
      isKnownToFit(Ctx, W, S, W.Ar.add(Last, SymExpr(1)), Size, Unless))
    return;
  const auto Repeats = std::exchange(W.Repeats, {});
  if (PointerUse *U =
          wrongUse(Ctx, W, S, *C.Accessor->Taken, O, PointerUse::Subscript)) {
    U->Given = W.Ar.str(Last);
    U->Real = W.Ar.str(Size);
    U->Count = std::to_string(C.At);
    U->Unless = excepted(W, Unless);
  }
  W.Repeats = Repeats;
}

void indexAccessor(const Context &Ctx, State &W, const Stmt &S) {
  if (Ctx.H != Hypothesis::Opaque || S.Args.size() != 2 ||
      Ctx.F.Blocks[Ctx.Block].InLoop == NoId)
    return;
  const Chain C = chainOf(Ctx, W, S);
  if (!C.Accessor || !C.Accessor->Of.HasLayout ||
      C.At >= knownRank(C.Accessor->Of))
    return;
  const Object &O = C.Accessor->Of;
  const SymExpr Size = O.L.Sizes[C.At];
  const ValueId Index = C.Indices[C.At];
  if (const auto I = again(Ctx, W, Index, 0))
    if (const auto First = nearest(Ctx, W, *I);
        First && W.Ar.known(*First).value_or(0) < 0)
      return readsBeyond(Ctx, W, S, C, *First, {});
  const auto End = endOf(Ctx, W, Index);
  if (!End)
    return;
  if (const auto Fits = W.Ar.le(*End, Size); Fits.no())
    return readsBeyond(Ctx, W, S, C, W.Ar.sub(*End, SymExpr(1)),
                       Fits.UnlessOne);
  const auto Other = otherAxis(Ctx, W, O, C.At, Index);
  if (!Other || (*Other < C.Indices.size() &&
                 !leavesOpen(Ctx, W, O, *Other, C.Indices[*Other])))
    return;
  readsBeyond(Ctx, W, S, C, W.Ar.sub(*End, SymExpr(1)),
              {equalSizes(W, *End, Size)});
}

} // namespace tensortidy::analysis
