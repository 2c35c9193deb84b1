//===- AxisOrder.cpp - dimensions that are taken for others ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/AxisOrder.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Relevance.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

/// Where \p Axis is among \p Of, if it is one of them alone.
static std::optional<size_t> placeOf(const SymDims &Of, SymbolId Axis) {
  std::optional<size_t> At;
  for (size_t D = 0; D < Of.size(); ++D) {
    if (!Of[D].contains(Axis))
      continue;
    if (At || Of[D].asSymbol() != Axis)
      return std::nullopt;
    At = D;
  }
  return At;
}

/// How many elements one step along dimension \p At is in packed memory.
static SymExpr stepOf(const Symbolic &Ar, const SymDims &Of, size_t At,
                      bool InnerFirst) {
  const size_t First = InnerFirst ? 0 : At + 1,
               Last = InnerFirst ? At : Of.size();
  SymExpr Step(1);
  for (size_t D = First; D < Last; ++D)
    Step = Ar.mul(Step, Of[D]);
  return Ar.norm(Step);
}

/// Whether a factor of \p M is computed in another way than by division.
static bool isComputed(const Context &Ctx, const Monomial &M) {
  for (unsigned I = 0; I < M.Count; ++I)
    if (Ctx.Table[M.S[I]].K > SymbolInfo::Floor)
      return true;
  return false;
}

/// Whether rows of n + 1 are read as rows of n, as who shifts each by one more
/// than the one before does.
static bool isSkewed(const Context &Ctx, const SymDims &Sizes) {
  return llvm::any_of(Sizes, [&](const SymExpr &Size) {
    const auto &Terms = Size.terms();
    return Terms.size() > 1 || llvm::any_of(Terms, [&](const SymExpr::Term &T) {
             return isComputed(Ctx, T.M);
           });
  });
}

/// Whether the elements of what \p S reshapes are in no order: they are just
/// made, or repeated. Or in an order of their own: a part of what was reshaped
/// before, as relative positions are shifted.
static bool hasNoOrder(const Context &Ctx, const Stmt &S) {
  bool Part = false;
  const Stmt *D = &S;
  for (unsigned Depth = 0; Depth < 6; ++Depth) {
    const Arg *Self = findArg(*D, "self");
    D = Self ? Ctx.Flow.Values.origin(Self->Value) : nullptr;
    if (!D)
      return false;
    if (opClass(D->O) == OpClass::Factory || D->O == Op::Expand)
      return true;
    if (D->O == Op::Slice || D->O == Op::Narrow || D->O == Op::Index)
      Part = true;
    else if (D->O == Op::View || D->O == Op::Reshape)
      return Part;
    else if (opClass(D->O) != OpClass::View &&
             opClass(D->O) != OpClass::MaybeCopy)
      return false;
  }
  return false;
}

void noteMovedAxis(const Context &Ctx, State &W, const Stmt &S,
                   const SymDims &From0, const SymDims &To0, bool InnerFirst) {
  SymDims From, To;
  for (const SymExpr &Size : From0)
    From.push_back(W.Ar.norm(Size));
  for (const SymExpr &Size : To0)
    To.push_back(W.Ar.norm(Size));
  if (Ctx.H != Hypothesis::Opaque || From.size() < 2 || To.size() < 2 ||
      W.Ar.eq(numel(W.Ar, From), numel(W.Ar, To)).no())
    return;
  for (size_t At = 0; At < To.size(); ++At) {
    const auto Axis = To[At].asSymbol();
    if (!Axis || Ctx.Table[*Axis].K > SymbolInfo::Integer ||
        Ctx.Table[*Axis].Rest || placeOf(To, *Axis) != At)
      continue;
    const auto Before = placeOf(From, *Axis);
    if (!Before)
      continue;
    const SymExpr Was = stepOf(W.Ar, From, *Before, InnerFirst),
                  Here = stepOf(W.Ar, To, At, InnerFirst);
    const auto Same = W.Ar.eq(Was, Here);
    if (!Same.no())
      continue;
    std::vector<SymExpr> Unless(Same.UnlessOne.begin(), Same.UnlessOne.end());
    // Dimensions that nobody counted may not be there, and those of ggml's
    // tensors that nobody asks for are 1.
    const bool Uncounted =
        !restIn(Ctx, W, Unless).empty() ||
        (InnerFirst && !llvm::all_of(Unless, [&](const SymExpr &E) {
           const SymExpr N = W.Ar.norm(E);
           return N.terms().size() == 1 &&
                  llvm::all_of(
                      llvm::ArrayRef(N.terms()[0].M.S, N.terms()[0].M.Count),
                      [&](SymbolId Of) {
                        return Ctx.Table[Of].K == SymbolInfo::Integer ||
                               placeOf(To, Of);
                      });
         }));
    Unless.push_back(To[At]);
    auto Is = [&](Silence Why, bool Applies) {
      return isSilenced(Ctx, S, Why, Applies);
    };
    if (Is(Silence::UncountedOne, Uncounted) ||
        Is(Silence::TestedOne, mustBeOne(W, Unless)) ||
        Is(Silence::PathDependent, isPathDependent(W, {Was, Here, To[At]})) ||
        Is(Silence::NoOrder,
           isSkewed(Ctx, From) || isSkewed(Ctx, To) || hasNoOrder(Ctx, S)) ||
        hasNoElements(Ctx, W, S))
      return;
    AxisSite Site;
    Site.Call = callText(Ctx, S, W);
    Site.Axis = W.Ar.str(To[At]);
    Site.Sizes = listText(W.Ar, From);
    Site.Was = W.Ar.str(Was);
    Site.Is = W.Ar.str(Here);
    Site.Unless = excepted(W, Unless);
    Site.Taken = path(W);
    Ctx.Facts.Axes.insert({&S, std::move(Site)});
    return;
  }
}

//===----------------------------------------------------------------------===//
// softmax and products
//===----------------------------------------------------------------------===//

/// What the variable that \p Load reads was given before it in its block, or 0.
static ValueId givenBefore(const Context &Ctx, const Stmt &Load) {
  const llvm::ArrayRef<Stmt> Stmts =
      Ctx.F.Blocks[Ctx.Flow.BlockOf[Load.Result]].Stmts;
  ValueId Given = 0;
  for (const Stmt &S : Stmts) {
    if (&S == &Load)
      return Given;
    if (S.O == Op::Store && S.Var == Load.Var)
      Given = S.Args.empty() ? 0 : S.Args[0].Value;
    else if (S.isOpaque() && llvm::any_of(S.Args, [&](const Arg &A) {
               return A.R == Role::Write && A.Var == Load.Var;
             }))
      Given = 0;
  }
  return 0;
}

/// The softmax() that gives \p V its elements, through what may set some of
/// them to 0 and keeps their places.
static const Stmt *normalizer(const Context &Ctx, ValueId V) {
  for (unsigned Depth = 0; V && Depth < 8; ++Depth) {
    const Stmt *D = Ctx.Flow.Values.origin(V);
    if (!D || D->is(Attribute::AddsUpToOne))
      return D;
    const Arg *Self = findArg(*D, "self");
    if (D->O == Op::Load)
      V = givenBefore(Ctx, *D);
    else if (Self && (D->O == Op::SameSizes || D->O == Op::To ||
                      D->O == Op::Contiguous || D->O == Op::Detach))
      V = Self->Value;
    else
      return nullptr;
  }
  return nullptr;
}

void noteSummedAxis(const Context &Ctx, State &W, const Stmt &S,
                    llvm::StringRef Name, const Object &O, unsigned FromEnd) {
  const Arg *A = findArg(S, Name);
  const Stmt *By = A && Ctx.H == Hypothesis::Opaque && O.HasLayout
                       ? normalizer(Ctx, A->Value)
                       : nullptr;
  if (!By || O.Segment >= 0 || O.L.rank() < FromEnd)
    return;
  const auto Rank = static_cast<int64_t>(O.L.rank());
  const Arg *Dim = findArg(*By, "dim");
  const Stmt *Is = Dim ? Ctx.Flow.Values.origin(Dim->Value) : nullptr;
  if (!Is || Is->O != Op::Const || Is->Const != ConstKind::Int)
    return;
  const int64_t Normalized = Is->Imm < 0 ? Is->Imm + Rank : Is->Imm,
                Summed = Rank - FromEnd;
  if (Normalized == Summed || Normalized < 0 || Normalized >= Rank ||
      hasNoElements(Ctx, W, S))
    return;
  const SymExpr &Size = O.L.Sizes[static_cast<size_t>(Summed)];
  if (W.Ar.known(Size) == 1)
    return;
  AxisSite Site;
  Site.By = By;
  Site.Call = callText(Ctx, S, W);
  Site.Axis = std::to_string(Summed);
  Site.Was = std::to_string(Normalized);
  Site.Sizes = listText(W.Ar, O.L.Sizes);
  Site.Unless = excepted(W, {Size});
  Site.Taken = path(W);
  Ctx.Facts.Axes.insert({&S, std::move(Site)});
}

} // namespace tensortidy::analysis
