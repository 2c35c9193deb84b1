//===- ViewOps.cpp - operations that share storage -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/ViewOps.h"
#include "Analysis/Transfer/Accesses.h"
#include "Analysis/Transfer/AxisOrder.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/CopyOps.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Evidence.h"
#include "Analysis/Transfer/InPlaceOps.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Sites.h"
#include "Analysis/Transfer/Subscripts.h"
#include "Analysis/Transfer/Transfer.h"
#include "Layout/Error.h"
#include <algorithm>
#include <array>

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

using SymOutcome = LayoutOutcome<Symbolic>;

/// Whether what reshape() gives is dense, be it a copy or, where one of
/// \p Unless is 1, a view. It is not for a single head that stands for many,
///   [B, 1, n, D] with strides [D, D, 0, 1]  as  [B, n, D]  is  [D, 0, 1]
/// nor for one batch of heads that lie between rows.
static bool denseAnyway(const Symbolic &Ar0, const SymLayout &L,
                        const SymDims &New, llvm::ArrayRef<SymExpr> Unless) {
  const bool Expanded = llvm::any_of(
      L.Strides, [&](const SymExpr &S) { return Ar0.known(S) == 0; });
  return llvm::all_of(Unless, [&](const SymExpr &E) {
    if (E.terms().size() != 1)
      return false;
    // Rows of one element are nobody's case.
    for (size_t D = 0; D < L.rank() && !Expanded; ++D)
      if (L.Sizes[D] == E && Ar0.known(L.Strides[D]) == 1)
        return true;
    Symbolic Ar = Ar0;
    const auto &M = E.terms()[0].M;
    for (unsigned I = 0; I < M.Count; ++I)
      Ar.rewrite(M.S[I], SymExpr(1));
    const auto T = computeStride(Ar, L, New);
    SymLayout Viewed;
    if (!T.ok())
      return T.failed();
    Viewed.Sizes = New;
    Viewed.Strides = *T;
    return isContiguous(Ar, Viewed).yes();
  });
}

/// Where strides \p T, which forbid a view of \p L as \p New, do not. What
/// nobody counted may not be there: then it fails for another reason, or is no
/// failure.
static std::vector<SymExpr>
viewExceptions(const Context &Ctx, const State &W, const SymLayout &L,
               const SymDims &New, const Outcome<Symbolic, SymDims> &T) {
  if (!T.failed())
    return {};
  std::vector<SymExpr> Unless =
      exceptions(W.Ar, T.unlessOne(), [&](const Symbolic &Ar) {
        return works(computeStride(Ar, L, New));
      });
  if (const auto Rest = restIn(Ctx, W, Unless); !Rest.empty()) {
    Symbolic Ar = W.Ar;
    for (SymbolId Id : Rest)
      Ar.rewrite(Id, SymExpr(1));
    auto Without = computeStride(Ar, L, New);
    if (Without.failed()) {
      llvm::erase_if(Unless, [&](const SymExpr &E) {
        return !restIn(Ctx, W, {E}).empty();
      });
      Unless.insert(Unless.end(), Without.unlessOne().begin(),
                    Without.unlessOne().end());
    }
  }
  return Unless;
}

void view(const Context &Ctx, State &W, const Stmt &S, Object &O,
          const SymDims &New0, bool IsCheckSite) {
  if (IsCheckSite)
    Ctx.Facts.Sites[&S].AsksStrides = true;
  if (!O.HasLayout) {
    ++Ctx.Facts.Sites[&S].Unknown;
    Object N;
    N.Prov = provenance(Ctx, W, S, &O, false);
    N.Storage = O.Storage;
    return result(Ctx, W, S, std::move(N));
  }
  // The element counts are equal, or it throws for another reason. Learn that,
  // and what a -1 stands for.
  SymDims New = New0;
  // Of dimensions counted twice, the count is not the product.
  const bool Apart = O.isApart();
  SymExpr Count = numel(W.Ar, O.L.Sizes), Product(1);
  if (!Apart)
    Count = countOf(Ctx, W, S, Count, 62);
  std::optional<size_t> Inferred;
  for (size_t I = 0; I < New.size(); ++I) {
    auto K = W.Ar.known(New[I]);
    if (K && *K == -1 && !Inferred)
      Inferred = I;
    else
      Product = W.Ar.mul(Product, New[I]);
  }
  if (Inferred) {
    auto Q = W.Ar.divExact(Count, Product);
    const std::string At = nameAt(Ctx, S, O),
                      Of = At.empty() ? rootName(O) : At;
    const std::string Named = Of == "?" ? Of
                                        : Of + "." + S.Text + "(...).size(" +
                                              std::to_string(*Inferred) + ")";
    New[*Inferred] = Q ? W.Ar.asSize(*Q)
                       : valueSymbol(Ctx, S, SymbolInfo::Size, Named,
                                     static_cast<unsigned>(64 + *Inferred));
    Product = W.Ar.mul(Product, New[*Inferred]);
  }
  auto Fits = inferSize(W.Ar, New0, Count);
  const bool Refused = Fits.failed() && Fits.unlessOne().empty();
  if (Fits.failed() && !hasNoElements(Ctx, W, S))
    layoutFails(Ctx, W, S, {&O}, Fits.error(), Fits.unlessOne());
  if (Inferred && Fits.failed()) // there is no such size
    return resultUnknown(Ctx, W, S, false, &O);
  bool Possible = !Refused && (!Apart || W.Ar.assumeEqual(Count, Product));
  // A contiguous tensor views as anything of its element count, whether or not
  // the counts can be proved equal here.
  auto T = isContiguous(W.Ar, O.L).yes() && (O.Segment < 0 || O.SegmentDense)
               ? Outcome<Symbolic, SymDims>(denseStrides(W.Ar, New))
               : computeStride(W.Ar, O.L, New);
  if (T.failed() ? hasNoElements(Ctx, W, S) : W.Degenerate)
    Possible = false;
  // Unknown dimensions, taken for one, may not lie in a row.
  if (T.ok() && !IsCheckSite && O.Segment >= 0 && !O.SegmentDense)
    T = Outcome<Symbolic, SymDims>::unknown();
  if (Possible && !Fits.failed() && Apart && !(IsCheckSite && T.failed()))
    noteMovedAxis(Ctx, W, S, O.L.Sizes, New);
  const std::vector<SymExpr> Unless = viewExceptions(Ctx, W, O.L, New, T);
  ProvRef P = provenance(Ctx, W, S, &O, false);
  Object N;
  N.HasLayout = true;
  N.Storage = O.Storage;
  N.Holds = O.Holds;
  N.DType = O.DType;
  N.L.Sizes = New;
  N.L.Offset = O.L.Offset;
  N.Resized = O.Resized;
  if (T.ok()) {
    N.L.Strides = *T;
    if (Possible && !Fits.failed())
      ++Ctx.Facts.Sites[&S].Ok;
  } else if (T.failed() && Possible) {
    N.L.Strides = denseStrides(W.Ar, New);
    if (!IsCheckSite && T.unlessOne().empty() && Apart)
      N.Storage = {}; // reshape() copies
    if (!IsCheckSite)
      N.Holds = std::nullopt;
    if (!IsCheckSite && !denseAnyway(W.Ar, O.L, New, T.unlessOne()))
      N.Resized = true;
    if (IsCheckSite)
      layoutFails(Ctx, W, S, {&O}, T.error(), Unless);
  } else {
    if (Possible)
      ++Ctx.Facts.Sites[&S].Unknown;
    N.L.Strides = unknownStrides(Ctx, S, New.size());
  }
  if (!IsCheckSite)
    copies(Ctx, S,
           T.isUnknown() || (T.failed() && !Apart) || isVouchedFor(Ctx, W, S, O)
               ? Truth::Unknown
               : truth(T.failed()),
           Unless, W);
  N.Prov = std::move(P);
  result(Ctx, W, S, std::move(N));
}

bool viewLike(const Context &Ctx, State &W, const Stmt &S, const Object &O,
              const Object *Like) {
  if (!Like || !Like->HasLayout || Like->Segment < 0 || !O.HasLayout ||
      !isContiguous(W.Ar, O.L).yes() || (O.Segment >= 0 && !O.SegmentDense))
    return false;
  Object N;
  N.HasLayout = true;
  N.L = denseLayout(W.Ar, Like->L.Sizes);
  N.L.Offset = O.L.Offset;
  N.Segment = Like->Segment;
  N.SegmentDense = true;
  N.rankFrom(*Like);
  N.Storage = O.Storage;
  N.DType = O.DType;
  N.Prov = provenance(Ctx, W, S, &O, false);
  result(Ctx, W, S, std::move(N));
  return true;
}

/// Who swaps only the two dimensions in the middle has heads or time steps
/// there, and no image, whose channels would come last:
///   [B, H, T, D]  ->  [B, T, H, D]
static void assumeNoImage(const Context &Ctx, State &W, Object &O) {
  if (Ctx.H == Hypothesis::ChannelsLast && O.Root && O.Segment < 0 &&
      O.L.rank() == 4)
    O.L.Strides = denseStrides(W.Ar, O.L.Sizes);
}

void transposeDims(const Context &Ctx, State &W, const Stmt &S, Object *Self) {
  if (!Self)
    return resultUnknown(Ctx, W, S, false, Self);
  auto Again = intArg(W, S, "dim0"), Other = intArg(W, S, "dim1");
  // One dimension from either end: they may be the same one.
  const bool Apart =
      !Self->HasLayout || Self->Segment < 0 || !Again || !Other ||
      (*Again < 0) == (*Other < 0) ||
      (*Again < 0 ? *Other - *Again : *Again - *Other) < Self->AtLeast;
  if (S.O == Op::Transpose && !Apart)
    return resultUnknown(Ctx, W, S, false, Self);
  auto D0 = dimArg(Ctx, W, S, Self, "dim0");
  auto D1 = dimArg(Ctx, W, S, Self, "dim1");
  if (D0 && D1) // the second may have moved the first
    D0 = place(Ctx, W, *Self, *Again);
  if (!D0 || !D1 || !Apart) {
    if (S.O == Op::TransposeInPlace)
      Self->HasLayout = false;
    return S.O == Op::Transpose ? resultUnknown(Ctx, W, S, false, Self)
                                : setResult(W, S, operand(W, S, "self"));
  }
  if (std::min(*D0, *D1) == 1 && std::max(*D0, *D1) == 2)
    assumeNoImage(Ctx, W, *Self);
  auto Out = transpose(W.Ar, Self->L, *D0, *D1);
  if (S.O == Op::Transpose)
    return resultView(Ctx, W, S, *Self, std::move(Out), Self->Segment);
  site(Ctx, W, S, {Self}, Out);
  return changeLayout(Ctx, W, S, *Self, Out);
}

void transposeMatrix(const Context &Ctx, State &W, const Stmt &S,
                     Object *Self) {
  if (!Self)
    return resultUnknown(Ctx, W, S, false, Self);
  // A parameter of unknown rank: a matrix is what people transpose. Of a
  // result nothing says so but its dimensions: t() of a vector is the vector.
  bool Ok = Self->HasLayout &&
            (Self->Segment < 0 || ((Self->Root || Self->leastRank() == 2) &&
                                   setRank(Ctx, W, *Self, 2)));
  auto Out = Ok ? layout::t(W.Ar, Self->L) : SymOutcome::unknown();
  if (S.O == Op::T)
    return resultView(Ctx, W, S, *Self, std::move(Out));
  site(Ctx, W, S, {Self}, Out);
  return changeLayout(Ctx, W, S, *Self, Out);
}

static void squeezeDims(const Context &Ctx, State &W, const Stmt &S,
                        Object *Self) {
  if (!Self || !Self->HasLayout)
    return resultUnknown(Ctx, W, S, false, Self);
  if (!findArg(S, "dim"))
    return resultView(Ctx, W, S, *Self,
                      Self->Segment < 0 ? squeeze(W.Ar, Self->L)
                                        : SymOutcome::unknown());
  if (operand(W, S, "dim").K == Value::List) { // each of them
    auto Dims = dimsArg(W, S, "dim");
    if (!Dims || Self->Segment >= 0)
      return resultUnknown(Ctx, W, S, false, Self);
    const auto Rank = static_cast<int64_t>(Self->L.rank());
    for (int64_t &D : *Dims)
      D = D < 0 ? D + Rank : D;
    std::sort(Dims->rbegin(), Dims->rend());
    SymOutcome Out = SymOutcome(Self->L);
    for (int64_t D : *Dims)
      if (Out.ok())
        Out = squeeze(W.Ar, SymLayout(*Out), D);
    return resultView(Ctx, W, S, *Self, std::move(Out));
  }
  auto D = dimArg(Ctx, W, S, Self, "dim");
  if (!D)
    return resultUnknown(Ctx, W, S, false, Self);
  int64_t At = *D < 0 ? *D + static_cast<int64_t>(Self->L.rank()) : *D;
  auto Out = squeeze(W.Ar, Self->L, *D);
  if (Out.isUnknown() && isContiguous(W.Ar, Self->L).yes() &&
      (Self->Segment < 0 || Self->SegmentDense)) {
    // Whether the dimension goes or not: contiguous all the same.
    Object O = *Self;
    SymExpr N = valueSymbol(Ctx, S, SymbolInfo::Size, "?");
    if (!W.Ar.facts().count(*N.asSymbol()))
      W.Ar.rewrite(*N.asSymbol(), numel(W.Ar, Self->L.Sizes));
    O.L.Sizes = SymDims(1, N);
    O.L.Strides = SymDims(1, SymExpr(1));
    O.Segment = 0;
    O.SegmentDense = true;
    O.AtLeast = 0;
    O.Key = {};
    O.Root = false;
    O.Name.clear();
    O.Prov = provenance(Ctx, W, S, Self, false);
    return result(Ctx, W, S, std::move(O));
  }
  int Seg = Out.ok() && Out->rank() < Self->L.rank() && Self->Segment > At
                ? Self->Segment - 1
                : Self->Segment;
  return resultView(Ctx, W, S, *Self, std::move(Out), Seg);
}

/// Into several views: split, chunk, unbind and their kin.
static void splitDims(const Context &Ctx, State &W, const Stmt &S,
                      Object *Self) {
  auto D = dimArg(Ctx, W, S, Self, "dim", 0);
  bool ByOne = S.O == Op::Unbind || S.O == Op::TensorSplit;
  if (!D || (ByOne && Self->Segment >= 0)) {
    // The elements are views all the same, of layouts nobody knows.
    return setResult(W, S, Value());
  }
  if (S.O == Op::Chunk) {
    auto N = intArg(W, S, "chunks");
    if (!N)
      return setResult(W, S, Value());
    return resultList(Ctx, W, S, *Self, chunk(W.Ar, Self->L, *N, *D));
  }
  if (S.O == Op::Split) {
    auto N = exprArg(W, S, "split_size");
    if (!N)
      return setResult(W, S, Value());
    return resultList(Ctx, W, S, *Self, split(W.Ar, Self->L, *N, *D));
  }
  if (S.O == Op::Unbind) {
    auto At = wrapDim(W.Ar, *D, Self->L.rank());
    auto N = At.ok() && Self->L.rank() ? W.Ar.known(Self->L.Sizes[*At])
                                       : std::optional<int64_t>();
    if (!N || *N > 256)
      return setResult(W, S, Value());
    std::vector<SymLayout> Parts;
    for (int64_t I = 0; I < *N; ++I) {
      auto P = select(W.Ar, Self->L, *D, SymExpr(I));
      if (!P.ok())
        return setResult(W, S, Value());
      Parts.push_back(*P);
    }
    return resultList(Ctx, W, S, *Self, std::move(Parts));
  }
  if (S.O == Op::SplitSizes) {
    auto N = sizesArg(Ctx, W, S, "split_sizes");
    if (!N)
      return setResult(W, S, Value());
    auto Parts = splitWithSizes(W.Ar, Self->L, *N, *D);
    if (auto At = wrapDim(W.Ar, *D, Self->L.rank()); At.ok() && Parts.ok()) {
      SymExpr Sum;
      for (const SymExpr &Part : *N)
        Sum = W.Ar.add(Sum, Part);
      W.Ar.assumeEqual(Self->L.Sizes[*At], W.Ar.asSize(Sum));
    }
    return resultList(Ctx, W, S, *Self, std::move(Parts));
  }
  if (auto N = intArg(W, S, "sections"))
    return resultList(Ctx, W, S, *Self, tensorSplit(W.Ar, Self->L, *N, *D));
  if (auto N = sizesArg(Ctx, W, S, "indices"))
    return resultList(Ctx, W, S, *Self, tensorSplitAt(W.Ar, Self->L, *N, *D));
  return setResult(W, S, Value());
}

/// expand() where \p Self may lack a dimension or have one that does not fit:
/// what comes out has the sizes asked for all the same. A 1 in front, or the
/// dimension made before it, has stride 0.
///   [1, segment, c]  expand({n, -1, -1})  ->  [n, ?, c], strides [0, ?, c's]
static void expandUnsure(const Context &Ctx, State &W, const Stmt &S,
                         const Object &Self, const SymDims &New) {
  const size_t Rank = Self.L.rank();
  const size_t Front = Self.Segment < 0 ? 0 : static_cast<size_t>(Self.Segment);
  const size_t Back = Self.Segment < 0 ? Rank : Rank - 1 - Front;
  Object O;
  O.Prov = provenance(Ctx, W, S, &Self, false);
  O.Storage = Self.Storage;
  O.DType = Self.DType;
  O.HasLayout = true;
  O.L.Offset = Self.L.Offset;
  for (size_t I = 0; I < New.size(); ++I) {
    const size_t ToEnd = New.size() - I;
    const bool Kept = ToEnd <= Back, Added = Self.Segment < 0 && !Kept;
    const size_t At = Kept ? Rank - ToEnd : 0; // of Self, where it has this one
    const auto Part = static_cast<unsigned>(I);
    // Each dimension alone, where it is known which one it was.
    SymLayout One;
    if (!Added && (Kept || (I == 0 && Front > 0 &&
                            W.Ar.eq(Self.L.Sizes[0], SymExpr(1)).yes()))) {
      One.Sizes.push_back(Self.L.Sizes[At]);
      One.Strides.push_back(Self.L.Strides[At]);
    }
    if (Added || One.rank())
      if (auto L = expand(W.Ar, One, SymDims(1, New[I])); L.ok()) {
        O.L.Sizes.push_back(L->Sizes[0]);
        O.L.Strides.push_back(L->Strides[0]);
        continue;
      }
    O.L.Sizes.push_back(
        W.Ar.lt(New[I], SymExpr(0)) == Truth::No
            ? New[I]
            : valueSymbol(Ctx, S, SymbolInfo::Size, "?", 96 + Part));
    O.L.Strides.push_back(
        valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 128 + Part));
  }
  result(Ctx, W, S, std::move(O));
}

void expandAll(const Context &Ctx, State &W, const Stmt &S) {
  const Value List = S.Args.empty() ? Value() : value(W, S.Args[0].Value);
  const bool Grid = S.is(Attribute::MakesGrid);
  std::vector<const Object *> Of;
  if (List.K == Value::List)
    for (const Value &V : *List.Elems) {
      const Object *O = tensor(W, V);
      if (!O || !O->HasLayout || O->Segment >= 0 || (Grid && O->L.rank() != 1))
        break;
      Of.push_back(O);
    }
  bool Swapped = false;
  bool Known = !Of.empty() && Of.size() == List.Elems->size();
  if (Known && S.Args.size() > 1) {
    const Stmt *How = Ctx.Flow.DefOf[S.Args[1].Value];
    while (How && How->isOpaque() && How->Args.size() == 1)
      How = Ctx.Flow.DefOf[How->Args[0].Value]; // "ij" becomes a string_view
    Known = How && How->Const == ConstKind::String;
    Swapped = Known && How->Text == "xy" && Of.size() > 1;
  }
  if (!Known || Of.size() > 16)
    return setResult(W, S, Value());
  auto PlaceOf = [&](size_t I) { return Swapped && I < 2 ? 1 - I : I; };
  SymDims All = Of[0]->L.Sizes;
  if (Grid) {
    All.resize(Of.size());
    for (size_t I = 0; I < Of.size(); ++I)
      All[PlaceOf(I)] = Of[I]->L.Sizes[0];
  }
  for (const Object *O : Of) {
    auto Sizes = Grid ? Outcome<Symbolic, SymDims>(All)
                      : broadcastSizes(W.Ar, All, O->L.Sizes);
    site(Ctx, W, S, {Of[0], O}, Sizes);
    if (!Sizes.ok())
      return setResult(W, S, Value());
    All = *Sizes;
  }
  std::vector<Object> Made;
  for (size_t I = 0; I < Of.size(); ++I) {
    SymLayout From = Of[I]->L;
    if (Grid) {
      From.Sizes.assign(All.size(), SymExpr(1));
      From.Strides.assign(All.size(), SymExpr(0));
      From.Sizes[PlaceOf(I)] = Of[I]->L.Sizes[0];
      From.Strides[PlaceOf(I)] = Of[I]->L.Strides[0];
    }
    auto L = expand(W.Ar, From, All);
    if (!L.ok())
      return setResult(W, S, Value());
    Object O;
    O.HasLayout = true;
    O.L = *L;
    O.Storage = Of[I]->Storage;
    O.Holds = Of[I]->Holds;
    O.DType = Of[I]->DType;
    O.Prov = provenance(Ctx, W, S, Of[I], false);
    Made.push_back(std::move(O));
  }
  std::vector<Value> Elems;
  for (Object &O : Made) {
    const auto Part = static_cast<unsigned>(Elems.size() + 1);
    Elems.push_back(Value::tensor(newObject(Ctx, W, S, std::move(O), Part)));
  }
  setResult(W, S, Value::list(std::move(Elems)));
}

/// What operand \p Name of \p S is in the last iteration of a loop that counts
/// up and comes by \p S each time, with one tensor: of `i + 1` where `i < n` it
/// is n.
static std::optional<SymExpr> lastValue(const Context &Ctx, State &W,
                                        const Stmt &S, llvm::StringRef Name) {
  const Arg *Index = findArg(S, Name), *Self = findArg(S, "self");
  if (!Index || !Self || Ctx.F.Blocks[Ctx.Block].InLoop == NoId)
    return std::nullopt;
  const LoopFacts &Facts = Ctx.Flow.loops();
  // i, i + c, c + i, i - c
  llvm::SmallVector<ValueId, 4> Terms{Index->Value};
  for (unsigned Left = 8; Left && !Terms.empty(); --Left) {
    const Stmt *D = Ctx.Flow.Values.origin(Terms.pop_back_val());
    if (D && (D->O == Op::IAdd || D->O == Op::ISub)) {
      Terms.push_back(D->Args[0].Value);
      if (D->O == Op::IAdd)
        Terms.push_back(D->Args[1].Value);
    }
    if (!D || D->O != Op::Load)
      continue;
    bool Inclusive = false;
    auto Counts = Facts.counter(D->Var);
    if (!Counts) {
      Counts = Facts.counter(D->Var, true);
      Inclusive = true;
    }
    if (!Counts || Counts->Step != 1)
      continue;
    const program::LoopId L = Counts->Of;
    if (L != Ctx.F.Blocks[Ctx.Block].InLoop ||
        !Facts.everyIteration(Ctx.Block, L) || Facts.LeavesEarly[L] ||
        Facts.Reshapes[L] || !Facts.sameTensor(Self->Value, L) ||
        !Facts.sameTensor(Counts->Bound, L))
      return std::nullopt;
    const Value At = value(W, Index->Value), I = value(W, D->Result);
    const auto N = again(Ctx, W, Counts->Bound, 0);
    if (At.K != Value::Int || I.K != Value::Int || !N)
      return std::nullopt;
    return W.Ar.add(W.Ar.sub(At.I, I.I),
                    W.Ar.sub(*N, SymExpr(Inclusive ? 0 : 1)));
  }
  return std::nullopt;
}

TENSORTIDY_TRANSFER(View) {
  if (!Self)
    return setResult(W, S, Value());
  auto New = sizesArg(Ctx, W, S, "size");
  if (!New) {
    const Object *O = sizesOf(W, operand(W, S, "size"));
    const bool Fits =
        O && O->HasLayout && Self->HasLayout &&
        W.Ar.eq(numel(W.Ar, O->L.Sizes), numel(W.Ar, Self->L.Sizes)).yes() &&
        isContiguous(W.Ar, Self->L).yes();
    ++(Fits ? Ctx.Facts.Sites[&S].Ok : Ctx.Facts.Sites[&S].Unknown);
    if (!viewLike(Ctx, W, S, *Self, O))
      resultUnknown(Ctx, W, S, false, Self);
    return;
  }
  return view(Ctx, W, S, *Self, *New, true);
}

TENSORTIDY_TRANSFER(ViewAs) {
  Object *Other = tensorArg(Ctx, W, S, "other");
  if (!Self)
    return setResult(W, S, Value());
  if (!Other || !Other->HasLayout || Other->Segment >= 0) {
    ++Ctx.Facts.Sites[&S].Unknown;
    if (!viewLike(Ctx, W, S, *Self, Other))
      resultUnknown(Ctx, W, S, false, Self);
    return;
  }
  return view(Ctx, W, S, *Self, SymDims(Other->L.Sizes), true);
}

TENSORTIDY_TRANSFER(Permute) {
  auto P = dimsArg(W, S, "dims");
  if (!Self || !P)
    return resultUnknown(Ctx, W, S, false, Self);
  if (!Self->HasLayout)
    return resultUnknown(Ctx, W, S, false, Self);
  if (Self->Segment >= 0) {
    // More than tests leave: refused as for the most.
    const auto Most = mostRank(Ctx, W, *Self);
    const auto Rank = static_cast<unsigned>(P->size());
    if (!setRank(Ctx, W, *Self, Most && *Most < Rank ? *Most : Rank))
      return resultUnknown(Ctx, W, S, false, Self);
  }
  if (llvm::equal(*P, std::array<int64_t, 4>{0, 2, 1, 3}))
    assumeNoImage(Ctx, W, *Self);
  return resultView(Ctx, W, S, *Self, permute(W.Ar, Self->L, *P));
}

TENSORTIDY_TRANSFER_AS(Transpose, transposeDims)

TENSORTIDY_TRANSFER_AS(T, transposeMatrix)

TENSORTIDY_TRANSFER(MT) {
  if (!Self || !Self->HasLayout)
    return resultUnknown(Ctx, W, S, false, Self);
  if (Self->Segment < 0)
    return resultView(Ctx, W, S, *Self,
                      Self->L.rank() == 0 ? SymOutcome(Self->L)
                                          : transpose(W.Ar, Self->L, -2, -1));
  if (!place(Ctx, W, *Self, -2))
    return resultUnknown(Ctx, W, S, false, Self);
  auto N = static_cast<int64_t>(Self->L.rank());
  return resultView(Ctx, W, S, *Self, transpose(W.Ar, Self->L, N - 2, N - 1),
                    Self->Segment);
}

TENSORTIDY_TRANSFER(NumpyT) {
  if (!Self || !Self->HasLayout || Self->Segment >= 0)
    return resultUnknown(Ctx, W, S, false, Self);
  return resultView(Ctx, W, S, *Self, reverseDims(W.Ar, Self->L));
}

TENSORTIDY_TRANSFER(MoveDim) {
  auto A = dimsArg(W, S, "source"), B = dimsArg(W, S, "destination");
  if (!Self || !Self->HasLayout || Self->Segment >= 0 || !A || !B)
    return resultUnknown(Ctx, W, S, false, Self);
  return resultView(Ctx, W, S, *Self, movedim(W.Ar, Self->L, *A, *B));
}

static SymOutcome narrowTo(const Context &Ctx, State &W, const Stmt &S,
                           const SymLayout &L, int64_t D, const SymExpr &Start,
                           const SymExpr &Length) {
  const ProvesItself Range(W);
  auto Part = narrow(W.Ar, L, D, Start, Length);
  const auto Of = wrapDim(W.Ar, D, L.rank());
  // Who takes n / k of each of k parts means that k divides n.
  if (Part.ok() && Of.ok())
    if (auto Then =
            narrow(whereDivided(Ctx, W, W.Ar.add(Start, Length), L.Sizes[*Of]),
                   L, D, Start, Length);
        !Then.ok())
      return Then;
  if (auto At = wrapDim(W.Ar, D, L.rank()); Part.ok() && At.ok())
    provesRange(Ctx, W, S, L.Sizes[*At], Start, Length);
  return Part;
}

TENSORTIDY_TRANSFER(Narrow) {
  auto D = dimArg(Ctx, W, S, Self, "dim");
  auto B = exprArg(W, S, "start"), N = exprArg(W, S, "length");
  if (!D || !N)
    return resultUnknown(Ctx, W, S, false, Self);
  auto Part = narrowTo(Ctx, W, S, Self->L, *D, B ? *B : SymExpr(0), *N);
  const Arg *Length = findArg(S, "length");
  if (auto Last = lastValue(Ctx, W, S, "start");
      Part.ok() && Last && Length &&
      Ctx.Flow.loops().sameTensor(Length->Value,
                                  Ctx.F.Blocks[Ctx.Block].InLoop))
    if (auto Then = narrow(W.Ar, Self->L, *D, *Last, *N); !Then.ok())
      Part = std::move(Then);
  return resultView(Ctx, W, S, *Self, std::move(Part), Self->Segment);
}

TENSORTIDY_TRANSFER(Slice) {
  auto D = dimArg(Ctx, W, S, Self, "dim", 0);
  auto B = exprArg(W, S, "start"), E = exprArg(W, S, "end");
  auto St = exprArg(W, S, "step");
  Value VE = operand(W, S, "end");
  if (!D || (!E && VE.K != Value::None && findArg(S, "end")) ||
      (!St && findArg(S, "step")))
    return resultUnknown(Ctx, W, S, false, Self);
  if (auto At = wrapDim(W.Ar, *D, Self->L.rank()); At.ok() && B && E)
    provesRange(Ctx, W, S, Self->L.Sizes[*At], *B, W.Ar.sub(*E, *B));
  return resultView(
      Ctx, W, S, *Self,
      slice(W.Ar, Self->L, *D, B ? *B : SymExpr(0), E, St ? *St : SymExpr(1)),
      Self->Segment);
}

SymOutcome selectAt(const Context &Ctx, State &W, const Stmt &S,
                    const SymLayout &L, int64_t D, const SymExpr &Index) {
  const ProvesItself Element(W);
  auto Part = select(W.Ar, L, D, Index);
  if (auto At = wrapDim(W.Ar, D, L.rank()); Part.ok() && At.ok())
    provesIndex(Ctx, W, S, L.Sizes[*At], Index);
  return Part;
}

TENSORTIDY_TRANSFER(Select) {
  auto D = dimArg(Ctx, W, S, Self, "dim", 0);
  if (!D)
    return resultUnknown(Ctx, W, S, false, Self);
  auto I = exprArg(W, S, "index");
  int64_t At = *D < 0 ? *D + static_cast<int64_t>(Self->L.rank()) : *D;
  int Seg = Self->Segment > At ? Self->Segment - 1 : Self->Segment;
  auto Part = selectAt(Ctx, W, S, Self->L, *D,
                       I ? *I : valueSymbol(Ctx, S, SymbolInfo::Integer, "?"));
  if (auto Last = lastValue(Ctx, W, S, "index"); Part.ok() && Last)
    if (auto Then = select(W.Ar, Self->L, *D, *Last); !Then.ok())
      Part = std::move(Then);
  if (auto Of = wrapDim(W.Ar, *D, Self->L.rank()); Part.ok() && Of.ok())
    selectsOtherAxis(Ctx, W, S, *Self, *Of);
  return resultView(Ctx, W, S, *Self, std::move(Part), Seg);
}

static void expandTo(TENSORTIDY_OPERANDS) {
  std::optional<SymDims> New;
  if (S.O == Op::Expand) {
    New = sizesArg(Ctx, W, S, "size");
  } else if (Object *O = tensorArg(Ctx, W, S, "other")) {
    if (O->HasLayout && O->Segment < 0)
      New = O->L.Sizes;
  }
  // A tensor cannot have more dimensions than it is expanded to.
  // -1 keeps a dimension, which a new one in front has not.
  if (Self && Self->HasLayout && New && Self->Segment >= 0 &&
      (Self->leastRank() >= New->size() ||
       (!New->empty() && W.Ar.known(New->front()) == -1)))
    setRank(Ctx, W, *Self, static_cast<unsigned>(New->size()));
  if (!Self || !Self->HasLayout || !New ||
      (Self->Segment >= 0 && Self->AtLeast > New->size()))
    return resultUnknown(Ctx, W, S, false, Self);
  if (Self->Segment < 0)
    if (auto L = expand(W.Ar, Self->L, *New); !L.isUnknown())
      return resultView(Ctx, W, S, *Self, std::move(L));
  return expandUnsure(Ctx, W, S, *Self, *New);
}
TENSORTIDY_TRANSFER_AS(Expand, expandTo)
TENSORTIDY_TRANSFER_AS(ExpandAs, expandTo)

TENSORTIDY_TRANSFER_AS(Squeeze, squeezeDims)

TENSORTIDY_TRANSFER(Unsqueeze) {
  auto I = intArg(W, S, "dim");
  if (!Self || !I)
    return resultUnknown(Ctx, W, S, false, Self);
  auto D = place(Ctx, W, *Self, *I, true);
  if (!D)
    return resultUnknown(Ctx, W, S, false, Self);
  int64_t At = *D < 0 ? *D + static_cast<int64_t>(Self->L.rank()) + 1 : *D;
  int Seg = Self->Segment >= At ? Self->Segment + 1 : Self->Segment;
  return resultView(Ctx, W, S, *Self, unsqueeze(W.Ar, Self->L, *D), Seg);
}

TENSORTIDY_TRANSFER(Unfold) {
  auto D = dimArg(Ctx, W, S, Self, "dimension");
  auto N = exprArg(W, S, "size"), St = exprArg(W, S, "step");
  if (!D || !N || !St)
    return resultUnknown(Ctx, W, S, false, Self);
  return resultView(Ctx, W, S, *Self, unfold(W.Ar, Self->L, *D, *N, *St),
                    Self->Segment);
}

TENSORTIDY_TRANSFER(Unflatten) {
  auto D = dimArg(Ctx, W, S, Self, "dim");
  auto N = sizesArg(Ctx, W, S, "sizes");
  if (!D || !N || Self->Segment >= 0)
    return resultUnknown(Ctx, W, S, false, Self);
  return resultView(Ctx, W, S, *Self, unflatten(W.Ar, Self->L, *D, *N));
}

TENSORTIDY_TRANSFER(Diagonal) {
  auto Off = intArg(W, S, "offset", 0), A = intArg(W, S, "dim1", 0),
       B = intArg(W, S, "dim2", 1);
  if (!Self || !Self->HasLayout || Self->Segment >= 0 || !Off || !A || !B)
    return resultUnknown(Ctx, W, S, false, Self);
  return resultView(Ctx, W, S, *Self, diagonal(W.Ar, Self->L, *Off, *A, *B));
}

TENSORTIDY_TRANSFER(AsStrided) {
  auto N = sizesArg(Ctx, W, S, "size"), St = sizesArg(Ctx, W, S, "stride");
  if (!Self || !N || !St)
    return resultUnknown(Ctx, W, S, false, Self);
  auto Off = exprArg(W, S, "storage_offset");
  if (!Off)
    Off = Self->HasLayout ? Self->L.Offset
                          : valueSymbol(Ctx, S, SymbolInfo::Stride, "?");
  // What made its own storage, and has not been resized, has no more.
  std::optional<SymExpr> Elements;
  if (const Value V = operand(W, S, "self");
      V.K == Value::Tensor && V.T == Self->Storage && !Self->Root &&
      Self->HasLayout && Self->Segment < 0 && !Self->Resized && Self->Prov &&
      Self->Prov->Fresh && W.Ar.eq(Self->L.Offset, SymExpr(0)).yes() &&
      isContiguous(W.Ar, Self->L).yes())
    Elements = numel(W.Ar, Self->L.Sizes);
  return resultView(Ctx, W, S, *Self,
                    asStrided(W.Ar, *N, *St, *Off, std::move(Elements)));
}

TENSORTIDY_TRANSFER(ViewDtype) {
  std::string DType;
  const bool Told = toldDType(W, S, DType);
  const int64_t From = Self ? itemSize(Self->DType) : 0, To = itemSize(DType);
  if (!Told || !From || !To || !Self->HasLayout || Self->Segment >= 0)
    return resultUnknown(Ctx, W, S, false, Self);
  resultView(Ctx, W, S, *Self, viewDtype(W.Ar, Self->L, From, To));
  if (Object *O = tensor(W, value(W, S.Result))) {
    O->DType = DType;
    if (From != To)
      O->Holds = std::nullopt;
  }
}

TENSORTIDY_TRANSFER_AS(Split, splitDims)
TENSORTIDY_TRANSFER_AS(SplitSizes, splitDims)
TENSORTIDY_TRANSFER_AS(Chunk, splitDims)
TENSORTIDY_TRANSFER_AS(TensorSplit, splitDims)
TENSORTIDY_TRANSFER_AS(Unbind, splitDims)

TENSORTIDY_TRANSFER(Detach) {
  if (!Self)
    return resultUnknown(Ctx, W, S, false, Self);
  Object O = *Self;
  O.Name.clear();
  return result(Ctx, W, S, std::move(O));
}

TENSORTIDY_TRANSFER(SelfHandle) {
  if (Self && findArg(S, "name"))
    Ctx.Facts.Named.insert(Self->Storage);
  return setResult(W, S, operand(W, S, "self"));
}

/// A view of a layout that is not modelled.
TENSORTIDY_TRANSFER(OtherView) { resultUnknown(Ctx, W, S, false, Self); }

} // namespace tensortidy::analysis
