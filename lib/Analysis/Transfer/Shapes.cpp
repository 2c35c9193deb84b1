//===- Shapes.cpp - results computed from operands ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of Transfer: operations that make a fresh tensor whose sizes follow from
// their operands, by a rule of the model (`sized`), or by one written here
// (convolutions, pools, padding, einsum).
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Shapes.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Sites.h"
#include "Layout/Windows.h"
#include "Models/Sizes.h"
#include <cmath>

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;
using namespace models;

using SymOutcome = LayoutOutcome<Symbolic>;

void resultSized(const Context &Ctx, State &W, const Stmt &S, SymDims Sizes,
                 llvm::StringRef Strides, const Object *Of, int SegmentAt) {
  SymLayout L = denseLayout(W.Ar, Sizes);
  bool Known = Strides == "dense";
  if (Strides == "column_major" && SegmentAt < 0 && Sizes.size() >= 2) {
    const size_t N = Sizes.size();
    std::swap(Sizes[N - 1], Sizes[N - 2]);
    L.Strides = denseStrides(W.Ar, Sizes);
    std::swap(L.Strides[N - 1], L.Strides[N - 2]);
    std::swap(Sizes[N - 1], Sizes[N - 2]);
    Known = true;
  }
  if (Strides == "format" && SegmentAt < 0 && Of && Of->HasLayout &&
      Of->Segment < 0)
    if (auto F = suggestMemoryFormat(W.Ar, Of->L))
      if (auto T = formatStrides(W.Ar, Sizes, *F); T.ok()) {
        L.Strides = *T;
        Known = true;
      }
  // A tensor of three dimensions or less has no format to keep.
  if (Strides == "format" && SegmentAt < 0 && Sizes.size() < 4)
    Known = true;
  if (!Known)
    L.Strides = unknownStrides(Ctx, S, Sizes.size());
  resultFresh(Ctx, W, S, Of, SymOutcome(std::move(L)), SegmentAt);
  if (Object *O = tensor(W, value(W, S.Result)))
    O->SegmentDense = O->SegmentDense && Known;
}

namespace {

/// The dimensions one item of a `sizes` text stands for.
struct Item {
  SymDims Dims;
  int SegmentAt = -1;
  const Object *SegmentOf = nullptr;
  bool Known = false;
};

/// Reads what a `sizes` text says of the operands of one statement.
class SizesReader {
public:
  SizesReader(const Context &Ctx, State &W, const Stmt &S)
      : Ctx(Ctx), W(W), S(S) {}

  void prepare(const SizesNode &N);
  Item evaluate(const SizesNode &N);

private:
  SymExpr some() { return valueSymbol(Ctx, S, SymbolInfo::Size, "?", Part++); }
  std::optional<int64_t> placeOf(const SizesNode &N);
  Item read(const SizesNode &N);
  Item part(const SizesNode &N, Item R, const SymDims &All, int Segment);

  const Context &Ctx;
  State &W;
  const Stmt &S;
  unsigned Part = 0;
};

} // namespace

/// Counting dimensions of an unknown rank moves others, so that all of it
/// comes first.
void SizesReader::prepare(const SizesNode &N) {
  for (const SizesNode &O : N.Operands)
    prepare(O);
  if (N.Name.empty())
    return;
  Object *O = tensorArg(Ctx, W, S, N.Name);
  if (!N.At.empty())
    placeOf(N);
  if (!O || N.K == SizesNode::Operand || N.K == SizesNode::Numel)
    return;
  if (N.From)
    place(Ctx, W, *O,
          N.K == SizesNode::Slice && *N.From > 0 ? *N.From - 1 : *N.From);
  if (N.To)
    place(Ctx, W, *O, *N.To > 0 ? *N.To - 1 : *N.To);
}

/// The dimension that another operand names; nothing where it may be one of
/// those counted from the other end.
std::optional<int64_t> SizesReader::placeOf(const SizesNode &N) {
  Object *O = N.At.empty() ? nullptr : tensorArg(Ctx, W, S, N.Name);
  auto D = dimArg(Ctx, W, S, O, N.At, N.Default);
  return D && O->isApart() ? D : std::nullopt;
}

Item SizesReader::evaluate(const SizesNode &N) {
  Item R;
  auto One = [&](SymExpr E) {
    R.Dims.push_back(std::move(E));
    R.Known = true;
    return R;
  };
  switch (N.K) {
  case SizesNode::Number:
    return One(SymExpr(N.Value));
  case SizesNode::Unknown:
    return One(some());
  case SizesNode::Numel: {
    Object *O = tensorArg(Ctx, W, S, N.Name);
    return One(O && O->HasLayout ? numel(W.Ar, O->L.Sizes) : some());
  }
  case SizesNode::Add:
  case SizesNode::Sub:
  case SizesNode::Mul:
  case SizesNode::Div: {
    auto Size = evaluateSize(
        W.Ar, N, [&](const SizesNode &Of) -> std::optional<SymExpr> {
          const Item I = evaluate(Of);
          return I.Known && I.Dims.size() == 1 ? std::optional(I.Dims[0])
                                               : std::nullopt;
        });
    return One(Size ? *Size : some());
  }
  default:
    return read(N);
  }
}

/// What an operand, or some of its sizes, gives.
Item SizesReader::read(const SizesNode &N) {
  Item R;
  auto One = [&](SymExpr E) {
    R.Dims.push_back(std::move(E));
    R.Known = true;
    return R;
  };
  const Value V = operand(W, S, N.Name);
  if (V.K == Value::Int)
    return One(V.I);
  if (V.K == Value::None || !findArg(S, N.Name)) {
    if (N.Default && N.At.empty())
      return One(SymExpr(*N.Default));
    return N.K == SizesNode::Index ? One(some()) : R;
  }
  SymDims All;
  int Segment = -1;
  if (const Object *O = tensor(W, V)) {
    if (!O->HasLayout) {
      // The count may be known without the sizes.
      int64_t From = N.From ? *N.From : 0;
      if (N.K == SizesNode::Index)
        return One(some());
      if (N.K == SizesNode::Slice && N.To && From >= 0 && *N.To >= From) {
        for (int64_t I = From; I < *N.To; ++I)
          R.Dims.push_back(some());
        R.Known = true;
      }
      return R;
    }
    All = O->L.Sizes;
    Segment = O->Segment;
    R.SegmentOf = O;
  } else if (V.K == Value::List) {
    auto Z = sizesArg(Ctx, W, S, N.Name);
    if (!Z)
      return R;
    All = *Z;
  } else {
    return N.K == SizesNode::Index ? One(some()) : R;
  }
  return part(N, std::move(R), All, Segment);
}

/// The sizes of \p All that \p N asks for.
Item SizesReader::part(const SizesNode &N, Item R, const SymDims &All,
                       int Segment) {
  auto Count = static_cast<int64_t>(All.size());
  int64_t From = N.From ? *N.From : 0, To = N.To ? *N.To : Count;
  const std::optional<int64_t> At = placeOf(N);
  if (!N.At.empty() && !At)
    return R;
  if (N.K == SizesNode::Operand) {
    From = 0;
    To = Count;
  } else if (N.K == SizesNode::Index) {
    From = At ? *At : *N.From;
    To = From == -1 ? Count : From + 1;
  }
  From = From < 0 ? From + Count : From;
  To = To < 0 ? To + Count : To;
  if (From < 0 || To > Count || From > To)
    return R; // it throws
  for (int64_t I = From; I < To; ++I) {
    if (I == Segment)
      R.SegmentAt = static_cast<int>(R.Dims.size());
    R.Dims.push_back(All[static_cast<size_t>(I)]);
  }
  if (At && N.K == SizesNode::Operand) {
    const Item New = evaluate(N.Operands[0]);
    const int64_t D = *At < 0 ? *At + Count : *At;
    if (!New.Known || New.Dims.size() != 1 || D < 0 || D >= Count)
      return R;
    R.Dims[static_cast<size_t>(D)] = New.Dims[0];
  }
  R.Known = N.K != SizesNode::Index || R.SegmentAt < 0;
  return R;
}

void sized(const Context &Ctx, State &W, const Stmt &S) {
  auto Text = [&](llvm::StringRef Name) {
    Value V = operand(W, S, Name);
    return V.K == Value::Symbol ? V.Text : std::string();
  };
  const std::string Strides = Text("strides");
  const auto &Items = parseSizes(Text("sizes"));
  // The first tensor operand is the one the result is said to come from.
  const Arg *FirstArg = nullptr;
  for (const Arg &A : S.Args)
    if (!FirstArg && tensor(W, value(W, A.Value)))
      FirstArg = &A;
  auto First = [&] {
    return FirstArg ? tensor(W, value(W, FirstArg->Value)) : nullptr;
  };
  auto GiveUp = [&] {
    return Strides == "dense" ? resultDense(Ctx, W, S, std::nullopt, First())
                              : resultUnknown(Ctx, W, S, true, First());
  };
  if (!Items)
    return GiveUp();

  SizesReader Reader(Ctx, W, S);
  for (const SizesNode &N : *Items)
    Reader.prepare(N);
  SymDims Sizes;
  int SegmentAt = -1;
  std::optional<Object> SegmentOf;
  for (const SizesNode &N : *Items) {
    Item I = Reader.evaluate(N);
    if (!I.Known || (I.SegmentAt >= 0 && SegmentAt >= 0))
      return GiveUp();
    if (I.SegmentAt >= 0) {
      SegmentAt = static_cast<int>(Sizes.size()) + I.SegmentAt;
      SegmentOf = *I.SegmentOf;
    }
    for (SymExpr &E : I.Dims)
      Sizes.push_back(usedAsSize(W, E));
  }
  resultSized(Ctx, W, S, std::move(Sizes), Strides, First(), SegmentAt);
  if (Object *Made = tensor(W, value(W, S.Result)); Made && SegmentOf)
    Made->rankFrom(*SegmentOf);
}

/// A setting of a window for \p N dimensions: one number for all, or one each.
/// Nothing when it is not known; \p Default where it is not given.
static std::optional<SymDims> perDim(const Context &Ctx, State &W,
                                     const Stmt &S, llvm::StringRef Name,
                                     size_t N,
                                     const std::optional<SymDims> &Default) {
  Value V = operand(W, S, Name);
  if (findArg(S, "options"))
    return std::nullopt; // it stands there
  if (!findArg(S, Name) || V.K == Value::None)
    return Default;
  if (V.K == Value::Symbol && V.Text == "valid")
    return SymDims(N, SymExpr(0));
  auto Z = sizesArg(Ctx, W, S, Name);
  if (!Z)
    return std::nullopt;
  if (Z->empty())
    return Default;
  if (Z->size() == 1)
    return SymDims(N, (*Z)[0]);
  return Z->size() == N ? Z : std::nullopt;
}

/// The number of spatial dimensions: `dims=`, or by the weight's rank.
static std::optional<size_t> spatialDims(const Context &Ctx, State &W,
                                         const Stmt &S,
                                         llvm::StringRef Weight) {
  if (auto N = intArg(W, S, "dims"))
    return static_cast<size_t>(*N);
  const Object *O = Weight.empty() ? nullptr : tensorArg(Ctx, W, S, Weight);
  if (O && O->HasLayout && O->Segment < 0 && O->L.rank() > 2)
    return O->L.rank() - 2;
  return std::nullopt;
}

/// The sizes in front of the last \p N: [batch, channels], or [channels]. Also
/// gives the last \p N. Of a tensor whose rank is not known, what is in front
/// of the channels is left out. Nothing for a rank that does not fit.
static bool splitSpatial(const Context &Ctx, State &W, Object &O, size_t N,
                         SymDims &Front, SymDims &Spatial) {
  if (!O.HasLayout ||
      (O.Segment >= 0 && !place(Ctx, W, O, -static_cast<int64_t>(N) - 1)))
    return false;
  if (O.Segment >= 0) // with a batch, or without
    O.AtMost = static_cast<unsigned>(N) + 2;
  const SymDims Sizes = O.tail();
  if (Sizes.size() < N)
    return false;
  const size_t Lead = Sizes.size() - N;
  for (size_t D = 0; D < Sizes.size(); ++D)
    (D < Lead ? Front : Spatial).push_back(Sizes[D]);
  return true;
}

/// Windows over \p Of, whose last sizes are now \p Sizes.
static void resultWindows(const Context &Ctx, State &W, const Stmt &S,
                          const Object &Of, SymDims Sizes,
                          llvm::StringRef Strides) {
  if (Of.Segment < 0)
    return resultSized(Ctx, W, S, std::move(Sizes), Strides, &Of);
  const unsigned AtMost = Of.AtMost;
  resultTail(Ctx, W, S, &Of, std::move(Sizes), false, Of.leastRank());
  if (Object *O = tensor(W, value(W, S.Result)))
    O->AtMost = AtMost;
}

void convolution(const Context &Ctx, State &W, const Stmt &S) {
  Object *Weight = tensorArg(Ctx, W, S, "weight"),
         *X = tensorArg(Ctx, W, S, "self");
  Weight = tensorArg(Ctx, W, S, "weight");
  sameDTypes(Ctx, W, S, X, Weight);
  auto N = spatialDims(Ctx, W, S, "weight");
  SymDims Front, In;
  bool Transposed = false, Sure = true;
  if (Value V = operand(W, S, "transposed"); V.K == Value::Bool) {
    Truth T = evaluate(Ctx, W, *V.C);
    Transposed = T == Truth::Yes;
    Sure = T != Truth::Unknown;
  } else {
    Sure = !findArg(S, "transposed");
  }
  auto Groups = perDim(Ctx, W, S, "groups", 1, SymDims(1, SymExpr(1)));
  const bool Split = X && N && splitSpatial(Ctx, W, *X, *N, Front, In);
  const bool TooFew = X && N && X->HasLayout && X->Segment < 0 && !Split;
  if ((Split || TooFew) && Weight && Sure && Groups && Weight->HasLayout &&
      Weight->Segment < 0)
    site(Ctx, W, S, {X, Weight},
         convChannels(W.Ar, *N, X->tail(), Weight->L.Sizes, (*Groups)[0],
                      Transposed),
         true);
  if (X && N && Weight && Sure && !Transposed && Groups && Weight->HasLayout &&
      Weight->Segment < 0)
    site(Ctx, W, S, {X, Weight},
         convGroups(W.Ar, Weight->L.Sizes, (*Groups)[0]), true);
  if (!Split || Front.empty())
    return resultUnknown(Ctx, W, S, true, X);
  bool Sized = Weight && Weight->HasLayout && setRank(Ctx, W, *Weight, *N + 2);
  auto One = SymDims(*N, SymExpr(1)), Zero = SymDims(*N, SymExpr(0));
  auto Stride = perDim(Ctx, W, S, "stride", *N, One),
       Padding = perDim(Ctx, W, S, "padding", *N, Zero),
       Dilation = perDim(Ctx, W, S, "dilation", *N, One),
       Extra = perDim(Ctx, W, S, "output_padding", *N, Zero);
  auto Some = [&](unsigned Part) {
    return valueSymbol(Ctx, S, SymbolInfo::Size, "?", Part);
  };
  SymDims Out(Front);
  if (!Sized || !Sure || (Transposed && !Groups))
    Out.back() = Some(0);
  else
    Out.back() = Transposed ? W.Ar.mul(Weight->L.Sizes[1], (*Groups)[0])
                            : Weight->L.Sizes[0];
  bool All = Sized && Sure && Stride && Padding && Dilation && Extra;
  for (size_t D = 0; D < *N; ++D) {
    if (!All) {
      Out.push_back(Some(static_cast<unsigned>(D + 1)));
      continue;
    }
    Window<SymExpr> Win{Weight->L.Sizes[D + 2], (*Stride)[D], (*Padding)[D],
                        (*Dilation)[D]};
    Out.push_back(Transposed ? transposedSize(W.Ar, In[D], Win, (*Extra)[D])
                             : windowSize(W.Ar, In[D], Win));
    if (!Transposed)
      site(Ctx, W, S, {X}, windowFits(W.Ar, In[D], Win, Front.size() + D),
           true);
  }
  resultWindows(Ctx, W, S, *X, std::move(Out), "unknown");
}

void pool(const Context &Ctx, State &W, const Stmt &S) {
  Object *X = tensorArg(Ctx, W, S, "self");
  auto N = spatialDims(Ctx, W, S, "");
  SymDims Out, In;
  if (!X || !N || !splitSpatial(Ctx, W, *X, *N, Out, In))
    return resultUnknown(Ctx, W, S, true, X);
  auto One = SymDims(*N, SymExpr(1)), Zero = SymDims(*N, SymExpr(0));
  auto Kernel = perDim(Ctx, W, S, "kernel_size", *N, std::nullopt);
  auto Stride = perDim(Ctx, W, S, "stride", *N, Kernel),
       Padding = perDim(Ctx, W, S, "padding", *N, Zero),
       Dilation = perDim(Ctx, W, S, "dilation", *N, One);
  Truth Ceil = findArg(S, "ceil_mode") ? Truth::Unknown : Truth::No;
  if (Value V = operand(W, S, "ceil_mode"); V.K == Value::Bool)
    Ceil = evaluate(Ctx, W, *V.C);
  bool All = Kernel && Stride && Padding && Dilation;
  const size_t Lead = Out.size();
  for (size_t D = 0; D < *N; ++D) {
    SymExpr Size =
        valueSymbol(Ctx, S, SymbolInfo::Size, "?", static_cast<unsigned>(D));
    if (All) {
      const Window<SymExpr> Win{(*Kernel)[D], (*Stride)[D], (*Padding)[D],
                                (*Dilation)[D]};
      if (Ceil == Truth::No)
        Size = windowSize(W.Ar, In[D], Win);
      site(Ctx, W, S, {X}, poolPadding(W.Ar, Win));
      if (Ceil != Truth::Unknown)
        site(Ctx, W, S, {X},
             windowFits(W.Ar, In[D], Win, Lead + D, Ceil == Truth::Yes));
    }
    if (All && Ceil == Truth::Yes) {
      auto I = W.Ar.known(In[D]), K = W.Ar.known((*Kernel)[D]),
           T = W.Ar.known((*Stride)[D]), P = W.Ar.known((*Padding)[D]),
           L = W.Ar.known((*Dilation)[D]);
      if (I && K && T && P && L && *T > 0)
        Size = SymExpr(windowSizeCeil(*I, {*K, *T, *P, *L}));
    }
    Out.push_back(Size);
  }
  // One dimension is two, of which one is 1: permuted input is channels-last.
  const bool Dense = *N != 1 || isContiguous(W.Ar, X->L).yes();
  resultWindows(Ctx, W, S, *X, std::move(Out), Dense ? "format" : "unknown");
}

/// \p Size times scale_factor={2.0, 0.5}, or one for all dimensions: whole
/// numbers and their inverses are known.
static std::optional<SymExpr> scaled(const Context &Ctx, State &W,
                                     const Stmt &S, size_t Dim,
                                     const SymExpr &Size) {
  const Arg *A = findArg(S, "scale_factor");
  const Stmt *By = A ? Ctx.Flow.DefOf[A->Value] : nullptr;
  while (By && By->O == Op::ListCopy)
    By = Ctx.Flow.DefOf[By->Args[0].Value];
  if (By && By->O == Op::List && !By->Args.empty())
    By = Ctx.Flow.DefOf[By->Args[By->Args.size() > 1
                                     ? std::min(Dim, By->Args.size() - 1)
                                     : 0]
                            .Value];
  if (!By || By->O != Op::Const)
    return std::nullopt;
  double Scale = static_cast<double>(By->Imm);
  if (By->Const == ConstKind::Float &&
      llvm::StringRef(By->Text).rtrim("fFlL").getAsDouble(Scale))
    return std::nullopt;
  if (Scale >= 1 && Scale < 1e6 && Scale == std::floor(Scale))
    return W.Ar.asSize(W.Ar.mul(Size, SymExpr(static_cast<int64_t>(Scale))));
  const double Part = Scale > 0 ? 1 / Scale : 0;
  if (Part > 1 && Part < 1e6 && Part == std::floor(Part))
    return W.Ar.asSize(
        W.Ar.floorDiv(Size, SymExpr(static_cast<int64_t>(Part))));
  return std::nullopt;
}

void resample(const Context &Ctx, State &W, const Stmt &S) {
  Object *X = tensorArg(Ctx, W, S, "self");
  auto N = spatialDims(Ctx, W, S, findArg(S, "scale_factor") ? "self" : "");
  SymDims Out, In;
  const unsigned AtMost = X ? X->AtMost : 0;
  if (!X || !N || !splitSpatial(Ctx, W, *X, *N, Out, In))
    return resultUnknown(Ctx, W, S, true, X);
  auto Size = perDim(Ctx, W, S, "output_size", *N, std::nullopt);
  const bool IsScaled = !Size && findArg(S, "scale_factor");
  for (size_t D = 0; D < *N; ++D) {
    const std::optional<SymExpr> Is = Size       ? std::optional((*Size)[D])
                                      : IsScaled ? scaled(Ctx, W, S, D, In[D])
                                                 : std::nullopt;
    Out.push_back(Is ? *Is
                     : valueSymbol(Ctx, S, SymbolInfo::Size, "?",
                                   static_cast<unsigned>(D)));
  }
  if (Size && llvm::all_of(*Size, [&](const SymExpr &E) {
        return W.Ar.known(E) == 1; // a mean, of any rank
      }))
    X->AtMost = AtMost;
  resultWindows(Ctx, W, S, *X, std::move(Out), "format");
}

void pad(const Context &Ctx, State &W, const Stmt &S) {
  Object *X = tensorArg(Ctx, W, S, "self");
  auto Amount = sizesArg(Ctx, W, S, "pad");
  if (!X || !X->HasLayout || X->Segment >= 0 || !Amount ||
      Amount->size() % 2 != 0 || Amount->size() > 2 * X->L.rank())
    return resultUnknown(Ctx, W, S, true, X);
  Value Mode = operand(W, S, "mode");
  bool Constant =
      Mode.K == Value::Symbol ? Mode.Text == "constant" : !findArg(S, "mode");
  SymDims Out = X->L.Sizes;
  bool Nothing = true;
  for (size_t I = 0; I < Amount->size(); I += 2) {
    SymExpr &E = Out[Out.size() - 1 - I / 2];
    E = W.Ar.asSize(W.Ar.add(E, W.Ar.add((*Amount)[I], (*Amount)[I + 1])));
    for (size_t K : {I, I + 1}) {
      auto Known = W.Ar.known((*Amount)[K]);
      Nothing = Nothing && Known && *Known == 0;
    }
  }
  // Padding by nothing is clone(), and so is what may be nothing.
  if (Constant && Nothing)
    return resultFresh(Ctx, W, S, X, preservedCopy(W.Ar, X->L));
  bool Something = false;
  for (const SymExpr &E : *Amount)
    Something = Something || W.Ar.eq(E, SymExpr(0)).T == Truth::No;
  bool Dense = isContiguous(W.Ar, X->L).yes();
  bool Decided = Constant && (Something || Dense);
  resultSized(Ctx, W, S, std::move(Out), Decided ? "format" : "unknown", X);
}

/// Two operands that einsum() multiplies as matrices, over a letter that both
/// have and the result has not, are of one type; others are promoted.
static void einsumTypes(const Context &Ctx, State &W, const Stmt &S,
                        llvm::ArrayRef<llvm::StringRef> Terms,
                        llvm::StringRef Result, const Value &List) {
  if (Terms.size() == 2 && llvm::any_of(Terms[0], [&](char C) {
        return Terms[1].contains(C) && !Result.contains(C);
      }))
    sameDTypes(Ctx, W, S, tensor(W, (*List.Elems)[0]),
               tensor(W, (*List.Elems)[1]));
}

void einsum(const Context &Ctx, State &W, const Stmt &S) {
  Value L = operand(W, S, "tensors"), E = operand(W, S, "equation");
  const Object *First = nullptr;
  auto Unknown = [&] { resultUnknown(Ctx, W, S, false, First); };
  if (L.K != Value::List || L.Elems->empty())
    return Unknown();
  First = tensor(W, (*L.Elems)[0]);
  if (E.K != Value::Symbol || E.Text.empty() || !First)
    return Unknown();
  std::string Text;
  for (char C : E.Text)
    if (C != ' ')
      Text += C;
  auto [Left, Right] = llvm::StringRef(Text).split("->");
  if (Left.contains('.') || Text.find("->") == std::string::npos)
    return Unknown();
  llvm::SmallVector<llvm::StringRef, 4> Terms;
  Left.split(Terms, ',');
  if (Terms.size() != L.Elems->size())
    return Unknown();
  einsumTypes(Ctx, W, S, Terms, Right, L);
  std::map<char, SymExpr> SizeOf;
  for (size_t I = 0; I < Terms.size(); ++I) {
    const Object *O = tensor(W, (*L.Elems)[I]);
    if (!O || !O->HasLayout || O->Segment >= 0)
      return Unknown();
    if (O->L.rank() != Terms[I].size()) {
      site(
          Ctx, W, S, {O},
          Outcome<Symbolic, bool>(refuse<Symbolic>(
              Rule::RankWanted, {SymExpr(static_cast<int64_t>(Terms[I].size())),
                                 SymExpr(static_cast<int64_t>(O->L.rank()))})));
      return Unknown();
    }
    for (size_t D = 0; D < Terms[I].size(); ++D) {
      auto [It, New] = SizeOf.try_emplace(Terms[I][D], O->L.Sizes[D]);
      if (New)
        continue;
      auto Fits = broadcastSizes(W.Ar, SymDims(1, It->second),
                                 SymDims(1, O->L.Sizes[D]));
      if (Fits.failed()) {
        site(Ctx, W, S, {O},
             Outcome<Symbolic, bool>(
                 refuse<Symbolic>(Rule::SizeWanted,
                                  {O->L.Sizes[D], It->second,
                                   SymExpr(static_cast<int64_t>(D))}),
                 Fits.unlessOne()));
        return Unknown();
      }
      if (W.Ar.eq(It->second, SymExpr(1)).T != Truth::No)
        It->second = O->L.Sizes[D]; // a size of 1 broadcasts
    }
  }
  Object N;
  N.HasLayout = true;
  N.Storage = First->Storage;
  N.Prov = provenance(Ctx, W, S, First, false);
  for (char C : Right) {
    auto It = SizeOf.find(C);
    if (It == SizeOf.end())
      return Unknown();
    N.L.Strides.push_back(
        valueSymbol(Ctx, S, SymbolInfo::Stride, "?",
                    static_cast<unsigned>(128 + N.L.Sizes.size())));
    N.L.Sizes.push_back(It->second);
  }
  result(Ctx, W, S, std::move(N));
}

bool isNamed(const State &W, const SymExpr &Size) {
  return !Size.constant() && llvm::all_of(Size.terms(), [&](const auto &T) {
    return llvm::all_of(llvm::ArrayRef(T.M.S, T.M.Count), [&](SymbolId S) {
      return W.Ar.symbols()[S].Named && !W.Ar.symbols()[S].varies();
    });
  });
}

void broadcastsTo(State &W, const SymExpr &Is, const SymExpr &P,
                  const SymExpr *Q) {
  std::vector<SymExpr> Ones;
  const SymExpr Many = W.Ar.whereMany(P, Ones);
  const bool Named =
      isNamed(W, Many) && !(Q && isNamed(W, W.Ar.whereMany(*Q, Ones)));
  W.Ar.symbols()[*Is.asSymbol()].broadcasts(Named ? Many : SymExpr(0));
}

} // namespace tensortidy::analysis
