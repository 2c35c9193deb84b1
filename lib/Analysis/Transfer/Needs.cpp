//===- Needs.cpp - what operations ask of their operands -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `needs=` of an operation's model (Models/Sizes.h) against the sizes that a
// state knows:
//
//   gather self=%x dim=1 index=%i   needs "rank(index)=rank(self)"
//
// fails where both ranks are known and differ. What is not known is assumed to
// fit, and of single sizes is taken to be equal from there on.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Needs.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Sites.h"
#include "Layout/Elementwise.h"
#include "Models/Sizes.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

namespace tensortidy::analysis {

using namespace program;
using namespace models;

using namespace layout;

namespace {

/// What one need comes to.
struct Verdict {
  Truth Met = Truth::Unknown;
  std::optional<LayoutError<SymExpr>> Error;
  std::vector<SymExpr> UnlessOne;
  std::vector<const Object *> Of;
  std::vector<std::string> DTypes;
  std::string Role; ///< of the operand the error is about; empty: self

  void fail(LayoutError<SymExpr> E, std::vector<SymExpr> Unless = {}) {
    Met = Truth::No;
    Error = std::move(E);
    UnlessOne = std::move(Unless);
  }
  template <class T> void take(Outcome<Symbolic, T> Out) {
    if (Out.failed())
      fail(Out.error(), Out.unlessOne());
    else
      Met = Out.ok() ? Truth::Yes : Truth::Unknown;
  }
};

} // namespace

static bool isPlain(const SizesNode &N) { return N.K == SizesNode::Operand; }

/// All sizes of an operand, a tensor or a list; nothing where one is missing.
static std::optional<SymDims> allSizes(const Context &Ctx, State &W,
                                       const Stmt &S, const std::string &Name) {
  const Value V = operand(W, S, Name);
  if (const Object *O = tensor(W, V))
    return O->HasLayout && O->Segment < 0 ? std::optional(O->L.Sizes)
                                          : std::nullopt;
  return V.K == Value::List ? sizesArg(Ctx, W, S, Name) : std::nullopt;
}

/// The place of the dimension that \p N names in a tensor of which \p O is
/// known, or -1.
static int64_t placeOf(State &W, const Stmt &S, const SizesNode &N,
                       const Object &O) {
  const auto Rank = static_cast<int64_t>(O.L.rank());
  auto At = N.At.empty() ? N.From : intArg(W, S, N.At, N.Default);
  if (!O.HasLayout || !At)
    return -1;
  const int64_t D = *At < 0 ? *At + Rank : *At;
  if (D < 0 || D >= Rank)
    return -1;
  if (O.Segment >= 0 && (*At < 0 ? D <= O.Segment : D >= O.Segment))
    return -1;
  return D;
}

/// What a single operand, or one of its sizes, is.
static std::optional<SymExpr> operandSize(const Context &Ctx, State &W,
                                          const Stmt &S, const SizesNode &N) {
  auto Of = [&]() -> const Object * {
    const Object *O = tensor(W, operand(W, S, N.Name));
    return O && O->HasLayout ? O : nullptr;
  };
  switch (N.K) {
  case SizesNode::Rank:
    if (auto All = allSizes(Ctx, W, S, N.Name))
      return SymExpr(static_cast<int64_t>(All->size()));
    return std::nullopt;
  case SizesNode::Numel:
    if (const Object *O = Of())
      return numel(W.Ar, O->L.Sizes);
    return std::nullopt;
  case SizesNode::Index: {
    if (const Object *O = Of()) {
      const int64_t D = placeOf(W, S, N, *O);
      return D < 0 ? std::nullopt
                   : std::optional(O->L.Sizes[static_cast<size_t>(D)]);
    }
    auto All = allSizes(Ctx, W, S, N.Name);
    if (!All || !N.From || *N.From < 0 ||
        *N.From >= static_cast<int64_t>(All->size()))
      return std::nullopt;
    return (*All)[static_cast<size_t>(*N.From)];
  }
  case SizesNode::Operand: {
    const Value V = operand(W, S, N.Name);
    if (V.K == Value::Int)
      return V.I;
    if (N.Default && (V.K == Value::None || !findArg(S, N.Name)))
      return SymExpr(*N.Default);
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// A single number of a need, where it is known.
static std::optional<SymExpr> oneSize(const Context &Ctx, State &W,
                                      const Stmt &S, const SizesNode &N) {
  return evaluateSize(
      W.Ar, N, [&](const SizesNode &Of) { return operandSize(Ctx, W, S, Of); });
}

void indexFits(const Context &Ctx, State &W, const Stmt &S, const Object &O,
               llvm::ArrayRef<Value> Indices) {
  const bool Tensors = llvm::any_of(
      Indices, [](const Value &V) { return V.K == Value::Tensor; });
  if (!Tensors || !O.HasLayout || O.Segment >= 0)
    return;
  size_t Dim = 0;
  bool Placed = true; // Dim is known
  std::optional<SymDims> Together;
  for (const Value &V : Indices) {
    if (V.K == Value::NewAxis || V.K == Value::None)
      return; // masks behind it: docs/semantics.md
    if (V.K == Value::Int || V.K == Value::Slice) {
      ++Dim;
      continue;
    }
    const Object *By = tensor(W, V);
    if (!By) {
      Placed = false;
      continue;
    }
    const bool Mask = By->DType == "bool" || By->DType == "uint8";
    // Later releases than 1.13 also take int32.
    if ((llvm::StringRef(By->DType).starts_with("float") ||
         By->DType == "int8" || By->DType == "int16") &&
        !S.InMacro && !S.TypesVary)
      return dtypeFails(Ctx, W, S, *By, {"int64", "bool"}, "index");
    if (!By->HasLayout || By->Segment >= 0 || By->DType.empty()) {
      Placed = false;
      continue;
    }
    if (Mask && Placed && Dim + By->L.rank() <= O.L.rank())
      for (size_t D = 0; D < By->L.rank(); ++D)
        if (auto Same = W.Ar.eq(By->L.Sizes[D], O.L.Sizes[Dim + D]); Same.no())
          return layoutFails(
              Ctx, W, S, {By},
              refuse<Symbolic>(Rule::SizeWanted,
                               {By->L.Sizes[D], O.L.Sizes[Dim + D],
                                SymExpr(static_cast<int64_t>(D))}),
              Same.UnlessOne, "mask");
    Dim += Mask ? By->L.rank() : 1;
    if (Mask)
      continue;
    auto All =
        broadcastSizes(W.Ar, Together ? *Together : SymDims(), By->L.Sizes);
    if (All.failed())
      return layoutFails(Ctx, W, S, {By}, All.error(), All.unlessOne());
    if (!All.ok())
      return;
    Together = *All;
  }
  if (Placed && Dim > O.L.rank())
    layoutFails(Ctx, W, S, {&O},
                refuse<Symbolic>(Rule::RankAtLeast,
                                 {SymExpr(static_cast<int64_t>(Dim)),
                                  SymExpr(static_cast<int64_t>(O.L.rank()))}),
                {});
}

/// \p N is \p Equal, or the operation throws: of a tensor whose rank is not
/// known, what it asks for is there.
static void meetNeed(const Context &Ctx, State &W, const Stmt &S,
                     const SizesNode &N, const std::optional<SymExpr> &Equal) {
  Object *O = tensor(W, operand(W, S, N.Name));
  if (!O || !O->HasLayout || O->Segment < 0 || !Equal)
    return;
  if (N.K == SizesNode::Rank) {
    if (auto Rank = W.Ar.known(*Equal); Rank && *Rank >= 0 && *Rank < 32)
      setRank(Ctx, W, *O, static_cast<unsigned>(*Rank));
  } else if (N.K == SizesNode::Index) {
    if (auto At = N.At.empty() ? N.From : intArg(W, S, N.At, N.Default))
      place(Ctx, W, *O, *At);
  }
}

static SymExpr number(int64_t I) { return SymExpr(I); }

/// One size and another.
static void compareOne(const Context &Ctx, State &W, const Stmt &S,
                       const SizesNeed &N, Verdict &V) {
  auto L = oneSize(Ctx, W, S, N.Left), R = oneSize(Ctx, W, S, N.Right);
  if (!L || !R)
    return;
  const bool Equal = N.K == SizesNeed::Equal;
  layout::Answer<SymExpr> Is = W.Ar.eq(*L, *R);
  if (!Equal) {
    const Truth More = W.Ar.lt(*R, *L);
    Is = layout::Answer<SymExpr>(!More);
  }
  V.Met = Is.T;
  // What nobody knows to be empty is not.
  if (N.Left.K == SizesNode::Numel && W.Ar.known(*R) == 0 && !Is.yes())
    V.Met = Truth::No;
  if (!Is.no())
    return;
  // The size it is about: the left one, or the right one.
  const bool LeftIs = N.Left.K == SizesNode::Index ||
                      N.Left.K == SizesNode::Rank ||
                      N.Left.K == SizesNode::Numel;
  const SizesNode &About = LeftIs ? N.Left : N.Right;
  if (!LeftIs)
    std::reverse(V.Of.begin(), V.Of.end());
  V.Role = About.Name;
  const SymExpr &Have = LeftIs ? *L : *R, &Want = LeftIs ? *R : *L;
  const Object *O = tensor(W, operand(W, S, About.Name));
  const int64_t D =
      About.K == SizesNode::Index && O ? placeOf(W, S, About, *O) : -1;
  std::vector<SymExpr> Values{Have, Want};
  if (About.K == SizesNode::Rank) {
    std::swap(Values[0], Values[1]);
    V.fail(refuse<Symbolic>(Equal    ? Rule::RankWanted
                            : LeftIs ? Rule::RankAtMost
                                     : Rule::RankAtLeast,
                            Values));
    return;
  }
  if (About.K == SizesNode::Index)
    Values.push_back(number(O && O->Segment < 0 ? D
                            : About.From        ? *About.From
                                                : D));
  V.fail(refuse<Symbolic>(Equal    ? Rule::SizeWanted
                          : LeftIs ? Rule::SizeAtMost
                                   : Rule::SizeAtLeast,
                          Values),
         std::move(Is.UnlessOne));
}

/// All sizes but those of one dimension.
static void compareAll(const Context &Ctx, State &W, const Stmt &S,
                       const SizesNeed &N, Verdict &V) {
  auto L = allSizes(Ctx, W, S, N.Left.Name),
       R = allSizes(Ctx, W, S, N.Right.Name);
  if (!L || !R || (N.K == SizesNeed::AtMost && L->size() != R->size()))
    return;
  if (L->size() != R->size())
    return V.fail(refuse<Symbolic>(Rule::RankWanted,
                                   {number(static_cast<int64_t>(R->size())),
                                    number(static_cast<int64_t>(L->size()))}));
  std::optional<int64_t> But;
  if (!N.But.empty())
    But = intArg(W, S, N.But);
  if (!N.But.empty() && !But)
    return;
  V.Met = Truth::Yes;
  const auto Rank = static_cast<int64_t>(L->size());
  for (int64_t D = 0; D < Rank; ++D) {
    if (But && (*But == D || *But + Rank == D))
      continue;
    const SymExpr &Have = (*L)[static_cast<size_t>(D)],
                  &Want = (*R)[static_cast<size_t>(D)];
    layout::Answer<SymExpr> Is = W.Ar.eq(Have, Want);
    if (N.K == SizesNeed::AtMost)
      Is = layout::Answer<SymExpr>(!W.Ar.lt(Want, Have));
    if (Is.no())
      return V.fail(refuse<Symbolic>(N.K == SizesNeed::AtMost
                                         ? Rule::SizeAtMost
                                         : Rule::SizeWanted,
                                     {Have, Want, number(D)}),
                    std::move(Is.UnlessOne));
    V.Met = V.Met && Is.T;
  }
}

/// The last sizes of one are all of the other.
static void compareEnds(const Context &Ctx, State &W, const Stmt &S,
                        const SizesNeed &N, Verdict &V) {
  auto L = allSizes(Ctx, W, S, N.Left.Name),
       R = allSizes(Ctx, W, S, N.Right.Name);
  if (Object *O = tensor(W, operand(W, S, N.Left.Name));
      !L && R && O && O->HasLayout && !R->empty() &&
      place(Ctx, W, *O, -static_cast<int64_t>(R->size())))
    L = O->tail();
  if (!L || !R)
    return;
  if (L->size() < R->size())
    return V.fail(refuse<Symbolic>(Rule::RankAtLeast,
                                   {number(static_cast<int64_t>(R->size())),
                                    number(static_cast<int64_t>(L->size()))}));
  V.Met = Truth::Yes;
  const size_t Lead = L->size() - R->size();
  for (size_t D = 0; D < R->size(); ++D) {
    auto Is = W.Ar.eq((*L)[Lead + D], (*R)[D]);
    if (Is.no())
      return V.fail(refuse<Symbolic>(Rule::SizeWanted,
                                     {(*L)[Lead + D], (*R)[D],
                                      number(static_cast<int64_t>(Lead + D))}),
                    std::move(Is.UnlessOne));
    V.Met = V.Met && Is.T;
  }
}

/// A list of dimensions.
static void checkDims(const Context &Ctx, State &W, const Stmt &S,
                      const SizesNeed &N, Verdict &V) {
  auto R = allSizes(Ctx, W, S, N.Right.Name);
  auto Dims = dimsArg(W, S, N.Left.Name);
  if (!R || !Dims)
    return;
  V.Met = Truth::Yes;
  for (int64_t D : *Dims)
    if (auto Out = wrapDim(W.Ar, D, R->size()); Out.failed())
      return V.take(std::move(Out));
}

static void checkDivides(const Context &Ctx, State &W, const Stmt &S,
                         const SizesNeed &N, Verdict &V) {
  V.Role = N.Right.Name;
  std::reverse(V.Of.begin(), V.Of.end());
  auto L = oneSize(Ctx, W, S, N.Left), R = oneSize(Ctx, W, S, N.Right);
  const int64_t By = L ? W.Ar.known(*L).value_or(0) : 0;
  auto Size = R ? W.Ar.known(*R) : std::nullopt;
  if (Size && By > 0 && *Size % By != 0)
    V.fail(refuse<Symbolic>(
        Rule::SizeMultiple,
        {*R, *L, number(V.Of.empty() ? 0 : placeOf(W, S, N.Right, *V.Of[0]))}));
}

static void checkDTypes(const Context &Ctx, State &W, const Stmt &S,
                        const SizesNeed &N, Verdict &V) {
  if (N.Texts.empty()) {
    sameDTypes(Ctx, W, S, tensor(W, operand(W, S, N.Left.Name)),
               tensor(W, operand(W, S, N.Right.Name)));
    return;
  }
  // Of no elements, none is looked at.
  if (V.Of.empty() || V.Of[0]->DType.empty() || V.Of[0]->DType[0] == '%' ||
      S.InMacro || S.TypesVary ||
      (V.Of[0]->HasLayout && isEmpty(W.Ar, V.Of[0]->L.Sizes) == Truth::Yes))
    return;
  V.Met = truth(llvm::any_of(N.Texts, [&](const std::string &Wanted) {
    return isDType(V.Of[0]->DType, Wanted);
  }));
  V.DTypes = N.Texts;
}

/// A number that a tensor is filled with: libtorch refuses what the type does
/// not have, but for infinity.
static void checkHolds(const Context &Ctx, const Stmt &S, const SizesNeed &N,
                       Verdict &V) {
  const Arg *Given = findArg(S, N.Right.Name);
  const Stmt *Is = Given ? Ctx.Flow.Values.origin(Given->Value) : nullptr;
  const auto Number = writtenReal(Is);
  if (!Number || std::isinf(*Number) || V.Of.empty() || S.InMacro ||
      S.TypesVary)
    return;
  const auto Most = greatest(V.Of[0]->DType);
  if (!Most)
    return;
  V.Met = truth(std::abs(*Number) <= *Most);
  V.DTypes = {Is->Const == ConstKind::Int ? std::to_string(Is->Imm)
                                          : std::string(Is->Text)};
}

/// What becomes of one need.
static Verdict judge(const Context &Ctx, State &W, const Stmt &S,
                     const SizesNeed &N) {
  Verdict V;
  for (const std::string &Name : {N.Left.Name, N.Right.Name})
    if (const Object *O = tensor(W, operand(W, S, Name)))
      V.Of.push_back(O);
  V.Role = N.Left.Name;
  switch (N.K) {
  case SizesNeed::Equal:
  case SizesNeed::AtMost:
    isPlain(N.Left) && isPlain(N.Right) ? compareAll(Ctx, W, S, N, V)
                                        : compareOne(Ctx, W, S, N, V);
    break;
  case SizesNeed::Broadcast:
  case SizesNeed::Into: {
    auto L = allSizes(Ctx, W, S, N.Left.Name),
         R = allSizes(Ctx, W, S, N.Right.Name);
    if (L && R && N.K == SizesNeed::Into) {
      std::reverse(V.Of.begin(), V.Of.end());
      V.take(inPlaceSizes(W.Ar, *R, *L));
    } else if (L && R) {
      V.take(broadcastSizes(W.Ar, *L, *R));
    }
    break;
  }
  case SizesNeed::Ends:
    compareEnds(Ctx, W, S, N, V);
    break;
  case SizesNeed::Divides:
    checkDivides(Ctx, W, S, N, V);
    break;
  case SizesNeed::Dimension:
    V.Role = N.Right.Name;
    V.Of.assign(1, tensor(W, operand(W, S, N.Right.Name)));
    checkDims(Ctx, W, S, N, V);
    break;
  case SizesNeed::DType:
    checkDTypes(Ctx, W, S, N, V);
    break;
  case SizesNeed::Holds:
    checkHolds(Ctx, S, N, V);
    break;
  }
  return V;
}

void needs(const Context &Ctx, State &W, const Stmt &S) {
  const Value Text = operand(W, S, "needs");
  const auto &All = parseNeeds(Text.Text);
  if (!All)
    return;
  bool Met = true;
  for (const std::vector<SizesNeed> &Any : *All) {
    if (Any.size() == 1 && Any[0].K == SizesNeed::Equal) {
      meetNeed(Ctx, W, S, Any[0].Left, oneSize(Ctx, W, S, Any[0].Right));
      meetNeed(Ctx, W, S, Any[0].Right, oneSize(Ctx, W, S, Any[0].Left));
    }
    Verdict Worst;
    bool Fails = true;
    for (const SizesNeed &N : Any) {
      Verdict V = judge(Ctx, W, S, N);
      Fails = Fails && V.Met == Truth::No;
      if (Any.size() == 1 && N.K == SizesNeed::Equal &&
          V.Met == Truth::Unknown) {
        auto L = oneSize(Ctx, W, S, N.Left), R = oneSize(Ctx, W, S, N.Right);
        if (L && R)
          W.Ar.assumeEqual(*L, *R);
      }
      if (&N == Any.data() || V.Met == Truth::No)
        Worst = std::move(V);
    }
    if (!Fails)
      continue;
    Met = false;
    if (Worst.Error)
      layoutFails(Ctx, W, S, Worst.Of, *Worst.Error, Worst.UnlessOne,
                  Worst.Role == "self" ? "" : Worst.Role);
    else
      dtypeFails(Ctx, W, S, *Worst.Of[0], Worst.DTypes, Worst.Role);
    break;
  }
  if (Met)
    ++Ctx.Facts.Sites[&S].Ok;
}

} // namespace tensortidy::analysis
