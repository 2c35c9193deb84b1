//===- CopyOps.cpp - operations that may copy, and what is noted of them -*- C++
//-*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/CopyOps.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/FreshOps.h"
#include "Analysis/Transfer/IndexOps.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Shapes.h"
#include "Analysis/Transfer/Sites.h"
#include "Analysis/Transfer/Transfer.h"
#include "Analysis/Transfer/ViewOps.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

using SymOutcome = LayoutOutcome<Symbolic>;

void noteCopy(const Context &Ctx, State &W, const Stmt &S,
              unsigned PathsBefore) {
  CopySite &Site = Ctx.Facts.Copies[&S];
  const Object *Made = tensor(W, value(W, S.Result));
  if (Site.paths() == PathsBefore) {
    const Object *Self = tensorArg(Ctx, W, S, "self");
    // Of what no rule speaks of, `w.grad()`, it is only possible.
    const bool Shares = S.O != Op::OtherMaybeCopy && Made && Self &&
                        Self->Storage && Made->Storage == Self->Storage &&
                        Made->HasLayout;
    ++(Shares ? Site.Shares : Site.Unknown);
  }
  const Amount Size = Made ? amount(W, *Made) : Amount();
  if (PathsBefore == 0 && Size.known())
    Site.Size = Size;
  else if (!(Site.Size == Size))
    Site.Size = {};
}

void noteSelf(const Context &Ctx, State &W, const Stmt &S) {
  const Object *From = tensor(W, operand(W, S, "self"));
  const Object *To = tensor(W, value(W, S.Result));
  bool Shares =
      From && To && From->Storage == To->Storage && S.O != Op::SameSizes;
  // A conversion to the dtype it has, and to nothing else.
  if (S.O == Op::To)
    Shares = From && To && !From->DType.empty() &&
             operand(W, S, "dtype").Text == From->DType &&
             llvm::all_of(S.Args, [](const Arg &A) {
               return A.Name == "self" || A.Name == "dtype" ||
                      A.Name == "non_blocking";
             });
  RunResult::SelfSite &Site = Ctx.Facts.SelfSites[&S];
  ++(Shares ? Site.Shares : Site.Other);
}

static void noteOperand(const Context &Ctx, const State &W, const Stmt &S,
                        const Object &O) {
  auto [It, First] = Ctx.Facts.Operands.try_emplace(&S);
  OperandSite &Site = It->second;
  Site.Mixed = Site.Mixed || (!First && Site.DType != O.DType);
  Site.DType = O.DType;
  const Truth Is = O.HasLayout ? isContiguous(W.Ar, O.L).T : Truth::Unknown;
  if ((Is == Truth::No && O.isApart()) || O.NotContiguous)
    ++Site.Other;
  else if (Is == Truth::Yes && (O.Segment < 0 || O.SegmentDense))
    ++Site.Dense;
  else
    ++Site.Unknown;
}

void copies(const Context &Ctx, const Stmt &S, Truth Copies,
            const std::vector<SymExpr> &UnlessOne, const State &W) {
  CopySite &Site = Ctx.Facts.Copies[&S];
  ++(Copies == Truth::Yes  ? Site.Copies
     : Copies == Truth::No ? Site.Shares
                           : Site.Unknown);
  if (Copies == Truth::Yes && Site.Unless.empty())
    Site.Unless = excepted(W, UnlessOne);
}

static void noteFormat(const Context &Ctx, State &W, const Stmt &S,
                       const Object &O) {
  bool Known = true;
  const bool To = S.O == Op::To;
  const MemoryFormat Default =
      To ? MemoryFormat::Preserve : MemoryFormat::Contiguous;
  const MemoryFormat Fmt = formatArg(W, S, Default, Known);
  if (Known && Fmt == MemoryFormat::Preserve)
    return;
  const std::string Name = Known ? name(Fmt) : "";
  auto [It, First] = Ctx.Facts.Formats.try_emplace(&S);
  FormatSite &Site = It->second;
  Site.Mixed = Site.Mixed || Name.empty() || (!First && Site.Format != Name);
  Site.Format = Name;
  Site.Prov = O.Prov;
  Site.Plain = true;
  for (const Arg &A : S.Args) {
    const Stmt *D = A.Name == "options" ? Ctx.Flow.DefOf[A.Value] : nullptr;
    bool OnlyFormat = D && D->O == Op::OptionsOp;
    if (OnlyFormat)
      for (const Arg &B : D->Args)
        OnlyFormat = OnlyFormat && B.Name == "memory_format";
    Site.Plain = Site.Plain &&
                 (A.Name == "self" || A.Name == "memory_format" || OnlyFormat);
  }
  const bool Sized = Known && O.HasLayout && O.Segment < 0;
  bool Last = false;
  for (MemoryFormat F :
       {MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d})
    Last = Last || (Sized && isContiguous(W.Ar, O.L, F).yes());
  // With one channel or pixel a tensor is both, and nothing is given up.
  Last = Last && isContiguous(W.Ar, O.L).no();
  ++(Last ? Site.WasLast : Site.WasOther);
  if (!To)
    return;
  auto Suggested = Sized ? suggestMemoryFormat(W.Ar, O.L) : std::nullopt;
  auto Is = Sized ? isContiguous(W.Ar, O.L, Fmt)
                  : decltype(isContiguous(W.Ar, O.L, Fmt))();
  if (Suggested && *Suggested == Fmt && Is.no() && !hasNoElements(Ctx, W, S)) {
    ++Site.Unchanged;
    Site.Unless =
        excepted(W, exceptions(W.Ar, Is.UnlessOne, [&](const Symbolic &Ar) {
                   return isContiguous(Ar, O.L, Fmt);
                 }));
  } else {
    ++Site.Other;
  }
}

static void contiguousCall(const Context &Ctx, State &W, const Stmt &S,
                           Object &O) {
  noteFormat(Ctx, W, S, O);
  bool Known = true;
  MemoryFormat Fmt = formatArg(W, S, MemoryFormat::Contiguous, Known);
  ContiguousSite &Site = Ctx.Facts.Contiguous[&S];
  Site.Format = Fmt == MemoryFormat::Contiguous ? "" : name(Fmt);
  if (!Known || !O.HasLayout || Fmt == MemoryFormat::Preserve) {
    ++Site.Unknown;
    if (Known && Fmt == MemoryFormat::Contiguous)
      return resultDense(Ctx, W, S, std::nullopt, &O);
    return resultUnknown(Ctx, W, S, false, &O);
  }
  if (Fmt != MemoryFormat::Contiguous && O.Segment >= 0 &&
      !setRank(Ctx, W, O, *formatRank(Fmt))) {
    ++Site.Unknown;
    return resultUnknown(Ctx, W, S, false, &O);
  }
  auto Is = isContiguous(W.Ar, O.L, Fmt);
  bool Yes = Is.yes() && (O.Segment < 0 || O.SegmentDense);
  if (Yes) {
    ++(isSilenced(Ctx, S, Silence::Resized, O.Resized) ||
               isVouchedFor(Ctx, W, S, O)
           ? Site.Unreported
           : Site.Redundant);
    if (!Site.Prov) {
      Site.Prov = O.Prov;
      Site.Name = nameAt(Ctx, S, O);
    }
    return setResult(W, S, operand(W, S, "self"));
  }
  bool No = (Is.no() && O.isApart()) ||
            (Fmt == MemoryFormat::Contiguous && O.NotContiguous);
  ++(No ? Site.Other : Site.Unknown);
  copies(Ctx, S, No ? Truth::Yes : Truth::Unknown,
         exceptions(
             W.Ar, Is.UnlessOne,
             [&](const Symbolic &Ar) { return isContiguous(Ar, O.L, Fmt); }),
         W);
  // Self or a packed copy: packed either way, up to strides of size-1 dims.
  auto Strides = formatStrides(W.Ar, O.L.Sizes, Fmt);
  if (O.Segment < 0)
    site(Ctx, W, S, {&O}, Strides);
  if (!Strides.ok())
    return resultUnknown(Ctx, W, S, false, &O);
  SymLayout L;
  L.Sizes = O.L.Sizes;
  L.Strides = *Strides;
  L.Offset = No ? SymExpr(0) : O.L.Offset;
  resultFresh(Ctx, W, S, &O, SymOutcome(std::move(L)), O.Segment);
  if (Object *N = tensor(W, value(W, S.Result)))
    noteAllocation(Ctx, W, S, *N);
}

/// \p O may be a view into \p Storage.
static void borrowMemory(Object &O, ObjId Storage) {
  O.Storage = Storage;
  O.Holds = std::nullopt;
}

/// reshape, flatten and ravel: as view(), which tells what a -1 is; where that
/// refuses it is a packed copy.
static void reshape(const Context &Ctx, State &W, const Stmt &S, Object *Self) {
  if (!Self || !Self->HasLayout)
    return resultUnknown(Ctx, W, S, false, Self);
  std::optional<SymDims> New;
  const Object *Like = nullptr; // of unknown rank
  if (S.O == Op::Ravel) {       // contiguous().view(-1)
    New = SymDims(1, numel(W.Ar, Self->L.Sizes));
    auto Is = isContiguous(W.Ar, Self->L);
    if (!Is.yes() || (Self->Segment >= 0 && !Self->SegmentDense)) {
      const ObjId Storage = Self->Storage;
      const bool Copies = Is.no() || Self->NotContiguous;
      resultDense(Ctx, W, S, New, Self);
      if (Object *O = tensor(W, value(W, S.Result)); O && !Copies)
        borrowMemory(*O, Storage);
      return;
    }
  }
  if (S.O == Op::Reshape) {
    New = sizesArg(Ctx, W, S, "shape");
    if (!New)
      Like = sizesOf(W, operand(W, S, "shape"));
  } else if (S.O == Op::ReshapeAs) {
    Like = tensorArg(Ctx, W, S, "other");
    if (Like && Like->HasLayout && Like->Segment < 0)
      New = Like->L.Sizes;
  } else if (S.O == Op::Flatten) {
    auto B = dimArg(Ctx, W, S, Self, "start_dim", 0);
    // Of any rank: all but the first ones are one.
    if (Self->Segment >= 0 && Self->isApart() && B && *B > 0 &&
        *B <= Self->Segment && !findArg(S, "end_dim")) {
      const SymDims &Of = Self->L.Sizes;
      New = SymDims(Of.begin(), Of.begin() + *B);
      New->push_back(numel(W.Ar, SymDims(Of.begin() + *B, Of.end())));
      return view(Ctx, W, S, *Self, *New, false);
    }
    auto E = dimArg(Ctx, W, S, Self, "end_dim", -1);
    if (B && E) // which may have moved the first
      B = dimArg(Ctx, W, S, Self, "start_dim", 0);
    if (Self->Segment >= 0 && !findArg(S, "start_dim") &&
        !findArg(S, "end_dim")) {
      New = SymDims(1, numel(W.Ar, Self->L.Sizes)); // reshape({-1})
    } else if (Self->Segment < 0 && B && E) {
      auto Z = flattenSizes(W.Ar, Self->L, *B, *E);
      site(Ctx, W, S, {Self}, Z);
      if (Z.ok())
        New = *Z;
      if (New && New->size() == Self->L.rank() && !New->empty())
        return setResult(W, S, operand(W, S, "self"));
    }
  }
  if (New)
    return view(Ctx, W, S, *Self, *New, false);
  if (!viewLike(Ctx, W, S, *Self, Like)) {
    const bool Dense = isContiguous(W.Ar, Self->L).yes() &&
                       (Self->Segment < 0 || Self->SegmentDense);
    if (!Dense)
      return resultUnknown(Ctx, W, S, false, Self);
    const ObjId Storage = Self->Storage; // a view of it
    ProvRef P = provenance(Ctx, W, S, Self, false);
    resultDense(Ctx, W, S, std::nullopt, Self);
    if (Object *O = tensor(W, value(W, S.Result))) {
      borrowMemory(*O, Storage);
      O->Prov = std::move(P);
    }
  }
}

/// to(): the tensor itself, or a copy with preserved strides.
static void convert(const Context &Ctx, State &W, const Stmt &S, Object *Self) {
  if (!Self)
    return resultUnknown(Ctx, W, S, false, Self);
  noteOperand(Ctx, W, S, *Self);
  noteFormat(Ctx, W, S, *Self);
  if (Value V = operand(W, S, "copy");
      V.K == Value::Bool && evaluate(Ctx, W, *V.C) == Truth::Yes)
    Ctx.Facts.SureCopies.insert(&S);
  bool Known = true;
  MemoryFormat Fmt = formatArg(W, S, MemoryFormat::Preserve, Known);
  std::string DType;
  bool Told = toldDType(W, S, DType);
  if (Object *O = tensorArg(Ctx, W, S, "other")) {
    DType = O->DType;
    Told = true;
  }
  if (!Self->HasLayout || !Known)
    return resultUnknown(Ctx, W, S, false, Self);
  SymOutcome Out = SymOutcome::unknown();
  int Seg = Self->Segment;
  if (Fmt == MemoryFormat::Preserve) {
    // Self, or a copy with preserved strides: the same where it is dense.
    if (isContiguous(W.Ar, Self->L).yes() && (Seg < 0 || Self->SegmentDense)) {
      Out = SymOutcome(Self->L);
    } else if (Seg < 0) {
      Out = preservedCopy(W.Ar, Self->L);
      bool Same = Out.ok() && Out->Strides == Self->L.Strides;
      bool Copies =
          !DType.empty() && !Self->DType.empty() && DType != Self->DType;
      if (!Same && !Copies)
        Out = SymOutcome::unknown();
    }
    if (!DType.empty() && !Self->DType.empty() && DType != Self->DType) {
      Ctx.Facts.SureCopies.insert(&S);
      copies(Ctx, S, Truth::Yes, {}, W);
    }
  } else if (Seg < 0) {
    // Decided by suggest_memory_format(), not by is_contiguous (trap T3).
    auto Suggested = suggestMemoryFormat(W.Ar, Self->L);
    if (Suggested && *Suggested != Fmt)
      Out = copyAs(W.Ar, Self->L, Fmt);
    else if (Suggested && isContiguous(W.Ar, Self->L, Fmt).yes())
      Out = SymOutcome(Self->L);
  }
  if (!Out.ok() && Seg < 0) {
    SymLayout L;
    L.Sizes = Self->L.Sizes;
    L.Strides = unknownStrides(Ctx, S, L.Sizes.size());
    Out = SymOutcome(std::move(L));
  }
  // A copy begins where its storage does.
  if (Out.ok() && !W.Ar.eq(Self->L.Offset, SymExpr(0)).yes())
    Out->Offset = Ctx.Facts.SureCopies.count(&S)
                      ? SymExpr(0)
                      : valueSymbol(Ctx, S, SymbolInfo::Stride, "?");
  const std::string Becomes = Told ? DType : Self->DType;
  if (!Out.ok()) {
    resultUnknown(Ctx, W, S, true, Self);
    if (Object *O = tensor(W, value(W, S.Result)))
      O->DType = Becomes;
    return;
  }
  Object O;
  O.Prov = provenance(Ctx, W, S, Self, false);
  O.DType = Becomes;
  O.HasLayout = true;
  O.L = *Out;
  O.Segment = Seg;
  O.SegmentDense = Self->SegmentDense;
  O.rankFrom(*Self);
  return result(Ctx, W, S, std::move(O));
}

/// dropout and its kin: self, or computed from each of its elements.
static void sameSizesAs(const Context &Ctx, State &W, const Stmt &S,
                        Object *Self) {
  if (!Self || !Self->HasLayout)
    return resultUnknown(Ctx, W, S, false, Self);
  // Dense stays dense; otherwise the strides may be others, but for a copy of
  // all of the memory.
  const bool Dense = isContiguous(W.Ar, Self->L).yes() &&
                     (Self->Segment < 0 || Self->SegmentDense);
  Object O;
  O.Prov = provenance(Ctx, W, S, Self, false);
  O.DType = Self->DType;
  O.HasLayout = true;
  O.L = Self->L;
  if (!Dense && !S.is(Attribute::Pins))
    O.L.Strides = unknownStrides(Ctx, S, O.L.rank());
  if (!W.Ar.eq(O.L.Offset, SymExpr(0)).yes())
    O.L.Offset = valueSymbol(Ctx, S, SymbolInfo::Stride, "?");
  O.Segment = Self->Segment;
  O.SegmentDense = Dense && Self->SegmentDense;
  O.rankFrom(*Self);
  O.Storage = Self->Storage; // perhaps
  copies(Ctx, S, Truth::Unknown, {}, W);
  return result(Ctx, W, S, std::move(O));
}

void freshLike(const Context &Ctx, State &W, const Stmt &S, Object *Self) {
  if (Self && S.O == Op::Clone)
    noteOperand(Ctx, W, S, *Self);
  if (!Self || !Self->HasLayout)
    return resultUnknown(Ctx, W, S, true, Self);
  bool Known = true;
  MemoryFormat Fmt = formatArg(W, S, MemoryFormat::Preserve, Known);
  if (!Known)
    return resultUnknown(Ctx, W, S, true, Self);
  if (Self->Segment >= 0) {
    bool Dense = isContiguous(W.Ar, Self->L).yes() && Self->SegmentDense;
    if (Fmt == MemoryFormat::Contiguous ||
        (Fmt == MemoryFormat::Preserve && Dense))
      return resultFresh(Ctx, W, S, Self,
                         SymOutcome(denseLayout(W.Ar, Self->L.Sizes)),
                         Self->Segment);
    return resultSizes(Ctx, W, S, *Self, Self->L.Sizes);
  }
  auto Out = copyAs(W.Ar, Self->L, Fmt);
  if (!Out.ok()) {
    SymLayout L;
    L.Sizes = Self->L.Sizes;
    L.Strides = unknownStrides(Ctx, S, L.Sizes.size());
    Out = SymOutcome(std::move(L));
  }
  resultFresh(Ctx, W, S, Self, std::move(Out));
  if (Object *O = tensor(W, value(W, S.Result)))
    noteAllocation(Ctx, W, S, *O);
}

void packedLike(const Context &Ctx, State &W, const Stmt &S, Object *Self) {
  if (!Self || !Self->HasLayout)
    return resultDense(Ctx, W, S, std::nullopt, Self);
  return resultFresh(Ctx, W, S, Self,
                     SymOutcome(denseLayout(W.Ar, Self->L.Sizes)),
                     Self->Segment);
}

TENSORTIDY_TRANSFER_AS(Index, indexAny)

TENSORTIDY_TRANSFER_AS(Reshape, reshape)
TENSORTIDY_TRANSFER_AS(ReshapeAs, reshape)
TENSORTIDY_TRANSFER_AS(Flatten, reshape)
TENSORTIDY_TRANSFER_AS(Ravel, reshape)

TENSORTIDY_TRANSFER(Contiguous) {
  if (!Self)
    return resultUnknown(Ctx, W, S, false, Self);
  return contiguousCall(Ctx, W, S, *Self);
}

TENSORTIDY_TRANSFER_AS(To, convert)

TENSORTIDY_TRANSFER_AS(SameSizes, sameSizesAs)

TENSORTIDY_TRANSFER_AS(Clone, freshLike)
TENSORTIDY_TRANSFER_AS(PreserveCopy, freshLike)

TENSORTIDY_TRANSFER(NarrowCopy) {
  auto D = dimArg(Ctx, W, S, Self, "dim");
  auto B = exprArg(W, S, "start"), N = exprArg(W, S, "length");
  if (!D || !N)
    return resultDense(Ctx, W, S, std::nullopt, Self);
  auto Part = narrow(W.Ar, Self->L, *D, B ? *B : SymExpr(0), *N);
  if (!Part.ok())
    return resultDense(Ctx, W, S, std::nullopt, Self);
  return resultFresh(Ctx, W, S, Self,
                     SymOutcome(denseLayout(W.Ar, Part->Sizes)), Self->Segment);
}

TENSORTIDY_TRANSFER_AS(CloneDense, packedLike)

TENSORTIDY_TRANSFER(Einsum) { return einsum(Ctx, W, S); }

TENSORTIDY_TRANSFER(OtherMaybeCopy) { resultUnknown(Ctx, W, S, false, Self); }

} // namespace tensortidy::analysis
