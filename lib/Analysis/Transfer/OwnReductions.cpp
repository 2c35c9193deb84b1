//===- OwnReductions.cpp - a tensor and what it was reduced to ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/OwnReductions.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Sites.h"
#include "llvm/ADT/SmallSet.h"

namespace tensortidy::analysis {

using namespace program;
using namespace layout;

bool keepsSizes(const Stmt &S) {
  const OpClass K = opClass(S.O);
  return S.O == Op::Unary || S.O == Op::Binary || S.O == Op::Detach ||
         K == OpClass::MaybeCopy || K == OpClass::Copy;
}

namespace {

/// A tensor, and what is left of its sizes: from the front, where not all of
/// them are known.
struct OwnReduction {
  const Stmt *By = nullptr;
  SymDims Of, Left;
};

} // namespace

namespace {
/// Finds the reduction that the sizes of a value come from, through variables
/// and what is computed element by element. In `y = y * y.sin()`, over and
/// over, each path leads back to y: a variable is followed once, and few values
/// are.
class ReductionFinder {
public:
  explicit ReductionFinder(const Context &Ctx) : Ctx(Ctx) {}
  const Stmt *behind(ValueId V, unsigned Depth = 0);

private:
  const Context &Ctx;
  llvm::SmallSet<VarId, 4> Read;
  unsigned Left = 64;
};
} // namespace

const Stmt *ReductionFinder::behind(ValueId V, unsigned Depth) {
  const Stmt *D = Ctx.Flow.Values.origin(V);
  if (!D || Depth > 6 || !Left)
    return nullptr;
  --Left;
  auto Of = [&](ValueId Next) { return behind(Next, Depth + 1); };
  if (D->O == Op::Load) { // its sizes tell which it holds
    const Stmt *Found = nullptr;
    if (Read.insert(D->Var).second)
      for (const Stmt *Store : Ctx.Flow.Values.Stores[D->Var]) {
        if (Found || !Left)
          break;
        if (Store)
          Found = Of(Store->Args[0].Value);
      }
    return Found;
  }
  switch (D->O) {
  case Op::Reduce:
    return D;
  case Op::ListGet: {
    const Stmt *List = Ctx.Flow.Values.origin(D->Args[0].Value);
    const Stmt *At = Ctx.Flow.Values.def(D->Args[1].Value);
    const bool Known = List && List->O == Op::List && At && At->O == Op::Const;
    if (!Known || At->Imm < 0 ||
        static_cast<size_t>(At->Imm) >= List->Args.size())
      return nullptr;
    return Of(List->Args[static_cast<size_t>(At->Imm)].Value);
  }
  default:
    break;
  }
  if (!keepsSizes(*D))
    return nullptr;
  for (const Arg &A : D->Args)
    if (A.Name == "self" || A.Name == "other")
      if (const Stmt *Found = Of(A.Value))
        return Found;
  return nullptr;
}

static const Stmt *reductionBehind(const Context &Ctx, ValueId V) {
  return ReductionFinder(Ctx).behind(V);
}

/// The dimensions that \p S goes over, as they are written; nothing where it
/// keeps them, or that is not known.
static std::optional<std::vector<int64_t>> goesOver(const Context &Ctx,
                                                    const Stmt &S) {
  auto Const = [&](ValueId V) -> std::optional<int64_t> {
    const Stmt *D = Ctx.Flow.Values.origin(V);
    return D && D->O == Op::Const && D->Const <= ConstKind::Bool &&
                   D->Const != ConstKind::None
               ? std::optional(D->Imm)
               : std::nullopt;
  };
  if (const Arg *Keep = findArg(S, "keepdim"); Keep && Const(Keep->Value) != 0)
    return std::nullopt;
  const Arg *Dim = findArg(S, "dim");
  if (!Dim)
    return std::nullopt;
  const Stmt *List = Ctx.Flow.Values.origin(Dim->Value);
  if (List && List->O == Op::ListCopy)
    List = Ctx.Flow.Values.origin(List->Args[0].Value);
  std::vector<int64_t> Over;
  if (List && List->O == Op::List) {
    for (const Arg &A : List->Args)
      if (const auto D = Const(A.Value))
        Over.push_back(*D);
      else
        return std::nullopt;
  } else if (const auto D = Const(Dim->Value)) {
    Over.push_back(*D);
  }
  if (Over.empty())
    return std::nullopt;
  return Over;
}

/// Whether \p By is of what a library's function gives, of which nobody knows
/// the sizes: distances and covariances have as many rows as columns.
static bool isOfUnknownSizes(const Context &Ctx, const Stmt &By) {
  const Stmt *D = &By;
  for (unsigned Depth = 0; D && Depth < 16; ++Depth) {
    if (D->O == Op::Fresh || D->O == Op::DenseFresh)
      return !D->Forward;
    const Arg *Self = findArg(*D, "self");
    D = Self ? Ctx.Flow.Values.origin(Self->Value) : nullptr;
  }
  return false;
}

/// Whether what \p By gives is also put in its place: `sd.unsqueeze(1) * sd`
/// is of a matrix with as many rows as columns.
static bool isPlaced(const Context &Ctx, const Stmt &By) {
  bool Found = false;
  forEachStmt(Ctx.F, [&](BlockId, const Stmt &S) {
    const bool Changes = opClass(S.O) == OpClass::View && S.O != Op::Detach;
    const Arg *Self = Changes && !Found ? findArg(S, "self") : nullptr;
    Found = Found || (Self && reductionBehind(Ctx, Self->Value) == &By);
  });
  return Found;
}

static OwnReduction ownReduction(const Context &Ctx, const State &W,
                                 const Object &Of, const Object &Is,
                                 ValueId V) {
  OwnReduction Own;
  if (!Of.HasLayout || !Is.HasLayout || Ctx.H != Hypothesis::Opaque ||
      (Of.Segment < 0) != (Is.Segment < 0))
    return Own;
  // One dimension is gone; of unknown ranks one that is counted, not the first.
  if (Of.Segment < 0 ? Is.L.rank() >= Of.L.rank() : Of.Segment < 2)
    return Own;
  const Stmt *By = reductionBehind(Ctx, V);
  const auto Over = By ? goesOver(Ctx, *By) : std::nullopt;
  if (!Over)
    return Own;
  // Without a rank: those counted from the front, of which one goes.
  const bool Counted = Of.Segment < 0;
  auto Known = [&](const Object &O) {
    return Counted ? O.L.Sizes
                   : SymDims(O.L.Sizes.begin(), O.L.Sizes.begin() + O.Segment);
  };
  SymDims All = Known(Of), Left;
  const auto Rank = static_cast<int64_t>(All.size());
  if (!Counted) {
    if (Over->size() != 1 || Over->front() < 1 || Over->front() >= Rank)
      return Own;
    All.resize(static_cast<size_t>(Over->front()) + 1);
  }
  std::vector<bool> Gone(All.size(), false);
  for (const int64_t D : *Over) {
    const int64_t At = D < 0 && Counted ? D + Rank : D;
    if (At < 0 || At >= static_cast<int64_t>(All.size()))
      return Own;
    Gone[static_cast<size_t>(At)] = true;
  }
  for (size_t D = 0; D < All.size(); ++D)
    if (!Gone[D])
      Left.push_back(All[D]);
  SymDims Have = Known(Is);
  if (Counted ? Have.size() != Left.size() : Have.size() < Left.size())
    return Own;
  Have.resize(Left.size());
  for (size_t D = 0; D < Left.size(); ++D)
    if (W.Ar.norm(Have[D]) != W.Ar.norm(Left[D]))
      return Own;
  if (isOfUnknownSizes(Ctx, *By) || isPlaced(Ctx, *By))
    return Own;
  Own.By = By;
  Own.Of = std::move(All);
  Own.Left = std::move(Left);
  return Own;
}

/// The same where the last dimension goes, of a tensor of which the last two
/// are known, and not how many there are: they are compared from the right.
static OwnReduction lastReduction(const Context &Ctx, const State &W,
                                  const Object &Of, const Object &Is,
                                  ValueId V) {
  OwnReduction Own;
  const size_t Rank = Of.L.rank();
  if (!Of.HasLayout || !Is.HasLayout || Ctx.H != Hypothesis::Opaque ||
      Of.Segment < 0 || Of.Segment != Is.Segment || Is.L.rank() + 1 != Rank ||
      static_cast<size_t>(Of.Segment) + 3 > Rank)
    return Own;
  const Stmt *By = reductionBehind(Ctx, V);
  const auto Over = By ? goesOver(Ctx, *By) : std::nullopt;
  if (!Over || *Over != std::vector<int64_t>{-1})
    return Own;
  for (size_t D = static_cast<size_t>(Of.Segment) + 1; D + 1 < Rank; ++D)
    if (W.Ar.norm(Of.L.Sizes[D]) != W.Ar.norm(Is.L.Sizes[D]))
      return Own;
  if (isOfUnknownSizes(Ctx, *By) || isPlaced(Ctx, *By))
    return Own;
  Own.By = By;
  Own.Of = SymDims(Of.L.Sizes.end() - 2, Of.L.Sizes.end());
  Own.Left = SymDims(1, Own.Of.front());
  return Own;
}

/// The first pair of sizes, from the back, that nobody knows to be equal.
static Outcome<Symbolic, bool> meets(const State &W, const OwnReduction &Own,
                                     bool InPlace) {
  using Out = Outcome<Symbolic, bool>;
  const size_t Lead = Own.Of.size() - Own.Left.size();
  std::optional<size_t> Pair;
  for (size_t I = Own.Of.size(); I-- > Lead;) {
    const SymExpr &P = Own.Of[I], &Q = Own.Left[I - Lead];
    if (W.Ar.eq(Q, SymExpr(1)).yes() || W.Ar.eq(P, SymExpr(1)).yes())
      continue;
    const auto Same = W.Ar.eq(P, Q);
    if (Same.no()) // which is another matter
      return true;
    if (Same.unknown() && !Pair)
      Pair = I;
  }
  if (!Pair)
    return true;
  const SymExpr P = W.Ar.norm(Own.Of[*Pair]),
                Q = W.Ar.norm(Own.Left[*Pair - Lead]);
  const bool Number = W.Ar.known(P).has_value();
  const SymExpr Differ = Number ? W.Ar.sub(Q, P) : W.Ar.sub(P, Q);
  std::vector<SymExpr> Unless{W.Ar.add(Differ, SymExpr(1))};
  if (!W.Ar.known(Q))
    Unless.push_back(Q);
  if (!Number && !InPlace)
    Unless.push_back(P);
  const SymExpr At(static_cast<int64_t>(*Pair));
  if (InPlace)
    return Out(refuse<Symbolic>(Rule::InPlaceSize, {Q, P, At}),
               std::move(Unless));
  return Out(refuse<Symbolic>(Rule::BroadcastSize, {P, Q, At}),
             std::move(Unless));
}

/// \p O with the sizes \p Known alone, which it has whatever its rank is.
static Object front(const Object &O, const SymDims &Known) {
  Object Front = O;
  if (O.Segment < 0)
    return Front;
  Front.Segment = -1;
  Front.L.Sizes = Known;
  Front.L.Strides.resize(Known.size());
  return Front;
}

bool meetsOwnReduction(const Context &Ctx, State &W, const Stmt &S,
                       const Object &Of, const Object &In, ValueId V,
                       bool InPlace) {
  OwnReduction Own = ownReduction(Ctx, W, Of, In, V);
  if (!Own.By)
    Own = lastReduction(Ctx, W, Of, In, V);
  if (!Own.By)
    return false;
  const auto Fits = meets(W, Own, InPlace);
  if (!Fits.failed())
    return false;
  const Object To = front(Of, Own.Of), Left = front(In, Own.Left);
  layoutFails(Ctx, W, S, {&To, &Left}, Fits.error(), Fits.unlessOne());
  return true;
}

bool meetOwnReductions(const Context &Ctx, State &W, const Stmt &S) {
  const Arg *A = findArg(S, "self"), *B = findArg(S, "other");
  const Object *X = A ? tensor(W, value(W, A->Value)) : nullptr;
  const Object *Y = B ? tensor(W, value(W, B->Value)) : nullptr;
  return X && Y &&
         (meetsOwnReduction(Ctx, W, S, *X, *Y, B->Value, false) ||
          meetsOwnReduction(Ctx, W, S, *Y, *X, A->Value, false));
}

} // namespace tensortidy::analysis
