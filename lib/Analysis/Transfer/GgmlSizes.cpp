//===- GgmlSizes.cpp - sizes that ggml's operations ask for ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of Transfer: what GGML_ASSERT says of sizes when a node is made. The
// model writes it as `needs` (Models/Sizes.h), about ne[i] of the operands:
//
//   "self[0]=b[0]; mask[1]<=self[1]; self[2] divides b[2]; b divides self"
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/GgmlSizes.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Evidence.h"
#include "Analysis/Transfer/Extents.h"
#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Sites.h"
#include "Layout/Error.h"
#include "Layout/Ggml.h"
#include "Models/Sizes.h"
#include "llvm/ADT/StringExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;
using namespace models;

using ggml::at;

/// The operand \p Name among the tensors in the call.
static OperandName ggmlOperand(const Context &Ctx, State &W, const Stmt &S,
                               llvm::StringRef Name) {
  unsigned Place = 0;
  for (const Arg &A : S.Args) {
    if (!tensor(W, value(W, A.Value)))
      continue;
    ++Place;
    if (A.Name != Name)
      continue;
    const Stmt *D = Ctx.Flow.DefOf[A.Value];
    return {D && D->O == Op::Load ? called(Ctx, D->Var, D->Context) : "",
            Place};
  }
  return {};
}

/// Asks whether \p A and \p B are equal, which \p Why denies, and goes on with
/// that: a tensor has four dimensions, most of them 1 without a word.
static void ggmlEqual(const Context &Ctx, State &W, const Stmt &S,
                      const SymExpr &A, const SymExpr &B,
                      llvm::function_ref<Refusal()> Why) {
  const auto Same = whereDivided(Ctx, W, A, B).eq(A, B);
  if (Same.no())
    ggmlMisfit(Ctx, W, S, Why(), A, B);
  if (!Same.no() || !Same.UnlessOne.empty())
    W.Ar.assumeEqual(A, B);
}

/// Whether \p E is made of what the user has names for.
static bool isNamed(const Context &Ctx, const State &W, const SymExpr &E) {
  const SymExpr N = W.Ar.norm(E);
  for (const auto &T : N.terms())
    for (unsigned I = 0; I < T.M.Count; ++I)
      if (const SymbolInfo &Sym = Ctx.Table[T.M.S[I]];
          (Sym.K != SymbolInfo::Integer && Sym.K != SymbolInfo::Size) ||
          !Sym.Named || Sym.Joined)
        return false;
  return true;
}

/// Whether \p E is a product of the user's own integers. Those are 1 in a
/// special case; a dimension of a tensor often is by what the model is.
static bool isCounted(const Context &Ctx, const State &W, const SymExpr &E) {
  const SymExpr N = W.Ar.norm(E);
  for (const auto &T : N.terms())
    for (unsigned I = 0; I < T.M.Count; ++I)
      if (Ctx.Table[T.M.S[I]].K != SymbolInfo::Integer)
        return false;
  return isNamed(Ctx, W, E);
}

/// Whether \p E, which should be 1, is the outermost size of one of \p Operands
/// and is no other: a batch, of which the code has one at a time.
static bool isBatch(const State &W, llvm::ArrayRef<SymDims> Operands,
                    const SymExpr &E) {
  const auto Sym = W.Ar.norm(E).asSymbol();
  unsigned Having = 0;
  for (const SymDims &Sizes : Operands) {
    bool Outermost = true, Has = false;
    for (const SymExpr &Dim : Sizes) { // the outermost first
      const SymExpr Size = W.Ar.norm(Dim);
      if (!Sym || Size.constant() == 1)
        continue;
      if (Size.contains(*Sym) && !Outermost)
        return false;
      Has |= Size.contains(*Sym);
      Outermost = false;
    }
    Having += Has;
  }
  return Having == 1;
}

static void ggmlFails(const Context &Ctx, State &W, const Stmt &S, Rule Broken,
                      Refusal Why, Excepted Unless = Excepted());

void ggmlMisfit(const Context &Ctx, State &W, const Stmt &S, Refusal Why,
                const SymExpr &A, const SymExpr &B, bool Turned) {
  const Symbolic Known = whereDivided(Ctx, W, A, B);
  const auto Same = Known.eq(A, B);
  llvm::SmallVector<SymDims, 4> Operands;
  for (const Arg &Operand : S.Args)
    if (const Object *O = tensor(W, value(W, Operand.Value)); O && O->Ggml)
      Operands.push_back(O->L.Sizes);
  if (!Same.no() || !llvm::all_of(Same.UnlessOne, [&](const SymExpr &E) {
        return isDifference(E) ||
               (isCounted(Ctx, W, E) && (Turned || !isBatch(W, Operands, E)));
      }))
    return;
  if (isKnownToFit(Ctx, W, S, A, B, Same.UnlessOne))
    return;
  Symbolic Ar = Known; // sizes of 0 fit more than others
  Ar.NonEmpty = false;
  Excepted Unless =
      excepted(W, exceptions(Known, Same.UnlessOne, [&](const Symbolic &With) {
                 return With.eq(A, B);
               }));
  if (Unless.empty() && !Ar.eq(A, B).no()) {
    if (W.Ar.known(A) == 0 || W.Ar.known(B) == 0)
      return; // so it is
    Unless.NoElements = true;
  }
  ggmlFails(Ctx, W, S, Rule::BroadcastSize, std::move(Why), std::move(Unless));
}

/// Where \p O got its sizes, before \p S.
static std::optional<Origin> ggmlOrigin(const State &W, const Stmt &S,
                                        const Object &O) {
  const Provenance *P = maker(O.Prov);
  if (!P || P->Where.Begin == S.Where.Begin)
    return std::nullopt;
  return Origin{Origin::GgmlSizes, P->Where, O.Name, ggmlText(W, O.L, false),
                P->What};
}

static void ggmlFails(const Context &Ctx, State &W, const Stmt &S, Rule Broken,
                      Refusal Why, Excepted Unless) {
  if (hasNoElements(Ctx, W, S))
    return;
  LayoutSite &Site = Ctx.Facts.Sites[&S];
  ++Site.Failed;
  if (Site.Failures.size() >= 4)
    return;
  LayoutFailure V;
  V.R = Broken;
  V.Why = std::move(Why);
  V.Why.Call = callText(Ctx, S, W);
  if (V.Why.E == Refusal::Throws)
    V.Why.E = Refusal::Aborts;
  V.Unless = std::move(Unless);
  for (const Arg &Operand : S.Args)
    if (const Object *O = tensor(W, value(W, Operand.Value)))
      if (auto Made = ggmlOrigin(W, S, *O))
        V.Origins.push_back(std::move(*Made));
  V.Taken = path(W);
  Site.Failures.push_back(std::move(V));
}

void ggmlCount(const Context &Ctx, State &W, const Stmt &S, const Object &Self,
               const SymDims &New) {
  const SymExpr Have = numel(W.Ar, Self.L.Sizes), Want = numel(W.Ar, New);
  noteSplit(Ctx, W, Have, Want);
  // n_embd is as much as its heads have.
  if (const auto Same = W.Ar.eq(Have, Want);
      Same.no() && llvm::any_of(Same.UnlessOne, isSplit)) {
    W.Ar.assumeEqual(Have, Want);
    return;
  }
  ggmlEqual(Ctx, W, S, Have, Want, [&] {
    Refusal Why;
    Why.K = Refusal::CountDiffers;
    Why.Left = listText(W.Ar, New);
    Why.Right = W.Ar.str(Have);
    Why.Of = ggmlOperand(Ctx, W, S, "self");
    return Why;
  });
}

namespace {

/// Arithmetic on the sizes of a model.
struct SizeArith {
  using Int = SymExpr;
  const Symbolic &Ar;

  SymExpr add(const SymExpr &A, const SymExpr &B) const { return Ar.add(A, B); }
  SymExpr sub(const SymExpr &A, const SymExpr &B) const { return Ar.sub(A, B); }
  SymExpr mul(const SymExpr &A, const SymExpr &B) const { return Ar.mul(A, B); }
  SymExpr floorDiv(const SymExpr &A, const SymExpr &B) const {
    return Ar.floorDiv(A, B);
  }
};

} // namespace

/// A number of the model's, about ne[i] of the operands and its integers.
static std::optional<SymExpr> ggmlNumber(const Context &Ctx, State &W,
                                         const Stmt &S, const SizesNode &N) {
  const auto Size = evaluateSize(
      SizeArith{W.Ar}, N, [&](const SizesNode &Of) -> std::optional<SymExpr> {
        if (Of.K == SizesNode::Operand)
          return exprArg(W, S, Of.Name);
        if ((Of.K != SizesNode::Numel && Of.K != SizesNode::Index) ||
            !ggmlArg(Ctx, W, S, Of.Name))
          return std::nullopt;
        const Object *O = tensorArg(Ctx, W, S, Of.Name);
        return Of.K == SizesNode::Numel
                   ? numel(W.Ar, O->L.Sizes)
                   : O->L.Sizes[at(static_cast<size_t>(Of.From.value_or(0)))];
      });
  return Size ? std::optional(W.Ar.asSize(*Size)) : std::nullopt;
}

std::optional<SymExpr> ggmlSize(const Context &Ctx, State &W, const Stmt &S,
                                llvm::StringRef Name) {
  const Value V = operand(W, S, Name);
  if (V.K != Value::Symbol) {
    auto One = sizesArg(Ctx, W, S, Name);
    return One && One->size() == 1 ? std::optional(One->front()) : std::nullopt;
  }
  const auto &Text = parseSizes(V.Text);
  return Text && Text->size() == 1 ? ggmlNumber(Ctx, W, S, Text->front())
                                   : std::nullopt;
}

/// Why "dtype(ids)=int32" or "dtype(self)=dtype(b)" does not hold; nothing
/// where it does, or that is not known.
static std::optional<Refusal> ggmlType(const Context &Ctx, State &W,
                                       const Stmt &S, const SizesNeed &N) {
  auto IsKnown = [](const Object *O) {
    return O && !O->DType.empty() && O->DType[0] != '%';
  };
  const Object *O = tensorArg(Ctx, W, S, N.Left.Name);
  const Object *Other = nullptr;
  std::vector<std::string> Texts = N.Texts;
  if (Texts.empty()) {
    Other = tensorArg(Ctx, W, S, N.Right.Name);
    O = tensorArg(Ctx, W, S, N.Left.Name);
    if (!IsKnown(Other))
      return std::nullopt;
    Texts.push_back(Other->DType);
  }
  if (!IsKnown(O) || llvm::is_contained(Texts, O->DType) ||
      isVouchedFor(Ctx, W, S, *O))
    return std::nullopt;
  Refusal Why;
  Why.K = Refusal::OtherGgmlType;
  Why.Of = ggmlOperand(Ctx, W, S, N.Left.Name);
  Why.Left = O->DType;
  if (Other)
    Why.Other = ggmlOperand(Ctx, W, S, N.Right.Name);
  Why.DTypes = std::move(Texts);
  return Why;
}

/// One of several types, of one operand or of another.
static void ggmlTypes(const Context &Ctx, State &W, const Stmt &S,
                      llvm::ArrayRef<SizesNeed> Any) {
  std::optional<Refusal> First;
  for (const SizesNeed &N : Any) {
    auto Why = ggmlType(Ctx, W, S, N);
    if (!Why)
      return;
    if (!First)
      First = std::move(Why);
  }
  ggmlFails(Ctx, W, S, Rule::DTypeWanted, std::move(*First));
}

/// That what \p Self is has \p Left of it, and \p Right is there.
static Refusal viewRefusal(const Context &Ctx, State &W, const Stmt &S,
                           Refusal::Kind K, Refusal::Effect E,
                           const SymExpr &Left, const SymExpr &Right) {
  Refusal Why;
  Why.K = K;
  Why.E = E;
  Why.Left = W.Ar.str(Left);
  Why.Right = W.Ar.str(Right);
  Why.Of = ggmlOperand(Ctx, W, S, "self");
  return Why;
}

void ggmlMoved(const Context &Ctx, State &W, const Stmt &S,
               llvm::StringRef Name) {
  const Object *O = ggmlArg(Ctx, W, S, Name);
  const BlockSize Block = O ? blockSize(O->DType) : BlockSize();
  // Rows are of whole blocks: no size of 1 comes with the type.
  if (Block.Elements <= 1 || W.Ar.known(O->L.Sizes[ggml::at(0)]) == 1 ||
      !W.Ar.eq(O->L.Strides[ggml::at(0)], SymExpr(1)).no())
    return;
  Refusal Why;
  Why.K = Refusal::BlocksTurned;
  Why.E = Refusal::ReadsOthers;
  Why.Of = ggmlOperand(Ctx, W, S, Name);
  Why.Stored = O->DType;
  Why.BlockElements = Block.Elements;
  Why.BlockBytes = Block.Bytes;
  ggmlFails(Ctx, W, S, Rule::BroadcastSize, std::move(Why));
}

/// What a view of \p Self takes that is not in its memory: as many elements as
/// ggml counts when it makes the view, or the last one that its strides reach.
static bool ggmlEndOfView(const Context &Ctx, State &W, const Stmt &S,
                          const Object &Self, const SymLayout &View,
                          const SymExpr &Offset) {
  const SymExpr Count = numel(W.Ar, View.Sizes);
  if (!Self.Own || !Self.Holds || W.Ar.known(Count) == 0)
    return false;
  const auto Start = farthest(Ctx, W, View.Offset),
             Last = farthest(Ctx, W, storageSpan(W.Ar, View));
  if (!Start || !Last)
    return false;
  const SymExpr Has = *Self.Holds;
  auto Ends = [&](const SymExpr &End, Refusal Why) {
    const auto Fits = W.Ar.le(End, Has);
    if (!Fits.no() ||
        isSilenced(Ctx, S, Silence::Divides, hasQuotient(Ctx, W, {Has, End})) ||
        isSilenced(Ctx, S, Silence::TestedOne, mustBeOne(W, Fits.UnlessOne)) ||
        isSilenced(Ctx, S, Silence::PathDependent,
                   isPathDependent(W, {Has, End})))
      return false;
    Excepted Unless =
        excepted(W, exceptions(W.Ar, Fits.UnlessOne, [&](const Symbolic &With) {
                   return With.le(End, Has);
                 }));
    Symbolic Ar = W.Ar;
    Ar.NonEmpty = false;
    Unless.NoElements =
        Unless.empty() && !(Ar.lt(Has, End) == Truth::Yes &&
                            Ar.lt(SymExpr(0), Count) == Truth::Yes);
    Why.OfWhole = Self.Part;
    ggmlFails(Ctx, W, S, Rule::BroadcastSize, std::move(Why),
              std::move(Unless));
    return true;
  };
  // ggml counts in the memory of the whole tensor.
  Refusal NotInside =
      viewRefusal(Ctx, W, S, Refusal::NotInside, Refusal::Aborts, Count, Has);
  if (W.Ar.known(Offset) != 0 || W.Ar.known(*Start) != 0)
    NotInside.Text = W.Ar.str(*Start);
  return Ends(W.Ar.add(*Start, Count), std::move(NotInside)) ||
         Ends(*Last, viewRefusal(Ctx, W, S, Refusal::EndsBeyond,
                                 Refusal::ReadsPastEnd, *Last, Has));
}

/// Bytes that are computed of rows of \p Row elements with the bytes of a block
/// for each: what they would be with those of an element; nothing for others.
///   h * head_dim * ggml_type_size(k->type)
static std::optional<SymExpr> bytesOfElements(const State &W,
                                              const BlockSize &Block,
                                              const SymExpr &Bytes,
                                              const SymExpr &Row) {
  if (W.Ar.known(Row))
    return std::nullopt;
  SymExpr All;
  bool Found = false;
  const SymExpr Sum = W.Ar.norm(Bytes);
  for (const SymExpr::Term &T : Sum.terms()) {
    const SymExpr Part = SymExpr::monomial(T.M, T.C);
    const auto Rows = W.Ar.divExact(Part, W.Ar.mul(SymExpr(Block.Bytes), Row));
    Found |= Rows.has_value();
    All = W.Ar.add(All,
                   Rows ? W.Ar.floorDiv(Part, SymExpr(Block.Elements)) : Part);
  }
  return Found ? std::optional(All) : std::nullopt;
}

/// Of types that are stored in blocks: numbers of blocks where elements are
/// counted, and addresses inside a block.
static bool ggmlBlocksOfView(const Context &Ctx, State &W, const Stmt &S,
                             const Object &Self, const SymDims &New) {
  const BlockSize Block = blockSize(Self.DType);
  auto Fails = [&](Refusal::Kind K, const SymExpr &Left, const SymExpr &Right,
                   std::string Text = "") {
    Refusal Why = viewRefusal(Ctx, W, S, K,
                              K == Refusal::CountsBlocks ? Refusal::ReadsPart
                                                         : Refusal::ReadsOthers,
                              Left, Right);
    Why.Text = std::move(Text);
    Why.Stored = Self.DType;
    Why.BlockElements = Block.Elements;
    Why.BlockBytes = Block.Bytes;
    ggmlFails(Ctx, W, S, Rule::BroadcastSize, std::move(Why));
    return true;
  };
  if (Block.Elements > 1) {
    const SymExpr &Row = New[0];
    auto Blocks = ggmlBlocks(Ctx, W, Self.DType, Row);
    if (!Blocks && New.size() == 1 && !W.Ar.known(Row))
      Blocks = W.Ar.mul(Row, SymExpr(Block.Elements));
    if (Blocks && W.Ar.eq(*Blocks, numel(W.Ar, Self.L.Sizes)).yes())
      return Fails(Refusal::CountsBlocks, Row, *Blocks);
    if (const auto N = W.Ar.known(Row); N && *N % Block.Elements != 0)
      return Fails(Refusal::EndsInBlock, Row, Row);
  }
  for (const char *Name : {"offset", "nb1", "nb2", "nb3"})
    if (const auto Bytes = exprArg(W, S, Name); Bytes && Block.Bytes > 1) {
      if (const auto N = W.Ar.known(*Bytes); N && *N % Block.Bytes != 0)
        return Fails(Refusal::StartsInBlock, *Bytes, *Bytes, Name);
      if (Block.Elements > 1)
        if (const auto Of = bytesOfElements(W, Block, *Bytes, New[0]))
          return Fails(Refusal::OffsetInCounts, *Bytes, *Of, Name);
    }
  return false;
}

/// Strides of a view that are numbers of elements, or those of the dimensions
/// the other way around.
static bool ggmlStridesOfView(const Context &Ctx, State &W, const Stmt &S,
                              const Object &Self, const SymDims &New) {
  const SymExpr One(itemSize(Self.DType));
  SymExpr Within = W.Ar.mul(One, New[0]); // a row of the view, packed
  std::optional<SymExpr> Inner;
  for (size_t I = 1; I < New.size(); ++I) {
    const std::string Name = "nb" + std::to_string(I);
    const auto Nb = exprArg(W, S, Name);
    if (!Nb || W.Ar.known(*Nb))
      return false;
    auto Fails = [&](Refusal::Kind K, Refusal::Effect E, const SymExpr &Right,
                     Excepted Unless = Excepted()) {
      Refusal Why = viewRefusal(Ctx, W, S, K, E, *Nb, Right);
      Why.Text = Name;
      ggmlFails(Ctx, W, S, Rule::BroadcastSize, std::move(Why),
                std::move(Unless));
      return true;
    };
    const auto Packed = W.Ar.eq(*Nb, Within);
    // As many bytes as there are elements from one row to the next.
    if (!Packed.yes() && W.Ar.known(New[I]) != 1 && !W.Ar.divExact(*Nb, One))
      for (size_t D = 1; D < ggml::Rank; ++D)
        if (W.Ar.eq(*Nb, Self.L.Strides[at(D)]).yes())
          return Fails(Refusal::OffsetInCounts, Refusal::ReadsOthers,
                       W.Ar.mul(One, *Nb));
    // nb2 is ne2 times nb1, where ne1 rows lie between.
    if (!Packed.yes() && Inner && !W.Ar.known(New[I - 1]) &&
        !W.Ar.known(New[I]) && W.Ar.lt(New[I - 1], New[I]) == Truth::Unknown &&
        W.Ar.eq(*Nb, W.Ar.mul(*Inner, New[I])).yes() &&
        !hasQuotient(Ctx, W, {New[I - 1], New[I]}) &&
        areOfOneTensor(Ctx, W, New[I - 1], New[I])) {
      Excepted Unless =
          excepted(W, {W.Ar.add(W.Ar.sub(New[I - 1], New[I]), SymExpr(1))});
      return Fails(Refusal::StridesTurned, Refusal::Overlaps, New[I],
                   std::move(Unless));
    }
    Inner = *Nb;
    Within = W.Ar.mul(*Nb, New[I]);
  }
  return false;
}

/// Views that take all of the rows of \p Self together, part by part, but not
/// one behind the other.
static bool ggmlPartsOfRow(const Context &Ctx, State &W, const Stmt &S,
                           const Object &Self, const SymLayout &View,
                           const SymExpr &Offset) {
  const SymExpr &Row = Self.L.Sizes[at(0)], &Step = Self.L.Strides[at(1)];
  if (!isContiguous(W.Ar, Self.L).yes() || W.Ar.known(Self.L.Sizes[at(1)]) == 1)
    return false;
  SymExpr Width(1);
  size_t D = 0;
  for (; D < ggml::Rank && !W.Ar.eq(View.Strides[at(D)], Step).yes(); ++D) {
    if (!W.Ar.eq(View.Strides[at(D)], Width).yes())
      return false;
    Width = W.Ar.mul(Width, View.Sizes[at(D)]);
  }
  if (D == 0 || D == ggml::Rank || W.Ar.lt(Width, Row) == Truth::No)
    return false;
  auto &Parts = Ctx.Facts.RowParts[operand(W, S, "self").T];
  llvm::erase_if(Parts, [&](const RowPart &P) { return P.By == &S; });
  Parts.push_back({&S, Offset, Width});
  SymExpr All(0);
  std::string Starts;
  for (const RowPart &P : Parts) {
    All = W.Ar.add(All, P.Width);
    Starts += (Starts.empty() ? "" : ", ") + W.Ar.str(P.Start);
  }
  // Of a row that nobody counted, one of three or more parts ends where all of
  // them together would.
  const bool Ends = Parts.size() > 2 && llvm::any_of(Parts, [&](const auto &P) {
                      return W.Ar.eq(W.Ar.add(P.Start, P.Width), All).yes();
                    });
  if (Parts.size() < 2 || !(Ends || W.Ar.eq(All, Row).yes()))
    return false;
  std::vector<RowPart> Left = Parts;
  SymExpr End(0);
  while (!Left.empty()) {
    const auto Next = llvm::find_if(
        Left, [&](const RowPart &P) { return W.Ar.eq(P.Start, End).yes(); });
    if (Next == Left.end())
      break;
    End = W.Ar.add(End, Next->Width);
    Left.erase(Next);
  }
  if (Left.empty() || !llvm::all_of(Left, [&](const RowPart &P) {
        return !W.Ar.eq(P.Start, End).yes() &&
               !isKnownToFit(Ctx, W, S, P.Start, End, {});
      }))
    return false;
  Refusal Why = viewRefusal(Ctx, W, S, Refusal::PartsApart,
                            Refusal::ReadsOthers, End, All);
  Why.Text = Starts;
  ggmlFails(Ctx, W, S, Rule::BroadcastSize, std::move(Why));
  return true;
}

/// Whether a number of bytes has a part in \p V.
static bool hasBytes(const Context &Ctx, ValueId V, unsigned Depth = 0) {
  const Stmt *D = Ctx.Flow.Values.origin(V);
  if (!D || Depth > 8)
    return !D;
  switch (D->O) {
  case Op::Const:
  case Op::Load:
  case Op::GgmlNe:
  case Op::Numel:
    return false;
  case Op::IAdd:
  case Op::ISub:
  case Op::IMul:
    return llvm::any_of(D->Args, [&](const Arg &A) {
      return hasBytes(Ctx, A.Value, Depth + 1);
    });
  default:
    return true;
  }
}

bool countsRows(const Context &Ctx, State &W, const Stmt &S, const Object &Self,
                int64_t Item) {
  const Arg *Offset = findArg(S, "offset");
  const auto Bytes = exprArg(W, S, "offset");
  if (!Bytes || hasBytes(Ctx, Offset->Value))
    return false;
  const SymExpr N = W.Ar.norm(*Bytes);
  bool Whole = true, Named = false;
  for (const SymExpr::Term &T : N.terms()) {
    Whole &= T.C % Item == 0;
    bool OfRow = false;
    for (unsigned I = 0; I < T.M.Count; ++I) {
      const bool IsSize = llvm::any_of(Self.L.Sizes, [&](const SymExpr &Size) {
        return W.Ar.norm(Size).contains(T.M.S[I]);
      });
      OfRow |= IsSize;
      const SymbolInfo &Other = Ctx.Table[T.M.S[I]];
      if (!IsSize &&
          (Other.K != SymbolInfo::Integer || !Other.Named || Other.Joined))
        return false;
      Named |= !IsSize && isNamedAfterBytes(Other);
    }
    if (!OfRow)
      return false;
  }
  return !Whole && !isSilenced(Ctx, S, Silence::NamedBytes, Named);
}

void ggmlBytesOfView(const Context &Ctx, State &W, const Stmt &S,
                     const Object &Self, const SymDims &New,
                     const SymExpr &Offset, const SymLayout &View) {
  if (New.empty() || isVouchedFor(Ctx, W, S, Self) ||
      ggmlEndOfView(Ctx, W, S, Self, View, Offset) ||
      ggmlBlocksOfView(Ctx, W, S, Self, New))
    return;
  const int64_t Item = itemSize(Self.DType);
  if (Item < 2)
    return;
  const SymExpr One(Item), Row = W.Ar.mul(One, New[0]);
  for (size_t I = 1; I < New.size(); ++I) {
    const std::string Name = "nb" + std::to_string(I);
    const auto Nb = exprArg(W, S, Name);
    if (!Nb || W.Ar.known(*Nb) == 0 || W.Ar.known(New[I]) == 1 ||
        W.Ar.lt(*Nb, Row) != Truth::Yes ||
        (W.Ar.divExact(*Nb, One) &&
         !W.Ar.eq(*Nb, Self.L.Strides[at(I)]).yes()) ||
        isSilenced(Ctx, S, Silence::Divides, hasQuotient(Ctx, W, {*Nb, Row})))
      continue;
    Refusal Why = viewRefusal(Ctx, W, S, Refusal::RowsOverlap,
                              Refusal::Overlaps, *Nb, Row);
    Why.Text = Name;
    return ggmlFails(Ctx, W, S, Rule::BroadcastSize, std::move(Why));
  }
  if (ggmlStridesOfView(Ctx, W, S, Self, New) ||
      ggmlPartsOfRow(Ctx, W, S, Self, View, Offset))
    return;
  // So many rows of the view in elements: 3 * D. A byte count is 4 * D or more.
  const auto Start = exprArg(W, S, "offset");
  const auto Rows = Start ? W.Ar.divExact(*Start, New[0]) : std::nullopt;
  const auto N = Rows ? W.Ar.known(*Rows) : std::nullopt;
  if (Start && !W.Ar.known(*Start) &&
      (N ? *N % Item != 0 : countsRows(Ctx, W, S, Self, Item)))
    ggmlFails(Ctx, W, S, Rule::BroadcastSize,
              viewRefusal(Ctx, W, S, Refusal::OffsetInCounts,
                          Refusal::StartsElsewhere, *Start,
                          W.Ar.mul(One, *Start)));
}

void ggmlNeedsSizes(const Context &Ctx, State &W, const Stmt &S,
                    llvm::StringRef Text) {
  // A tensor without an index stands for each of its dimensions.
  auto IsTensor = [&](const SizesNode &N) {
    return N.K == SizesNode::Operand && tensorArg(Ctx, W, S, N.Name);
  };
  auto Size = [&](SizesNode N, unsigned Dim) {
    if (IsTensor(N)) {
      N.K = SizesNode::Index;
      N.From = Dim;
    }
    return ggmlNumber(Ctx, W, S, N);
  };
  auto Told = [&](const SizesNode &N, unsigned Dim, const SymExpr &Size) {
    GgmlNumber R;
    R.Is = W.Ar.str(Size);
    R.Name = N.Name;
    R.Dim = Dim;
    const SizesNode *Of = &N;
    if (N.K == SizesNode::Number) {
      R.K = GgmlNumber::Given;
    } else if (N.K == SizesNode::Operand && !IsTensor(N)) {
      R.K = GgmlNumber::Argument;
    } else if (N.K == SizesNode::Mul && N.Operands[0].K == SizesNode::Index) {
      R.K = GgmlNumber::Multiple;
      R.Factor = N.Operands[1].Value;
      Of = &N.Operands[0];
      R.Dim = static_cast<unsigned>(Of->From.value_or(0));
    } else {
      R.K = N.K == SizesNode::Numel ? GgmlNumber::Elements : GgmlNumber::Size;
    }
    R.Of = ggmlOperand(Ctx, W, S, Of->Name);
    return R;
  };
  // ggml_add(ctx, bias, x): the other way around it would be right.
  auto IsTurned = [&](const SizesNeed &N) {
    bool Shares = false;
    for (unsigned D = 0; D < ggml::Rank; ++D) {
      const auto L = Size(N.Left, D), R = Size(N.Right, D);
      if (!L || !R || (W.Ar.known(*R) != 1 && !W.Ar.eq(*L, *R).yes()))
        return false;
      Shares |= W.Ar.known(*R) != 1;
    }
    return Shares;
  };
  auto Ask = [&](const SizesNeed &N, unsigned DimL, unsigned DimR) {
    const auto L = Size(N.Left, DimL), R = Size(N.Right, DimR);
    if (!L || !R)
      return;
    Refusal Why;
    Why.Numbers[0] = Told(N.Left, DimL, *L);
    Why.Numbers[1] = Told(N.Right, DimR, *R);
    if (N.K == SizesNeed::Divides) {
      Why.K = Refusal::DoesNotDivide;
      if (const auto Same = W.Ar.eq(*L, *R);
          Same.no() && W.Ar.lt(*L, *R) == Truth::Unknown &&
          W.Ar.lt(*R, *L) == Truth::Unknown && isCounted(Ctx, W, *L) &&
          isNamed(Ctx, W, *R) && !W.Ar.divExact(*L, *R) &&
          !W.Ar.divExact(*R, *L) && areOfOneTensor(Ctx, W, *L, *R)) {
        // One axis may divide the other by chance; heads are made so that those
        // of keys divide those of queries.
        Excepted Unless;
        Unless.Divisor = W.Ar.str(*L);
        Unless.Multiple = W.Ar.str(*R);
        return ggmlFails(Ctx, W, S, Rule::SizeMultiple, std::move(Why),
                         std::move(Unless));
      }
      // A multiple of a number divides that number if it is the same.
      const auto By = W.Ar.known(*L), Of = W.Ar.known(*R);
      if (By && Of ? *By != 0 && *Of % *By != 0
                   : W.Ar.lt(*R, *L) == Truth::Yes ||
                         (W.Ar.divExact(*L, *R) && W.Ar.eq(*L, *R).no()) ||
                         isMultiple(Ctx, W, *L, *R))
        ggmlMisfit(Ctx, W, S, std::move(Why), *R, *L,
                   IsTensor(N.Left) && IsTensor(N.Right) && IsTurned(N));
    } else if (N.K == SizesNeed::AtMost) {
      Why.K = Refusal::SizeExceeds;
      if (W.Ar.lt(*R, *L) == Truth::Yes || isMultiple(Ctx, W, *L, *R))
        ggmlMisfit(Ctx, W, S, std::move(Why), *L, *R);
    } else {
      Why.K = Refusal::SizesDiffer;
      ggmlEqual(Ctx, W, S, *L, *R, [&] { return Why; });
    }
  };
  const auto &All = parseNeeds(Text);
  if (!All)
    return;
  for (const std::vector<SizesNeed> &Any : *All) {
    if (llvm::all_of(
            Any, [](const SizesNeed &N) { return N.K == SizesNeed::DType; })) {
      ggmlTypes(Ctx, W, S, Any);
      continue;
    }
    if (Any.size() > 1) // another one may hold
      continue;
    const SizesNeed &N = Any.front();
    auto Dim = [](const SizesNode &Node) {
      return static_cast<unsigned>(Node.From.value_or(0));
    };
    if (IsTensor(N.Left))
      for (unsigned D = 0; D < ggml::Rank; ++D)
        Ask(N, D, D);
    else
      Ask(N, Dim(N.Left), Dim(N.Right));
  }
}

} // namespace tensortidy::analysis
