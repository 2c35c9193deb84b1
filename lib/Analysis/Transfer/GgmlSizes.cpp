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

/// "'x'", or "operand 2" of the tensors in the call.
static std::string ggmlOperand(const Context &Ctx, State &W, const Stmt &S,
                               llvm::StringRef Name) {
  unsigned Place = 0;
  for (const Arg &A : S.Args) {
    if (!tensor(W, value(W, A.Value)))
      continue;
    ++Place;
    if (A.Name != Name)
      continue;
    const Stmt *D = Ctx.Flow.DefOf[A.Value];
    if (D && D->O == Op::Load && !Ctx.F.Vars[D->Var].Name.empty())
      return "'" + called(Ctx, D->Var, D->Context) + "'";
    return "operand " + std::to_string(Place);
  }
  return "the tensor";
}

/// Asks whether \p A and \p B are equal, which \p Message denies, and goes on
/// with that: a tensor has four dimensions, most of them 1 without a word.
static void ggmlEqual(const Context &Ctx, State &W, const Stmt &S,
                      const SymExpr &A, const SymExpr &B,
                      llvm::function_ref<std::string()> Message) {
  const auto Same = W.Ar.eq(A, B);
  if (Same.no())
    ggmlMisfit(Ctx, W, S, Message(), A, B);
  if (!Same.no() || !Same.UnlessOne.empty())
    W.Ar.assumeEqual(A, B);
}

/// Whether \p E is a product of the user's own integers. Those are 1 in a
/// special case; a dimension of a tensor often is by what the model is.
static bool isCounted(const Context &Ctx, const State &W, const SymExpr &E) {
  const SymExpr N = W.Ar.norm(E);
  for (const auto &T : N.terms())
    for (unsigned I = 0; I < T.M.Count; ++I)
      if (const SymbolInfo &Sym = Ctx.Table[T.M.S[I]];
          Sym.K != SymbolInfo::Integer || !Sym.Named || Sym.Joined)
        return false;
  return true;
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

static void ggmlFails(const Context &Ctx, State &W, const Stmt &S,
                      layout::Rule R, const std::string &Message,
                      const std::string &Verb, const std::string &Unless = "",
                      bool OneExcepted = false);

void ggmlMisfit(const Context &Ctx, State &W, const Stmt &S,
                const std::string &Message, const SymExpr &A,
                const SymExpr &B) {
  const auto Same = W.Ar.eq(A, B);
  llvm::SmallVector<SymDims, 4> Operands;
  for (const Arg &Operand : S.Args)
    if (const Object *O = tensor(W, value(W, Operand.Value)); O && O->Ggml)
      Operands.push_back(O->L.Sizes);
  if (!Same.no() || !llvm::all_of(Same.UnlessOne, [&](const SymExpr &E) {
        return isCounted(Ctx, W, E) && !isBatch(W, Operands, E);
      }))
    return;
  if (isKnownToFit(Ctx, W, S, A, B, Same.UnlessOne))
    return;
  Symbolic Ar = W.Ar; // sizes of 0 fit more than others
  Ar.NonEmpty = false;
  std::string Unless =
      unlessText(W, exceptions(W.Ar, Same.UnlessOne, [&](const Symbolic &With) {
                   return With.eq(A, B);
                 }));
  const bool OneExcepted = !Unless.empty();
  if (!OneExcepted && !Ar.eq(A, B).no()) {
    if (W.Ar.known(A) == 0 || W.Ar.known(B) == 0)
      return; // so it is
    Unless = "unless it is empty";
  }
  ggmlFails(Ctx, W, S, Rule::BroadcastSize, Message, "aborts", Unless,
            OneExcepted);
}

static std::optional<Note> ggmlSizesNote(const State &W, const Stmt &S,
                                         const Object &O);

static void ggmlFails(const Context &Ctx, State &W, const Stmt &S, Rule Broken,
                      const std::string &Message, const std::string &Verb,
                      const std::string &Unless, bool OneExcepted) {
  if (hasNoElements(Ctx, W, S))
    return;
  LayoutSite &Site = Ctx.Facts.Sites[&S];
  ++Site.Failed;
  if (Site.Failures.size() >= 4)
    return;
  LayoutFailure V;
  V.R = Broken;
  V.Message = callText(Ctx, S, W) + ": " + Message;
  V.Verb = Verb;
  V.Unless = Unless;
  V.OneExcepted = OneExcepted;
  for (const Arg &Operand : S.Args)
    if (const Object *O = tensor(W, value(W, Operand.Value)))
      if (auto N = ggmlSizesNote(W, S, *O))
        V.Notes.push_back(std::move(*N));
  V.Path = pathText(W);
  Site.Failures.push_back(std::move(V));
}

/// "'y' has ne [2, 3] here: ggml_new_tensor_2d(...)".
static std::optional<Note> ggmlSizesNote(const State &W, const Stmt &S,
                                         const Object &O) {
  const Provenance *P = O.Prov.get();
  while (P && (P->What.empty() || P->Checked))
    P = P->Parent.get();
  if (!P || P->Where.Begin == S.Where.Begin)
    return std::nullopt;
  return Note{P->Where, (O.Name.empty() ? "the operand" : "'" + O.Name + "'") +
                            " has ne " + ggmlText(W, O.L, false) +
                            " here: " + P->What};
}

void ggmlCount(const Context &Ctx, State &W, const Stmt &S, const Object &Self,
               const SymDims &New) {
  const SymExpr Have = numel(W.Ar, Self.L.Sizes), Want = numel(W.Ar, New);
  ggmlEqual(Ctx, W, S, Have, Want, [&] {
    return "shape " + listText(W.Ar, New) + " does not fit the " +
           W.Ar.str(Have) + " elements of " + ggmlOperand(Ctx, W, S, "self");
  });
}

namespace {

/// Arithmetic whose results are sizes.
struct SizeArith {
  using Int = SymExpr;
  const Symbolic &Ar;

  SymExpr add(const SymExpr &A, const SymExpr &B) const {
    return Ar.asSize(Ar.add(A, B));
  }
  SymExpr sub(const SymExpr &A, const SymExpr &B) const {
    return Ar.asSize(Ar.sub(A, B));
  }
  SymExpr mul(const SymExpr &A, const SymExpr &B) const {
    return Ar.asSize(Ar.mul(A, B));
  }
  SymExpr floorDiv(const SymExpr &A, const SymExpr &B) const {
    return Ar.asSize(Ar.floorDiv(A, B));
  }
};

} // namespace

/// A number of the model's, about ne[i] of the operands and its integers.
static std::optional<SymExpr> ggmlNumber(const Context &Ctx, State &W,
                                         const Stmt &S, const SizesNode &N) {
  return evaluateSize(
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

/// "dtype(ids)=int32", "dtype(self)=dtype(b)".
static void ggmlType(const Context &Ctx, State &W, const Stmt &S,
                     const SizesNeed &N) {
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
      return;
    Texts.push_back(Other->DType);
  }
  if (!IsKnown(O) || llvm::is_contained(Texts, O->DType) ||
      isVouchedFor(Ctx, W, S, *O))
    return;
  ggmlFails(
      Ctx, W, S, Rule::DTypeWanted,
      ggmlOperand(Ctx, W, S, N.Left.Name) + " is of " + O->DType + ", " +
          (Other ? ggmlOperand(Ctx, W, S, N.Right.Name) + " of " : "not of ") +
          llvm::join(Texts, " or "),
      "aborts");
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
  auto Ends = [&](const SymExpr &End, const std::string &Message,
                  const char *Verb) {
    const SymExpr Has = *Self.Holds;
    const auto Fits = W.Ar.le(End, Has);
    if (!Fits.no() ||
        isSilenced(Ctx, S, Silence::Divides, hasQuotient(Ctx, W, {Has, End})) ||
        isSilenced(Ctx, S, Silence::TestedOne, leftOne(W, Fits.UnlessOne)) ||
        isSilenced(Ctx, S, Silence::PathDependent,
                   isPathDependent(W, {Has, End})))
      return false;
    std::string Unless = unlessText(
        W, exceptions(W.Ar, Fits.UnlessOne,
                      [&](const Symbolic &With) { return With.le(End, Has); }));
    const bool OneExcepted = !Unless.empty();
    Symbolic Ar = W.Ar;
    Ar.NonEmpty = false;
    if (!OneExcepted && !(Ar.lt(Has, End) == Truth::Yes &&
                          Ar.lt(SymExpr(0), Count) == Truth::Yes))
      Unless = "unless it is empty";
    ggmlFails(Ctx, W, S, Rule::BroadcastSize, Message, Verb, Unless,
              OneExcepted);
    return true;
  };
  const std::string Of = Self.Part ? "the tensor that " +
                                         ggmlOperand(Ctx, W, S, "self") +
                                         " is a view of"
                                   : ggmlOperand(Ctx, W, S, "self"),
                    Has = W.Ar.str(*Self.Holds);
  // ggml counts in the memory of the whole tensor.
  const bool FromStart = W.Ar.known(Offset) == 0 && W.Ar.known(*Start) == 0;
  return Ends(W.Ar.add(*Start, Count),
              W.Ar.str(Count) + " elements" +
                  (FromStart ? "" : " from " + W.Ar.str(*Start) + " on") +
                  " are not in the " + Has + " of " + Of,
              "aborts") ||
         Ends(*Last,
              "the view ends " + W.Ar.str(*Last) +
                  " elements from the start of " + Of + ", which has " + Has,
              "reads past its end");
}

/// Of types that are stored in blocks: numbers of blocks where elements are
/// counted, and addresses inside a block.
static bool ggmlBlocksOfView(const Context &Ctx, State &W, const Stmt &S,
                             const Object &Self, const SymDims &New) {
  const BlockSize Block = blockSize(Self.DType);
  auto Fails = [&](const std::string &Message, const char *Verb) {
    ggmlFails(Ctx, W, S, Rule::BroadcastSize, Message, Verb);
    return true;
  };
  const std::string Stored = Self.DType + ", which is stored " +
                             std::to_string(Block.Elements) + " elements in " +
                             std::to_string(Block.Bytes) + " bytes";
  if (Block.Elements > 1) {
    const SymExpr &Row = New[0];
    auto Blocks = ggmlBlocks(Ctx, W, Self.DType, Row);
    if (!Blocks && New.size() == 1 && !W.Ar.known(Row))
      Blocks = W.Ar.mul(Row, SymExpr(Block.Elements));
    if (Blocks && W.Ar.eq(*Blocks, numel(W.Ar, Self.L.Sizes)).yes())
      return Fails(W.Ar.str(Row) + " is the number of blocks of " +
                       ggmlOperand(Ctx, W, S, "self") + ", not of its " +
                       W.Ar.str(*Blocks) + " elements: it is of " + Stored,
                   "it takes a part of them");
    if (const auto N = W.Ar.known(Row); N && *N % Block.Elements != 0)
      return Fails("rows of " + std::to_string(*N) +
                       " elements end inside a block: " +
                       ggmlOperand(Ctx, W, S, "self") + " is of " + Stored,
                   "it reads other elements");
  }
  for (const char *Name : {"offset", "nb1", "nb2", "nb3"})
    if (const auto Bytes = exprArg(W, S, Name); Bytes && Block.Bytes > 1)
      if (const auto N = W.Ar.known(*Bytes); N && *N % Block.Bytes != 0)
        return Fails(
            std::string(Name) + " is " + std::to_string(*N) +
                " bytes, which is inside " +
                (Block.Elements > 1 ? "a block of " : "an element of ") +
                ggmlOperand(Ctx, W, S, "self") + ", of " +
                (Block.Elements > 1 ? Stored : Self.DType),
            "it reads other elements");
  return false;
}

void ggmlBytesOfView(const Context &Ctx, State &W, const Stmt &S,
                     const Object &Self, const SymDims &New,
                     const SymExpr &Offset, const SymLayout &View) {
  if (New.empty() || isVouchedFor(Ctx, W, S, Self))
    return;
  auto Fails = [&](const std::string &Message, const char *Verb) {
    ggmlFails(Ctx, W, S, Rule::BroadcastSize, Message, Verb);
  };
  if (ggmlEndOfView(Ctx, W, S, Self, View, Offset) ||
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
    return Fails(Name + " is " + W.Ar.str(*Nb) + " bytes, less than the " +
                     W.Ar.str(Row) + " of a row",
                 "its rows overlap");
  }
  // So many rows of the view in elements: 3 * D. A byte count is 4 * D or more.
  const auto Start = exprArg(W, S, "offset");
  const auto Rows = Start && isCounted(Ctx, W, New[0])
                        ? W.Ar.divExact(*Start, New[0])
                        : std::nullopt;
  if (const auto N = Rows ? W.Ar.known(*Rows) : std::nullopt;
      N && *N % Item != 0 && !W.Ar.known(*Start))
    Fails("the offset is " + W.Ar.str(*Start) + " bytes, not the " +
              W.Ar.str(W.Ar.mul(One, *Start)) + " of so many elements",
          "it starts at another element");
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
  auto Says = [&](const SizesNode &N, unsigned Dim,
                  const SymExpr &Size) -> std::string {
    if (N.K == SizesNode::Number)
      return "which should be " + W.Ar.str(Size);
    if (N.K == SizesNode::Operand && !IsTensor(N))
      return N.Name + " is " + W.Ar.str(Size);
    if (N.K == SizesNode::Mul && N.Operands[0].K == SizesNode::Index)
      return std::to_string(N.Operands[1].Value) + " times ne[" +
             std::to_string(N.Operands[0].From.value_or(0)) + "] of " +
             ggmlOperand(Ctx, W, S, N.Operands[0].Name) + " is " +
             W.Ar.str(Size);
    const std::string Of = ggmlOperand(Ctx, W, S, N.Name);
    return N.K == SizesNode::Numel ? Of + " has " + W.Ar.str(Size) + " elements"
                                   : "ne[" + std::to_string(Dim) + "] of " +
                                         Of + " is " + W.Ar.str(Size);
  };
  auto Ask = [&](const SizesNeed &N, unsigned DimL, unsigned DimR) {
    const auto L = Size(N.Left, DimL), R = Size(N.Right, DimR);
    if (!L || !R)
      return;
    const std::string TextL = Says(N.Left, DimL, *L),
                      TextR = Says(N.Right, DimR, *R);
    if (N.K == SizesNeed::Divides) {
      if (const auto Same = W.Ar.eq(*L, *R);
          Same.no() && W.Ar.lt(*L, *R) == Truth::Unknown &&
          W.Ar.lt(*R, *L) == Truth::Unknown && isCounted(Ctx, W, *L) &&
          isCounted(Ctx, W, *R) && !W.Ar.divExact(*L, *R) &&
          !W.Ar.divExact(*R, *L) && areOfOneTensor(Ctx, W, *L, *R))
        // One axis may divide the other by chance; heads are made so that those
        // of keys divide those of queries.
        return ggmlFails(Ctx, W, S, Rule::SizeMultiple, TextR + ", " + TextL,
                         "aborts",
                         "unless " + W.Ar.str(*L) + " divides " + W.Ar.str(*R),
                         /*OneExcepted=*/true);
      // A multiple of a number divides that number if it is the same.
      const auto By = W.Ar.known(*L), Of = W.Ar.known(*R);
      if (By && Of ? *By != 0 && *Of % *By != 0
                   : W.Ar.lt(*R, *L) == Truth::Yes ||
                         (W.Ar.divExact(*L, *R) && W.Ar.eq(*L, *R).no()))
        ggmlMisfit(Ctx, W, S,
                   TextR + ", " + TextL + ", which does not divide it", *R, *L);
    } else if (N.K == SizesNeed::AtMost) {
      if (W.Ar.lt(*R, *L) == Truth::Yes)
        ggmlMisfit(Ctx, W, S, TextL + ", " + TextR + ", which is less", *L, *R);
    } else {
      ggmlEqual(Ctx, W, S, *L, *R, [&] { return TextL + ", " + TextR; });
    }
  };
  const auto &All = parseNeeds(Text);
  if (!All)
    return;
  for (const std::vector<SizesNeed> &Any : *All) {
    const SizesNeed &N = Any.front();
    if (N.K == SizesNeed::DType) {
      ggmlType(Ctx, W, S, N);
      continue;
    }
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
