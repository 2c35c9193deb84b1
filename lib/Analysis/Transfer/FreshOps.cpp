//===- FreshOps.cpp - operations that make a tensor -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/FreshOps.h"
#include "Analysis/Transfer/AxisOrder.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/CopyOps.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/FromBlobOps.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/OwnReductions.h"
#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Shapes.h"
#include "Analysis/Transfer/Sites.h"
#include "Analysis/Transfer/Spreads.h"
#include "Analysis/Transfer/Transfer.h"
#include "Layout/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

using SymOutcome = LayoutOutcome<Symbolic>;

void noteAllocation(const Context &Ctx, State &W, const Stmt &S,
                    const Object &O) {
  Amount Size = amount(W, O);
  if (!Size.Number.empty())
    Ctx.Facts.AllocationSize[&S] = std::move(Size);
}

/// The sizes of tensor({{1, 2}, {3, 4}}), of tensor(1) and of tensor(v).
static std::optional<SymDims> literalSizes(const Context &Ctx, State &W,
                                           const Stmt &S) {
  const Arg *Data = findArg(S, "data");
  Value V = operand(W, S, "data");
  SymDims Sizes;
  while (V.K == Value::List) {
    Sizes.push_back(SymExpr(static_cast<int64_t>(V.Elems->size())));
    V = V.Elems->empty() ? Value::number() : V.Elems->front();
  }
  if (V.K != Value::Unknown && V.K != Value::Each)
    return Sizes;
  if (!Sizes.empty()) // of numbers, or of lists
    return std::nullopt;
  // A list that nobody knows is one of numbers.
  const Stmt *D = Data ? Ctx.Flow.DefOf[Data->Value] : nullptr;
  if (D && D->O == Op::ListCopy)
    D = Ctx.Flow.DefOf[D->Args[0].Value];
  if (D && D->O == Op::Load && Ctx.F.Vars[D->Var].Type == VarType::List)
    return SymDims(1, valueSymbol(Ctx, S, SymbolInfo::Size, "?"));
  return std::nullopt;
}

/// empty, zeros, full, rand: the sizes as given.
static void makeSized(const Context &Ctx, State &W, const Stmt &S,
                      Object *Self) {
  bool Known = true;
  MemoryFormat Fmt = formatArg(W, S, MemoryFormat::Contiguous, Known);
  auto New = sizesArg(Ctx, W, S, "size");
  // Options from elsewhere may carry a memory format, which empty() heeds.
  if (S.O == Op::Empty && findArg(S, "options") &&
      operand(W, S, "options").K == Value::Unknown &&
      (!New || New->size() == 4 || New->size() == 5))
    return resultUnknown(Ctx, W, S, true, Self);
  if (!Known)
    return resultUnknown(Ctx, W, S, true, Self);
  if (!New) {
    Value V = operand(W, S, "size");
    const Object *O = sizesOf(W, V);
    if (O && O->HasLayout && Fmt == MemoryFormat::Contiguous) {
      const Object Of = *O;
      resultFresh(Ctx, W, S, nullptr, SymOutcome(denseLayout(W.Ar, Of.L.Sizes)),
                  Of.Segment);
      if (Object *New = tensor(W, value(W, S.Result)))
        New->rankFrom(Of);
      return;
    }
    if (Fmt == MemoryFormat::Contiguous)
      return resultDense(Ctx, W, S, std::nullopt, nullptr);
    return resultUnknown(Ctx, W, S, true, Self);
  }
  SymLayout L;
  L.Sizes = *New;
  L.Offset = SymExpr(0);
  resultFresh(
      Ctx, W, S, nullptr,
      copyAs(W.Ar, L,
             Fmt == MemoryFormat::Preserve ? MemoryFormat::Contiguous : Fmt));
}

/// A size of the result of \p S, as one may write it: `(a + b).size(1)`.
static std::string sizeOf(const Stmt &S, llvm::ArrayRef<const Object *> Of,
                          size_t Dim) {
  std::string Name = Of[0]->Name;
  if (Name.empty() || (Of.size() > 1 && Of[1]->Name.empty()))
    return "?";
  if (S.Text.empty() || llvm::isAlpha(S.Text[0]) || S.Text[0] == '_')
    Name += "." + S.Text + "(...)";
  else if (Of.size() > 1)
    Name = "(" + Name + " " + S.Text + " " + Of[1]->Name + ")";
  return Name + ".size(" + std::to_string(Dim) + ")";
}

static bool broadcastTails(const Context &Ctx, State &W, const Stmt &S,
                           llvm::ArrayRef<const Object *> Of, bool Dense);

static void elementwise(const Context &Ctx, State &W, const Stmt &S,
                        const std::vector<Value> &Vs) {
  std::vector<const SymLayout *> Ops;
  const SymLayout Scalar;
  const Object *First = nullptr;
  std::vector<const Object *> Tensors;
  int Segment = -1;
  bool Open = false, SameSegments = true, AllDense = true;
  for (const Value &V : Vs) {
    if (V.K == Value::Tensor) {
      const Object *O = tensor(W, V);
      if (!O || !O->HasLayout) {
        Open = true;
        continue;
      }
      if (!First) {
        First = O;
        Segment = O->Segment;
      }
      Tensors.push_back(O);
      SameSegments = SameSegments && O->Segment == Segment;
      AllDense = AllDense && isContiguous(W.Ar, O->L).yes() &&
                 (O->Segment < 0 || O->SegmentDense);
      Ops.push_back(&O->L);
    } else if (V.K == Value::Int || V.K == Value::Bool || V.Text == "%number") {
      Ops.push_back(&Scalar);
    } else if (V.K == Value::Unknown) {
      Open = true;
    }
  }
  if (Open || !First)
    return resultUnknown(Ctx, W, S, true, First);
  SymDims Sizes = Ops[0]->Sizes;
  bool Sized = Segment < 0 || SameSegments;
  // Equal pseudo layouts have equal hidden dimensions only when the segments
  // have one size.
  for (const SymLayout *L : Ops)
    if (Segment >= 0 && L != &Scalar)
      Sized = Sized && L->rank() == First->L.rank() &&
              W.Ar.eq(L->Sizes[static_cast<size_t>(Segment)],
                      First->L.Sizes[static_cast<size_t>(Segment)])
                  .yes();
  bool Either = false; // a size is one of two
  for (size_t I = 1; Sized && I < Ops.size(); ++I) {
    auto B = broadcastSizes(W.Ar, Sizes, Ops[I]->Sizes);
    if (Segment < 0 && SameSegments)
      site(Ctx, W, S, Tensors, B);
    if (Segment < 0 && SameSegments && B.isUnknown()) {
      Either = true;
      B = broadcastSizes(W.Ar, Sizes, Ops[I]->Sizes,
                         [&](const SymExpr &P, const SymExpr &Q, size_t D) {
                           SymExpr Size = valueSymbol(
                               Ctx, S, SymbolInfo::Size, sizeOf(S, Tensors, D),
                               static_cast<unsigned>(256 + 32 * I + D));
                           const bool Left = isNamed(W, P);
                           broadcastsTo(W, Size, Left ? P : Q, Left ? &Q : &P);
                           Ctx.Ids.NamedByExpression.insert(*Size.asSymbol());
                           return std::optional<SymExpr>(Size);
                         });
    }
    Sized = B.ok();
    if (Sized)
      Sizes = *B;
  }
  if (!Sized || !SameSegments) {
    if ((Segment >= 0 || !SameSegments) &&
        broadcastTails(Ctx, W, S, Tensors, AllDense))
      return;
    // Broadcasting contiguous operands gives a contiguous result.
    return AllDense ? resultDense(Ctx, W, S, std::nullopt, First)
                    : resultUnknown(Ctx, W, S, true, First);
  }
  if (Either && AllDense)
    return resultDense(Ctx, W, S, std::move(Sizes), First);
  auto Out = layout::elementwise(W.Ar, Ops, Sizes);
  if (Out.ok() && (Segment < 0 || First->SegmentDense))
    return resultFresh(Ctx, W, S, First, std::move(Out), Segment);
  // Sizes are known, strides are not.
  const Object Of = *First;
  resultSizes(Ctx, W, S, Of, std::move(Sizes));
}

/// masked_fill(): of the sizes that self and the mask have together, packed.
/// A mask that nobody knows is taken for one that fits into self, as most do.
static void maskedFill(const Context &Ctx, State &W, const Stmt &S,
                       Object *Self) {
  const Object *Mask = tensorArg(Ctx, W, S, "mask");
  if (!Self || !Self->HasLayout)
    return resultDense(Ctx, W, S, std::nullopt, Self);
  if (!Mask || !Mask->HasLayout || Mask->leastRank() <= Self->leastRank()) {
    const bool Known =
        Mask && Mask->HasLayout && Mask->Segment < 0 && Self->Segment < 0;
    if (!Known && Self->Segment < 0 && Self->L.rank() == 0)
      return resultDense(Ctx, W, S, std::nullopt, Self);
    // What is 1 grows to the size of the mask.
    const bool Grows = Mask && Mask->HasLayout &&
                       llvm::any_of(Self->L.Sizes, [](const SymExpr &E) {
                         return E.constant() == 1;
                       });
    if (Known ? broadcastSizes(W.Ar, Self->L.Sizes, Mask->L.Sizes).isUnknown()
              : !Grows)
      return packedLike(Ctx, W, S, Self);
  }
  elementwise(Ctx, W, S, {operand(W, S, "self"), operand(W, S, "mask")});
  if (Object *O = tensor(W, value(W, S.Result)); O && O->HasLayout) {
    O->L = denseLayout(W.Ar, O->L.Sizes);
    O->SegmentDense = O->Segment >= 0;
  }
}

/// Operands some of whose dimensions nobody counted: those counted from the
/// back broadcast. False: there are none.
static bool broadcastTails(const Context &Ctx, State &W, const Stmt &S,
                           llvm::ArrayRef<const Object *> Of, bool Dense) {
  size_t Known = 0;
  unsigned AtLeast = 0;
  for (const Object *O : Of) {
    AtLeast = std::max(AtLeast, O->leastRank());
    Known = std::max(Known, O->tail().size());
  }
  SymDims Tail;
  bool Any = false;
  for (size_t Back = Known; Back > 0; --Back) {
    std::optional<SymExpr> Size;
    bool Open = false;
    for (const Object *O : Of) {
      const SymDims Sizes = O->tail();
      if (Sizes.size() < Back) {
        Open |= O->Segment >= 0; // it may have this one
        continue;
      }
      const SymExpr &Here = Sizes[Sizes.size() - Back];
      if (!Size) {
        Size = Here;
        continue;
      }
      auto Both = broadcastSizes(W.Ar, SymDims(1, *Size), SymDims(1, Here));
      if (Both.failed()) {
        LayoutError<SymExpr> E = Both.error();
        if (E.R == Rule::BroadcastSize) // counted from the back
          E.Values[2] = SymExpr(-static_cast<int64_t>(Back));
        layoutFails(Ctx, W, S, Of, E, Both.unlessOne(), "", true);
      }
      if (!Both.ok())
        return false;
      Size = (*Both)[0];
    }
    // What one of them leaves open, another decides that cannot grow.
    const auto One = W.Ar.eq(*Size, SymExpr(1));
    const bool Grows = Open && !(One.no() && One.UnlessOne.empty());
    Any |= !Grows || isNamed(W, *Size);
    // One that has no name is written as what it broadcasts from.
    Tail.push_back(Grows ? valueSymbol(Ctx, S, SymbolInfo::Size,
                                       isNamed(W, *Size) ? "" : "?",
                                       160 + static_cast<unsigned>(Back))
                         : *Size);
    if (Grows)
      broadcastsTo(W, Tail.back(), *Size, nullptr);
  }
  if (!Any)
    return false;
  resultTail(Ctx, W, S, Of.front(), std::move(Tail), Dense, AtLeast);
  return true;
}

/// sum() and its kin of a tensor whose dimensions nobody counted, over some
/// that are counted from one end: what is known is known from that end.
///   [a, b, ...].sum(1, true)  ->  [a, 1, ...]
static void reduceUncounted(const Context &Ctx, State &W, const Stmt &S,
                            Object &Self, const std::vector<int64_t> &Over,
                            bool Keep) {
  const bool Front = !Over.empty() && Over.front() >= 0;
  if (Over.empty() ||
      llvm::any_of(Over, [&](int64_t D) { return (D >= 0) != Front; }))
    return resultDense(Ctx, W, S, std::nullopt, &Self);
  for (const int64_t D : Over)
    if (!place(Ctx, W, Self, D))
      return resultDense(Ctx, W, S, std::nullopt, &Self);
  if (Self.Segment < 0) { // its rank came out
    auto Out = reduceSizes(W.Ar, Self.L.Sizes, Over, Keep);
    return resultDense(Ctx, W, S,
                       Out.ok() ? std::optional<SymDims>(*Out) : std::nullopt,
                       &Self);
  }
  const auto At = Self.L.Sizes.begin() + Self.Segment;
  const SymDims Known = Front ? SymDims(Self.L.Sizes.begin(), At) : Self.tail();
  auto Out = reduceSizes(W.Ar, Known, Over, Keep);
  if (!Out.ok())
    return resultDense(Ctx, W, S, std::nullopt, &Self);
  const unsigned Gone = static_cast<unsigned>(Known.size() - Out->size());
  const unsigned AtLeast = std::max(Self.leastRank(), Gone) - Gone;
  const int Before = Front ? static_cast<int>(Out->size()) : 0;
  resultTail(Ctx, W, S, &Self, std::move(*Out), /*Dense=*/true, AtLeast,
             Before);
}

/// sum() and its kin: without the dimensions it goes over, packed.
static void reduce(const Context &Ctx, State &W, const Stmt &S, Object *Self) {
  if (!Self || !Self->HasLayout)
    return resultDense(Ctx, W, S, std::nullopt, Self);
  std::vector<int64_t> Over;
  if (findArg(S, "dim")) {
    auto D = dimsArg(W, S, "dim");
    if (!D && operand(W, S, "dim").K != Value::None)
      return resultDense(Ctx, W, S, std::nullopt, Self);
    if (D)
      Over = *D;
  }
  Value K = operand(W, S, "keepdim");
  bool Keep = false;
  if (K.K == Value::Bool) {
    Truth T = evaluate(Ctx, W, *K.C);
    if (T == Truth::Unknown)
      return resultDense(Ctx, W, S, std::nullopt, Self);
    Keep = T == Truth::Yes;
  }
  if (Self->Segment >= 0)
    return reduceUncounted(Ctx, W, S, *Self, Over, Keep);
  if (Keep && S.is(Attribute::KeepsOneDim) &&
      Self->L.rank() == 0) // keeps one more
    return resultDense(Ctx, W, S, std::nullopt, Self);
  auto Out = reduceSizes(W.Ar, Self->L.Sizes, Over, Keep);
  site(Ctx, W, S, {Self}, Out);
  return resultDense(
      Ctx, W, S, Out.ok() ? std::optional<SymDims>(*Out) : std::nullopt, Self);
}

/// Whether the last dimension was counted from the front only, or not at all
/// and may be one of those.
static bool isLastFromFront(const Object &O) {
  return O.Segment > 0 && O.Segment + 1 == static_cast<int>(O.L.rank());
}

/// \p X, of which the first sizes are known only, with \p Last for its last
/// one, which may be the last of those.
///   [a, b, ...], of two dimensions or more   ->   [a, ..., last]
static void replaceLast(const Context &Ctx, State &W, const Stmt &S,
                        const Object &X, const SymExpr &Last) {
  const int Front = std::min(X.Segment, static_cast<int>(X.leastRank()) - 1);
  SymDims Sizes(X.L.Sizes.begin(), X.L.Sizes.begin() + std::max(Front, 0));
  Sizes.push_back(Last);
  resultTail(Ctx, W, S, &X, std::move(Sizes), /*Dense=*/true, X.leastRank(),
             std::max(Front, 0));
}

/// X.matmul(Y), where only the rank of the matrix Y is known: X has one
/// dimension or more, and the last one is multiplied.
static bool rowsTimes(const Context &Ctx, State &W, const Stmt &S, Object &X,
                      const Object &Y) {
  if (!X.HasLayout || X.Segment < 0 || !Y.HasLayout || Y.Segment >= 0 ||
      Y.L.rank() != 2)
    return false;
  if (isLastFromFront(X)) {
    replaceLast(Ctx, W, S, X, Y.L.Sizes[1]);
    return true;
  }
  if (!place(Ctx, W, X, -1))
    return false;
  const SymDims Weight{Y.L.Sizes[1], Y.L.Sizes[0]}; // as linear() takes it
  site(Ctx, W, S, {&X, &Y}, linearSizes(W.Ar, X.L.Sizes, Weight), true);
  W.Ar.assumeEqual(X.L.Sizes.back(), Y.L.Sizes[0]);
  SymDims Sizes = X.L.Sizes;
  Sizes.back() = Y.L.Sizes[1];
  resultFresh(Ctx, W, S, &X, SymOutcome(denseLayout(W.Ar, Sizes)), X.Segment);
  return true;
}

/// matmul(), or mm() and bmm() by the rank they want.
static void product(const Context &Ctx, State &W, const Stmt &S,
                    llvm::StringRef Left, llvm::StringRef Right,
                    unsigned Rank) {
  Object *Y = tensorArg(Ctx, W, S, Right), *X = tensorArg(Ctx, W, S, Left);
  Y = tensorArg(Ctx, W, S, Right);
  sameDTypes(Ctx, W, S, X, Y);
  if (X && Y && Rank)
    for (Object *O : {X, Y})
      if (O->Segment >= 0)
        setRank(Ctx, W, *O, Rank);
  if (X) // whose last dimension is summed over, whatever Y is
    noteSummedAxis(Ctx, W, S, Left, *X, 1);
  if (!Rank && X && Y && rowsTimes(Ctx, W, S, *X, *Y))
    return;
  if (!X || !Y || !X->HasLayout || !Y->HasLayout || X->Segment >= 0 ||
      Y->Segment >= 0)
    return resultDense(Ctx, W, S, std::nullopt, X);
  // Few products have a batch of one beside one of many.
  auto Sizes = [&] {
    return Rank ? productSizes(W.Ar, Rank, X->L.Sizes, Y->L.Sizes)
                : matmulSizes(W.Ar, X->L.Sizes, Y->L.Sizes,
                              [](const SymExpr &P, const SymExpr &, size_t) {
                                return std::optional<SymExpr>(P);
                              });
  };
  auto Out = Sizes();
  bool Possible = site(Ctx, W, S, {X, Y}, Out);
  size_t NX = X->L.rank(), NY = Y->L.rank();
  if (Possible && NX && NY) { // one that does not throw has equal inner sizes
    W.Ar.assumeEqual(X->L.Sizes[NX - 1], Y->L.Sizes[NY > 1 ? NY - 2 : 0]);
    if (Rank == 3) // bmm() does not broadcast
      W.Ar.assumeEqual(X->L.Sizes[0], Y->L.Sizes[0]);
    Out = Sizes();
    noteSummedAxis(Ctx, W, S, Right, *Y, NY > 1 ? 2 : 1);
  }
  return resultDense(Ctx, W, S,
                     Out.ok() ? std::optional<SymDims>(*Out) : std::nullopt, X);
}

/// input @ weight.t().
static void linear(const Context &Ctx, State &W, const Stmt &S) {
  Object *X = tensorArg(Ctx, W, S, "input"),
         *Wt = tensorArg(Ctx, W, S, "weight");
  X = tensorArg(Ctx, W, S, "input");
  sameDTypes(Ctx, W, S, X, Wt);
  takesMatrix(Ctx, W, X);
  const bool Uncounted = X && isLastFromFront(*X);
  if (!X || !X->HasLayout ||
      (!Uncounted && (!place(Ctx, W, *X, -1) || X->L.rank() == 0)))
    return resultDense(Ctx, W, S, std::nullopt, X);
  const bool Weighs = Wt && Wt->HasLayout && setRank(Ctx, W, *Wt, 2);
  const SymExpr OutSize =
      Weighs ? Wt->L.Sizes[0] : valueSymbol(Ctx, S, SymbolInfo::Size, "?");
  if (Uncounted)
    return replaceLast(Ctx, W, S, *X, OutSize);
  if (Weighs) {
    // Rows before the last dimension may be a segment: only a name in text.
    site(Ctx, W, S, {X, Wt}, linearSizes(W.Ar, X->L.Sizes, Wt->L.Sizes), true);
    W.Ar.assumeEqual(X->L.Sizes.back(), Wt->L.Sizes[1]);
  }
  SymDims D = X->L.Sizes;
  D.back() = OutSize;
  return resultFresh(Ctx, W, S, X, SymOutcome(denseLayout(W.Ar, D)),
                     X->Segment);
}

/// cat() of tensors some of whose ranks are not known. False: nothing more is
/// known of them than of others.
static bool catenateTails(const Context &Ctx, State &W, const Stmt &S,
                          llvm::ArrayRef<Object *> Of, int64_t Dim) {
  size_t Known = SIZE_MAX;
  bool Segments = false, Differ = false, Dense = true;
  unsigned AtLeast = 0;
  for (const Object *O : Of) {
    if (!O || !O->HasLayout)
      return false;
    Segments |= O->Segment >= 0;
    Known = std::min(Known, O->tail().size());
    AtLeast = std::max(AtLeast, O->leastRank());
    Dense &=
        isContiguous(W.Ar, O->L).yes() && (O->Segment < 0 || O->SegmentDense);
  }
  if (!Segments || Known == 0)
    return false;
  for (const Object *O : Of) {
    auto Same = W.Ar.eq(O->L.Sizes.back(), Of[0]->L.Sizes.back());
    Differ |= Same.no() && Same.UnlessOne.empty();
  }
  // Sizes differ in the dimension they are joined at only: it is the last one.
  if (Dim >= 0 && Differ) {
    for (Object *O : Of)
      if (O->Segment >= 0)
        setRank(Ctx, W, *O, static_cast<unsigned>(Dim + 1));
    return false;
  }
  if (Dim != -1)
    return false;
  SymDims Tail = Of[0]->tail();
  Tail.erase(Tail.begin(), Tail.end() - static_cast<int64_t>(Known));
  for (const Object *O : Of.drop_front())
    Tail.back() = W.Ar.add(Tail.back(), O->L.Sizes.back());
  Tail.back() = W.Ar.asSize(Tail.back());
  resultTail(Ctx, W, S, Of[0], std::move(Tail), Dense, AtLeast);
  return true;
}

/// stack() of tensors of unknown rank, which all have the same sizes:
///   [a, ..., b] of contiguous memory, twice, at 1  ->  [a, 2, ..., b]
static bool stackTails(const Context &Ctx, State &W, const Stmt &S,
                       llvm::ArrayRef<Object *> Of, int64_t Dim) {
  std::optional<unsigned> Rank;
  bool Segments = false, Dense = true;
  for (const Object *O : Of) {
    if (!O || !O->HasLayout)
      return false;
    if (O->Segment < 0)
      Rank = static_cast<unsigned>(O->L.rank());
    Segments |= O->Segment >= 0;
    Dense &=
        isContiguous(W.Ar, O->L).yes() && (O->Segment < 0 || O->SegmentDense);
  }
  if (!Segments)
    return false;
  if (Rank) { // one tells it of the others
    for (Object *O : Of)
      if (O->Segment >= 0 && !setRank(Ctx, W, *O, *Rank))
        break;
    return false;
  }
  Object &First = *Of[0];
  const auto D = place(Ctx, W, First, Dim, true);
  if (!D)
    return false;
  auto Out = unsqueeze(W.Ar, First.L, *D);
  const auto At = wrapDim(W.Ar, *D, First.L.rank() + 1);
  if (!Out.ok() || !At.ok())
    return false;
  Object N;
  N.HasLayout = true;
  N.Segment = First.Segment + (First.Segment >= static_cast<int>(*At));
  Out->Sizes[*At] = SymExpr(static_cast<int64_t>(Of.size()));
  N.L.Sizes = Out->Sizes;
  if (Dense) {
    N.L = denseLayout(W.Ar, Out->Sizes);
    N.SegmentDense = true;
  } else {
    for (unsigned I = 0; I < N.L.Sizes.size(); ++I)
      N.L.Strides.push_back(
          valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 128 + I));
  }
  N.rankFrom(First);
  N.DType = First.DType;
  N.Prov = provenance(Ctx, W, S, &First, true);
  result(Ctx, W, S, std::move(N));
  return true;
}

/// cat() and stack() go on only where all have one rank: what is not known has
/// that of the others. A vector says nothing, which may be the empty one that
/// cat() takes beside any.
static void meetRanks(const Context &Ctx, State &W,
                      llvm::ArrayRef<Object *> All) {
  const auto *Known = llvm::find_if(All, [](const Object *O) {
    return O && O->HasLayout && O->Segment < 0 && O->L.rank() > 1;
  });
  if (Known == All.end())
    return;
  const auto Rank = static_cast<unsigned>((*Known)->L.rank());
  for (Object *O : All)
    if (O && O->HasLayout && O->Segment >= 0 && O->Root)
      setRank(Ctx, W, *O, Rank);
}

/// cat() and stack().
static void catenate(const Context &Ctx, State &W, const Stmt &S) {
  Value L = operand(W, S, "tensors");
  auto D = intArg(W, S, "dim", 0);
  std::vector<const SymLayout *> Ops;
  const Object *First = nullptr;
  if (L.K == Value::Each)
    return catenateEach(Ctx, W, S, L, D);
  bool Ok = L.K == Value::List && D;
  const auto AtLeast = intArg(W, S, "at_least", 0);
  std::vector<const Object *> Tensors;
  if (Ok && !L.Elems->empty() && !findArg(S, "at_least")) {
    std::vector<Object *> All;
    for (const Value &V : *L.Elems)
      All.push_back(tensor(W, V));
    meetRanks(Ctx, W, All);
    if (S.O == Op::Cat ? catenateTails(Ctx, W, S, All, *D)
                       : stackTails(Ctx, W, S, All, *D))
      return;
  }
  if (Ok)
    for (const Value &V : *L.Elems) {
      const Object *O = tensor(W, V);
      Ok = Ok && O && O->HasLayout && O->Segment < 0 &&
           static_cast<int64_t>(O->L.rank()) >= AtLeast.value_or(0);
      if (Ok) {
        Ops.push_back(&O->L);
        Tensors.push_back(O);
      }
      First = First ? First : O;
    }
  if (!Ok)
    return resultUnknown(Ctx, W, S, true, First);
  // Sizes that may differ are equal, or it throws.
  const auto At = S.O == Op::Cat && !Ops.empty()
                      ? wrapDim(W.Ar, *D, Ops[0]->rank())
                      : Outcome<Symbolic, size_t>(SIZE_MAX);
  for (const SymLayout *L : Ops)
    for (size_t I = 0; At.ok() && I < L->rank(); ++I)
      if (L->rank() == Ops[0]->rank() && I != *At &&
          W.Ar.eq(L->Sizes[I], Ops[0]->Sizes[I]).unknown())
        W.Ar.assumeEqual(L->Sizes[I], Ops[0]->Sizes[I]);
  auto Join = [&](const std::vector<const SymLayout *> &Of) {
    return S.O == Op::Cat ? layout::cat(W.Ar, Of, *D)
                          : layout::stack(W.Ar, Of, *D);
  };
  auto Out = Join(Ops);
  site(Ctx, W, S, Tensors, Out);
  if (Out.isUnknown()) { // the format, not the sizes
    std::vector<SymLayout> Dense;
    std::vector<const SymLayout *> Of;
    for (const SymLayout *O : Ops)
      Dense.push_back(denseLayout(W.Ar, O->Sizes));
    for (const SymLayout &O : Dense)
      Of.push_back(&O);
    if (auto Sized = Join(Of); Sized.ok()) {
      for (unsigned I = 0; I < Sized->rank(); ++I)
        Sized->Strides[I] =
            valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 128 + I);
      Out = std::move(Sized);
    }
  }
  bool OneType = true;
  for (const Object *O : Tensors)
    OneType = OneType && O->DType == First->DType;
  resultFresh(Ctx, W, S, First, std::move(Out));
  if (Object *O = tensor(W, value(W, S.Result)); O && !OneType)
    O->DType.clear();
}

TENSORTIDY_TRANSFER(Weight) {
  resultDense(Ctx, W, S, sizesArg(Ctx, W, S, "size"), nullptr);
  if (Object *O = tensor(W, value(W, S.Result))) {
    O->Name = "weight";
    O->DType = operand(W, S, "dtype").Text;
  }
}

TENSORTIDY_TRANSFER_AS(EmptyLike, freshLike)
TENSORTIDY_TRANSFER_AS(FilledLike, freshLike)
TENSORTIDY_TRANSFER_AS(RandomLike, freshLike)

TENSORTIDY_TRANSFER_AS(MaskedFill, maskedFill)

TENSORTIDY_TRANSFER_AS(Empty, makeSized)
TENSORTIDY_TRANSFER_AS(Filled, makeSized)
TENSORTIDY_TRANSFER_AS(Random, makeSized)

TENSORTIDY_TRANSFER(Arange) {
  auto B = exprArg(W, S, "start"), E = exprArg(W, S, "end");
  if (E && !findArg(S, "step") && (B || !findArg(S, "start")))
    return resultDense(
        Ctx, W, S, SymDims(1, W.Ar.asSize(B ? W.Ar.sub(*E, *B) : *E)), nullptr);
  auto Step = intArg(W, S, "step");
  auto From = intArg(W, S, "start"), To = intArg(W, S, "end");
  if (Step && From && To && *Step > 0 && *To >= *From)
    return resultDense(Ctx, W, S,
                       SymDims(1, SymExpr((*To - *From + *Step - 1) / *Step)),
                       nullptr);
  return resultDense(Ctx, W, S,
                     SymDims(1, valueSymbol(Ctx, S, SymbolInfo::Size, "?")),
                     nullptr);
}

TENSORTIDY_TRANSFER(Eye) {
  auto N = exprArg(W, S, "n"), M = exprArg(W, S, "m");
  SymDims D;
  D.push_back(N ? *N : valueSymbol(Ctx, S, SymbolInfo::Size, "?", 0));
  D.push_back(M ? *M
              : !findArg(S, "m")
                  ? D[0]
                  : valueSymbol(Ctx, S, SymbolInfo::Size, "?", 1));
  return resultDense(Ctx, W, S, D, nullptr);
}

TENSORTIDY_TRANSFER(Linspace) {
  auto N = exprArg(W, S, "steps");
  return resultDense(
      Ctx, W, S,
      SymDims(1, N ? *N : valueSymbol(Ctx, S, SymbolInfo::Size, "?")), nullptr);
}

TENSORTIDY_TRANSFER(TensorOf) {
  return resultDense(Ctx, W, S, literalSizes(Ctx, W, S), nullptr);
}

TENSORTIDY_TRANSFER(DenseFresh) {
  return resultDense(Ctx, W, S, std::nullopt, tensorArg(Ctx, W, S, "self"));
}

TENSORTIDY_TRANSFER(EmptyStrided) {
  auto N = sizesArg(Ctx, W, S, "size"), St = sizesArg(Ctx, W, S, "stride");
  if (!N || !St)
    return resultUnknown(Ctx, W, S, true, Self);
  return resultFresh(Ctx, W, S, nullptr, asStrided(W.Ar, *N, *St, SymExpr(0)));
}

TENSORTIDY_TRANSFER(EmptyPermuted) {
  const auto N = sizesArg(Ctx, W, S, "size");
  const auto Order = dimsArg(W, S, "physical_layout");
  if (!N || !Order)
    return resultUnknown(Ctx, W, S, true, Self);
  auto Out = packedInOrder(W.Ar, *N, *Order);
  site(Ctx, W, S, {}, Out);
  resultFresh(Ctx, W, S, nullptr, std::move(Out));
}

static void fromBlob(TENSORTIDY_OPERANDS) {
  auto N = sizesArg(Ctx, W, S, "sizes");
  checkBlob(Ctx, W, S, N);
  if (N && !findArg(S, "strides"))
    blobOf(Ctx, W, S, *N);
  if (findArg(S, "strides")) {
    auto St = sizesArg(Ctx, W, S, "strides");
    if (!N || !St)
      return resultUnknown(Ctx, W, S, true, Self);
    return resultFresh(Ctx, W, S, nullptr,
                       asStrided(W.Ar, *N, *St, SymExpr(0)));
  }
  return resultDense(Ctx, W, S, N, nullptr);
}

TENSORTIDY_TRANSFER(FromBlob) {
  fromBlob(Ctx, W, S, Self);
  if (Object *O = tensor(W, value(W, S.Result)))
    O->Holds = std::nullopt; // there may be more behind it
}

TENSORTIDY_TRANSFER(Unary) {
  return elementwise(Ctx, W, S, {operand(W, S, "self")});
}

TENSORTIDY_TRANSFER(Binary) {
  tensorArg(Ctx, W, S, "other");
  if (meetOwnReductions(Ctx, W, S))
    return resultUnknown(Ctx, W, S, true, Self);
  columnMeetsVector(Ctx, W, S);
  return elementwise(Ctx, W, S,
                     {operand(W, S, "self"), operand(W, S, "other")});
}

TENSORTIDY_TRANSFER(Ternary) {
  std::vector<Value> Vs;
  for (const char *N : {"a", "b", "c"}) {
    tensorArg(Ctx, W, S, N);
    Vs.push_back(operand(W, S, N));
  }
  return elementwise(Ctx, W, S, Vs);
}

/// The second part minus the first, as often as \p n says: each time one less.
/// Where there is nothing to subtract, it is the operand itself.
TENSORTIDY_TRANSFER(Diff) {
  const auto D = dimArg(Ctx, W, S, Self, "dim", -1);
  const auto N = intArg(W, S, "n", 1);
  if (!D || !N || *N <= 0 || Self->Segment >= 0 || findArg(S, "prepend") ||
      findArg(S, "append"))
    return resultUnknown(Ctx, W, S, false, Self);
  const auto At = wrapDim(W.Ar, *D, Self->L.rank());
  if (!At.ok() || Self->L.rank() == 0)
    return resultUnknown(Ctx, W, S, false, Self);
  const SymExpr Left = W.Ar.sub(Self->L.Sizes[*At], SymExpr(*N));
  const auto Part = narrow(W.Ar, Self->L, *D, SymExpr(0), Left);
  if (!Part.ok())
    return resultUnknown(Ctx, W, S, false, Self);
  const SymLayout &Of = *Part;
  resultFresh(Ctx, W, S, Self, layout::elementwise(W.Ar, {&Of}, Of.Sizes), -1);
}

TENSORTIDY_TRANSFER_AS(Reduce, reduce)

TENSORTIDY_TRANSFER(Loss) {
  if (const Value Of = operand(W, S, "other");
      Self && Of.K == Value::Tensor && findArg(S, "unreduced"))
    if (const Object *Other = W.Objects.find(Of.T))
      spreads(Ctx, W, S, *Self, *Other);
  // Reduction::None is 0, or a tag; a setting among `options`, or of a module,
  // is not read.
  auto How = intArg(W, S, "reduction", 1);
  if (const Value Tag = operand(W, S, "reduction"); Tag.K == Value::Symbol)
    How = Tag.Text == "none" ? 0 : 1;
  if (!How || findArg(S, "options") || S.Forward)
    return resultUnknown(Ctx, W, S, true, Self);
  if (*How != 0)
    return resultDense(Ctx, W, S, SymDims(), Self);
  if (!findArg(S, "unreduced"))
    return resultUnknown(Ctx, W, S, true, Self);
  tensorArg(Ctx, W, S, "other");
  return elementwise(Ctx, W, S,
                     {operand(W, S, "self"), operand(W, S, "other")});
}

static void matMul(TENSORTIDY_OPERANDS) {
  const unsigned Rank = S.O == Op::MM ? 2 : S.O == Op::BMM ? 3 : 0;
  const std::string Type = Self ? Self->DType : "";
  product(Ctx, W, S, "self", S.O == Op::MatMul ? "other" : "mat2", Rank);
  if (Object *Made = tensor(W, value(W, S.Result)); Made && Made->DType.empty())
    Made->DType = Type; // which both have
}
TENSORTIDY_TRANSFER_AS(MatMul, matMul)
TENSORTIDY_TRANSFER_AS(MM, matMul)
TENSORTIDY_TRANSFER_AS(BMM, matMul)

TENSORTIDY_TRANSFER(AddMM) {
  product(Ctx, W, S, "mat1", "mat2", 2);
  // The bias is expanded to the product's sizes.
  Object *Made = tensor(W, value(W, S.Result));
  Object *Bias = tensorArg(Ctx, W, S, "self");
  Made = tensor(W, value(W, S.Result));
  if (Made && Bias && Made->HasLayout && Bias->HasLayout && Made->Segment < 0 &&
      Bias->Segment < 0)
    site(Ctx, W, S, {Bias}, expand(W.Ar, Bias->L, Made->L.Sizes));
}

TENSORTIDY_TRANSFER(Linear) { return linear(Ctx, W, S); }

static void catenateLists(TENSORTIDY_OPERANDS) { return catenate(Ctx, W, S); }
TENSORTIDY_TRANSFER_AS(Cat, catenateLists)
TENSORTIDY_TRANSFER_AS(Stack, catenateLists)

TENSORTIDY_TRANSFER(Repeat) {
  auto N = sizesArg(Ctx, W, S, "repeats");
  if (!Self || !Self->HasLayout || Self->Segment >= 0 || !N ||
      N->size() < Self->L.rank())
    return resultDense(Ctx, W, S, std::nullopt, Self);
  SymDims D = *N;
  size_t Lead = N->size() - Self->L.rank();
  for (size_t I = 0; I < Self->L.rank(); ++I)
    D[Lead + I] = W.Ar.mul(D[Lead + I], Self->L.Sizes[I]);
  return resultDense(Ctx, W, S, D, Self);
}

static void indexSelect(const Context &Ctx, State &W, const Stmt &S,
                        Object *Self) {
  auto D = dimArg(Ctx, W, S, Self, "dim");
  if (!D || Self->Segment >= 0)
    return resultDense(Ctx, W, S, std::nullopt, Self);
  SymDims Z = Self->L.Sizes;
  auto At = wrapDim(W.Ar, *D, Z.size());
  if (!At.ok() || Z.empty())
    return resultDense(Ctx, W, S, std::nullopt, Self);
  Object *I = tensorArg(Ctx, W, S, "index");
  Self = tensorArg(Ctx, W, S, "self");
  Z[*At] = I && I->HasLayout && setRank(Ctx, W, *I, 1)
               ? I->L.Sizes[0]
               : valueSymbol(Ctx, S, SymbolInfo::Size, "?");
  return resultDense(Ctx, W, S, Z, Self);
}

TENSORTIDY_TRANSFER(IndexSelect) {
  const std::string Type = Self ? Self->DType : "";
  indexSelect(Ctx, W, S, Self);
  if (Object *O = tensor(W, value(W, S.Result)))
    O->DType = Type;
}

TENSORTIDY_TRANSFER(Gather) {
  Object *I = tensorArg(Ctx, W, S, "index");
  if (!I || !I->HasLayout)
    return resultDense(Ctx, W, S, std::nullopt, Self);
  if (Self && Self->HasLayout && Self->Segment < 0 && Self->L.rank() > 1)
    setRank(Ctx, W, *I, static_cast<unsigned>(Self->L.rank()));
  resultFresh(Ctx, W, S, I, SymOutcome(denseLayout(W.Ar, I->L.Sizes)),
              I->Segment);
  if (Object *O = tensor(W, value(W, S.Result)))
    O->DType = Self ? Self->DType : "";
}

TENSORTIDY_TRANSFER(Sized) { return sized(Ctx, W, S); }

TENSORTIDY_TRANSFER(Conv) { return convolution(Ctx, W, S); }

TENSORTIDY_TRANSFER(Pool) { return pool(Ctx, W, S); }

TENSORTIDY_TRANSFER(Resample) { return resample(Ctx, W, S); }

TENSORTIDY_TRANSFER(Pad) { return pad(Ctx, W, S); }

TENSORTIDY_TRANSFER(Fresh) {
  Self = tensorArg(Ctx, W, S, "self");
  return resultUnknown(Ctx, W, S, true, Self);
}

} // namespace tensortidy::analysis
