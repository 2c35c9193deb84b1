//===- Ggml.cpp - what each node of a ggml graph is -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/AxisOrder.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Evidence.h"
#include "Analysis/Transfer/GgmlSizes.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Overwrite.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Transfer.h"
#include "Analysis/Transfer/ViewOps.h"
#include "Layout/Error.h"
#include "Layout/Ggml.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

using ggml::at;
using ggml::Packing;

void makeGgml(const Context &Ctx, State &, Object &O, ObjId Id) {
  if (O.DType.empty())
    O.DType = "%type" + Id.text();
  if (O.Ggml && O.HasLayout)
    return;
  O.Ggml = true;
  if (O.HasLayout && O.Segment < 0 && O.L.rank() == ggml::Rank)
    return;
  bool Dense = O.HasLayout && (O.Segment < 0 || O.SegmentDense) &&
               isContiguous(Ctx.Base, O.L).yes();
  // A variable's first object lives as long as the function, others for one
  // iteration.
  const LoopId Owner = Id.From == ObjId::Variable || Id.From == ObjId::Reloaded
                           ? NoId
                           : Ctx.F.Blocks[Ctx.Block].InLoop;
  const SymbolKey Key{SymbolKey::GgmlObject, NoId, Ctx.Ids.number(Id)};
  SymLayout L;
  L.Sizes = L.Strides = SymDims(ggml::Rank, SymExpr(1));
  L.Offset = Ctx.Ids.symbol(Key.part(8), SymbolInfo::Stride, "?");
  for (unsigned I = 0; I < ggml::Rank; ++I) {
    SymExpr &Size = L.Sizes[at(I)], &Stride = L.Strides[at(I)];
    Size = Ctx.Ids.symbol(Key.part(I), SymbolInfo::Size,
                          ggmlName(O.Name, "ne", at(I)));
    Stride = Ctx.Ids.symbol(Key.part(4 + I), SymbolInfo::Stride,
                            ggmlName(O.Name, "nb", at(I)));
    Ctx.Table[*Size.asSymbol()].Owner = Ctx.Table[*Stride.asSymbol()].Owner =
        Owner;
  }
  if (Dense)
    L.Strides = ggml::packed(Ctx.Base, ggml::sizes(Ctx.Base, L)).Strides;
  O.HasLayout = true;
  O.L = std::move(L);
  O.Segment = -1;
}

Object *ggmlArg(const Context &Ctx, State &W, const Stmt &S,
                llvm::StringRef Name) {
  Object *O = tensorArg(Ctx, W, S, Name);
  if (O)
    makeGgml(Ctx, W, *O, operand(W, S, Name).T);
  return O;
}

/// Bytes of one element: known for plain types, a symbol for others. Of a type
/// in blocks that is a fraction: 34/32 of q8_0. Blocks of a type that is not
/// known are taken to be elements.
static SymExpr ggmlBytes(const Context &Ctx, const std::string &DType) {
  if (int64_t N = itemSize(DType))
    return SymExpr(N);
  const uint32_t Number =
      Ctx.Ids.GgmlTypes.try_emplace(DType, unsigned(Ctx.Ids.GgmlTypes.size()))
          .first->second;
  return Ctx.Ids.symbol({SymbolKey::GgmlType, NoId, Number}, SymbolInfo::Size,
                        "type_size");
}

std::optional<SymExpr> ggmlBlocks(const Context &Ctx, const State &W,
                                  const std::string &DType, const SymExpr &E) {
  const auto S = W.Ar.norm(E).asSymbol();
  const BlockSize B = blockSize(DType);
  if (!S || B.Elements == 1 || Ctx.Table[*S].K != SymbolInfo::Floor ||
      !(Ctx.Table[*S].B == SymExpr(B.Bytes)))
    return std::nullopt;
  return ggmlElements(Ctx, W, DType, Ctx.Table[*S].A);
}

/// Bytes of a block, which ggml calls type_size.
static SymExpr ggmlTypeSize(const Context &Ctx, const std::string &DType) {
  const BlockSize B = blockSize(DType);
  return B.Bytes ? SymExpr(B.Bytes) : ggmlBytes(Ctx, DType);
}

SymExpr ggmlRowBytes(const Context &Ctx, const State &W,
                     const std::string &DType, const SymExpr &N) {
  const BlockSize B = blockSize(DType);
  if (B.Elements > 1)
    if (auto Bytes =
            W.Ar.divExact(W.Ar.mul(N, SymExpr(B.Bytes)), SymExpr(B.Elements)))
      return *Bytes;
  return W.Ar.mul(ggmlBytes(Ctx, DType), N);
}

std::optional<SymExpr> ggmlElements(const Context &Ctx, const State &W,
                                    const std::string &DType,
                                    const SymExpr &Bytes) {
  const SymExpr One = ggmlBytes(Ctx, DType);
  const BlockSize B = blockSize(DType);
  if (B.Elements == 1)
    return W.Ar.divExact(Bytes, One);
  SymExpr Sum;
  const SymExpr All = W.Ar.norm(Bytes);
  for (const SymExpr::Term &T : All.terms()) {
    const SymExpr Part = SymExpr::monomial(T.M, T.C);
    auto N = W.Ar.divExact(Part, One);
    if (!N)
      N = W.Ar.divExact(W.Ar.mul(Part, SymExpr(B.Elements)), SymExpr(B.Bytes));
    if (!N)
      return std::nullopt;
    Sum = W.Ar.add(Sum, *N);
  }
  return Sum;
}

/// \p E as a number of elements of \p DType: bytes that were divided by those
/// of a block are blocks, and so many times the elements of one.
///   nbytes / type_size * blck_size
static SymExpr ggmlCounted(const Context &Ctx, const State &W,
                           const std::string &DType, const SymExpr &E) {
  const BlockSize B = blockSize(DType);
  if (B.Elements == 1)
    return E;
  SymExpr Sum;
  const SymExpr All = W.Ar.norm(E);
  for (const SymExpr::Term &T : All.terms()) {
    SymExpr Part = SymExpr::monomial(T.M, T.C);
    for (unsigned I = 0; I < T.M.Count && T.C % B.Elements == 0; ++I) {
      const SymExpr Symbol = SymExpr::symbol(T.M.S[I]);
      if (const auto N = ggmlBlocks(Ctx, W, DType, Symbol)) {
        const auto Rest = W.Ar.divExact(Part, Symbol);
        Part = W.Ar.mul(*W.Ar.divExact(*Rest, SymExpr(B.Elements)), *N);
        break;
      }
    }
    Sum = W.Ar.add(Sum, Part);
  }
  return Sum;
}

std::string ggmlText(const State &W, const SymLayout &L, bool Strides) {
  size_t Count = ggml::Rank;
  while (Count > 1 && W.Ar.known(L.Sizes[at(Count - 1)]) == 1)
    --Count;
  SymDims D;
  for (size_t I = 0; I < Count; ++I)
    D.push_back(Strides ? L.Strides[at(I)] : L.Sizes[at(I)]);
  return listText(W.Ar, D);
}

void nameGgml(const Context &Ctx, const Object &O) {
  for (bool Stride : {false, true})
    for (unsigned I = 0; I < ggml::Rank; ++I)
      if (auto Sym =
              (Stride ? O.L.Strides[at(I)] : O.L.Sizes[at(I)]).asSymbol())
        if (Ctx.Table[*Sym].Name == "?")
          Ctx.Table[*Sym].call(ggmlName(O.Name, Stride ? "nb" : "ne", at(I)),
                               false, Ctx.Ids.Line);
}

/// The sizes ne0 .. ne3 that are given.
static SymDims ggmlSizes(const Context &Ctx, State &W, const Stmt &S) {
  if (auto List = sizesArg(Ctx, W, S, "ne"))
    return *List;
  SymDims Ne;
  for (unsigned I = 0; I < ggml::Rank; ++I) {
    const std::string Name = "ne" + std::to_string(I);
    if (!findArg(S, Name))
      break;
    auto One = sizesArg(Ctx, W, S, Name);
    Ne.push_back(One ? One->front()
                     : valueSymbol(Ctx, S, SymbolInfo::Size, "?", 200 + I));
  }
  return Ne;
}

static Packing packing(llvm::StringRef Name) {
  return llvm::StringSwitch<Packing>(Name)
      .Case("contiguous_1", Packing::Contiguous1)
      .Case("rows", Packing::Rows)
      .Case("padded", Packing::Padded)
      .Case("not_transposed", Packing::NotTransposed)
      .Default(Packing::Contiguous);
}

/// Asks \p Need ("rows cpu") of operand \p Name, and learns from the answer.
/// Returns false when it is not met.
static bool ggmlNeeds(const Context &Ctx, State &W, const Stmt &S,
                      llvm::StringRef Name, llvm::StringRef Need,
                      bool IsReshape) {
  Object *O = ggmlArg(Ctx, W, S, Name);
  if (!O)
    return true;
  auto [Kind, Where] = Need.split(' ');
  const Packing P = packing(Kind);
  LayoutSite &Site = Ctx.Facts.Sites[&S];
  Site.AsksStrides = true;
  Site.IsView = IsReshape;
  auto Is = ggml::isPacked(W.Ar, O->L, P);
  if (Is.unknown() && O->NotContiguous && P == Packing::Contiguous)
    Is = Answer<SymExpr>(Truth::No);
  if (Is.yes()) {
    ++Site.Ok;
    return true;
  }
  if (isEmpty(W.Ar, O->L.Sizes) == Truth::Yes ||
      (Is.unknown() ? W.Degenerate : hasNoElements(Ctx, W, S)))
    return true; // no elements, no harm
  if (isSilenced(Ctx, S, Silence::TestedOne, mustBeOne(W, Is.UnlessOne))) {
    ++Site.Ok;
    return true;
  }
  if (Is.unknown() || isVouchedFor(Ctx, W, S, *O)) {
    ++Site.Unknown;
    // It aborts otherwise: from here on the tensor is contiguous.
    if (P == Packing::Contiguous && Where.empty())
      assumeContiguous(Ctx, W, operand(W, S, Name).T, MemoryFormat::Contiguous,
                       true, S.point());
    return true;
  }
  ++Site.Failed;
  if (Site.Failures.size() >= 4)
    return false;
  LayoutFailure V;
  V.R = Rule::ViewStrides;
  const Arg *A = findArg(S, Name);
  const Stmt *D = A ? Ctx.Flow.DefOf[A->Value] : nullptr;
  V.Name = D && D->O == Op::Load ? called(Ctx, D->Var, D->Context) : "";
  V.Why.K = Refusal::NotPacked;
  V.Why.E = Where == "cpu"     ? Refusal::AbortsOnCpu
            : Where == "wrong" ? Refusal::ReadsOthersOnCpu
                               : Refusal::Aborts;
  V.Why.Call = callText(Ctx, S, W);
  V.Why.Packing = P;
  V.Why.Left = ggmlText(W, O->L, false);
  V.Why.Right = ggmlText(W, O->L, true);
  V.OnBackend = !Where.empty();
  V.Unless =
      excepted(W, exceptions(W.Ar, Is.UnlessOne, [&](const Symbolic &Ar) {
                 return ggml::isPacked(Ar, O->L, P);
               }));
  V.Copies = W.Ar.str(numel(W.Ar, O->L.Sizes));
  V.Prov = O->Prov;
  V.Proofs = proofs(Ctx, W, O->L.Strides);
  V.Taken = path(W);
  // ggml_reshape_2d(): ggml_cont_2d() takes the same sizes.
  if (const unsigned Dims = IsReshape ? givenSizes(S) : 0)
    V.Instead = "ggml_cont_" + std::to_string(Dims) + "d";
  Site.Failures.push_back(std::move(V));
  return false;
}

void ggmlReads(const Context &Ctx, State &W, const Stmt &S) {
  if (opClass(S.O) == OpClass::Query || S.O == Op::GgmlReshape ||
      S.O == Op::GgmlView || S.O == Op::GgmlPermute || S.O == Op::GgmlAlias)
    return;
  for (const Arg &A : S.Args)
    if (const Object *O = tensor(W, value(W, A.Value)); O && O->Ggml) {
      if (S.keepsElement())
        Ctx.Facts.Named.insert(O->Storage);
      else
        Ctx.Facts.Readers[O->Storage].insert(&S);
    }
}

static void ggmlResult(const Context &Ctx, State &W, const Stmt &S,
                       const Object *Of, SymLayout L);

static void ggmlCont(const Context &Ctx, State &W, const Stmt &S, Object &O,
                     const SymDims &Ne) {
  ContiguousSite &Site = Ctx.Facts.Contiguous[&S];
  Site.Ggml = true;
  auto Is = ggml::isPacked(W.Ar, O.L, Packing::Contiguous);
  if (isVouchedFor(Ctx, W, S, O)) {
    ++Site.Unknown;
  } else if (Is.yes() && (!O.Own || O.Part)) {
    ++Site.Other; // memory that others may write; rows to keep without the rest
  } else if (Is.yes()) {
    ++Site.Redundant;
    Site.Storages.insert(O.Storage);
    Site.View = Site.View || !O.Prov || !O.Prov->Fresh;
    // Dimensions of size 1 in another order: some operations mind.
    const auto Plain = ggml::packed(W.Ar, ggml::sizes(W.Ar, O.L));
    for (size_t D = 0; D < ggml::Rank; ++D)
      Site.Moved =
          Site.Moved || !W.Ar.eq(O.L.Strides[D], Plain.Strides[D]).yes();
    if (!Site.Prov) {
      Site.Prov = O.Prov;
      Site.Name = nameAt(Ctx, S, O);
      const Arg *A = findArg(S, "self");
      if (const Stmt *D = A ? Ctx.Flow.DefOf[A->Value] : nullptr;
          D && D->O == Op::Load)
        Site.Name = called(Ctx, D->Var, D->Context);
      Site.Format = callText(Ctx, S, W);
      Site.Copies = W.Ar.str(numel(W.Ar, O.L.Sizes));
    }
  } else {
    ++(Is.no() || O.NotContiguous ? Site.Other : Site.Unknown);
  }
  if (!Ne.empty())
    ggmlCount(Ctx, W, S, O, Ne);
  ggmlResult(Ctx, W, S, &O,
             ggml::packed(W.Ar, Ne.empty() ? ggml::sizes(W.Ar, O.L) : Ne));
}

/// A node with memory of its own.
static void ggmlResult(const Context &Ctx, State &W, const Stmt &S,
                       const Object *Of, SymLayout L) {
  Object O;
  O.Prov = provenance(Ctx, W, S, Of, true);
  Value Type = operand(W, S, "type");
  if (Type.K == Value::Symbol && !Type.Text.empty())
    O.DType = Type.Text;
  else if (Of && !findArg(S, "type"))
    O.DType = Of->DType;
  else
    O.DType = "%type" + std::to_string(S.Result);
  O.HasLayout = O.Ggml = O.Own = true;
  O.L = std::move(L);
  O.Holds = storageSpan(W.Ar, O.L);
  result(Ctx, W, S, std::move(O));
}

/// A node that shares the memory of \p Of.
static void ggmlView(const Context &Ctx, State &W, const Stmt &S,
                     const Object &Of, SymLayout L, bool Part = false) {
  Object O;
  O.Prov = provenance(Ctx, W, S, &Of, false);
  O.Storage = Of.Storage;
  O.Holds = Of.Holds;
  O.DType = Of.DType;
  O.Own = Of.Own;
  O.Part = Of.Part || Part;
  O.HasLayout = O.Ggml = true;
  O.L = std::move(L);
  result(Ctx, W, S, std::move(O));
}

/// Packed, of four sizes nobody knows.
static SymLayout ggmlUnknown(const Context &Ctx, State &W, const Stmt &S) {
  SymDims Ne;
  for (unsigned I = 0; I < ggml::Rank; ++I)
    Ne.push_back(valueSymbol(Ctx, S, SymbolInfo::Size, "?", 200 + I));
  return ggml::packed(W.Ar, Ne);
}

static const SymExpr &ne(const Object &O, size_t Dim) {
  return O.L.Sizes[at(Dim)];
}

/// Another operand; the first may have moved.
static Object *other(const Context &Ctx, State &W, const Stmt &S, Object *&Self,
                     llvm::StringRef Name) {
  Object *O = ggmlArg(Ctx, W, S, Name);
  Self = tensorArg(Ctx, W, S, "self");
  return O;
}

static void packedResult(const Context &Ctx, State &W, const Stmt &S,
                         const Object *Self, const SymDims &Sizes) {
  ggmlResult(Ctx, W, S, Self, ggml::packed(W.Ar, Sizes));
}

/// A tensor of which nothing is known.
void ggmlAny(const Context &Ctx, State &W, const Stmt &S, const Object *Self) {
  ggmlResult(Ctx, W, S, Self, ggmlUnknown(Ctx, W, S));
}

/// What the operands of \p S must be like; its operand `self`, or null.
Object *ggmlOperands(const Context &Ctx, State &W, const Stmt &S) {
  for (const Arg &A : S.Args)
    if (llvm::StringRef Name = A.Name; Name.consume_front("needs_")) {
      const std::string All = value(W, A.Value).Text;
      llvm::StringRef Need, Rest = All;
      do
        std::tie(Need, Rest) = Rest.split("; ");
      while (ggmlNeeds(Ctx, W, S, Name, Need, false) && !Rest.empty());
    } else if (Name.consume_front("strides_")) {
      if (value(W, A.Value).Text == "any")
        ggmlMoved(Ctx, W, S, Name);
    } else if (Name == "needs")
      ggmlNeedsSizes(Ctx, W, S, value(W, A.Value).Text);

  return ggmlArg(Ctx, W, S, "self");
}

static void extentOf(TENSORTIDY_OPERANDS) {
  auto D = intArg(W, S, "dim");
  if (!Self || !D || *D < 0 || *D >= int64_t(ggml::Rank))
    return unknownInt(Ctx, W, S);
  const size_t I = at(static_cast<size_t>(*D));
  return setResult(W, S,
                   Value::integer(S.O == Op::GgmlNe ? Self->L.Sizes[I]
                                  : Self->L.Strides[I] == SymExpr(1)
                                      ? ggmlTypeSize(Ctx, Self->DType)
                                      : ggmlRowBytes(Ctx, W, Self->DType,
                                                     Self->L.Strides[I])));
}
TENSORTIDY_TRANSFER_AS(GgmlNe, extentOf)
TENSORTIDY_TRANSFER_AS(GgmlNb, extentOf)

TENSORTIDY_TRANSFER(GgmlBytes) {
  Value Type = operand(W, S, "type");
  auto N = exprArg(W, S, "n");
  if ((!Self && (Type.K != Value::Symbol || Type.Text.empty())) ||
      (findArg(S, "n") && !N))
    return unknownInt(Ctx, W, S);
  const std::string &Of = Self ? Self->DType : Type.Text;
  if (findArg(S, "block")) {
    const BlockSize B = blockSize(Of);
    return B.Bytes ? setResult(W, S, Value::integer(SymExpr(B.Elements)))
                   : unknownInt(Ctx, W, S);
  }
  return setResult(
      W, S,
      Value::integer(N ? ggmlRowBytes(Ctx, W, Of, *N) : ggmlTypeSize(Ctx, Of)));
}

TENSORTIDY_TRANSFER(GgmlRows) {
  if (!Self)
    return unknownInt(Ctx, W, S);
  return setResult(W, S,
                   Value::integer(W.Ar.mul(
                       ne(*Self, 1), W.Ar.mul(ne(*Self, 2), ne(*Self, 3)))));
}

TENSORTIDY_TRANSFER(GgmlNbytes) {
  if (!Self || !isContiguous(W.Ar, Self->L).yes())
    return unknownInt(Ctx, W, S);
  return setResult(W, S,
                   Value::integer(ggmlRowBytes(Ctx, W, Self->DType,
                                               numel(W.Ar, Self->L.Sizes))));
}

TENSORTIDY_TRANSFER(GgmlOnes) {
  std::vector<Value> Sizes, Ones;
  if (const auto From = intArg(W, S, "from"); Self && From && *From >= 0)
    for (auto D = static_cast<size_t>(*From); D < ggml::Rank; ++D) {
      Sizes.push_back(Value::integer(ne(*Self, D)));
      Ones.push_back(Value::integer(1));
    }
  return setResult(
      W, S,
      Value::condition(Sizes.empty() ? atom("v" + std::to_string(S.Result), "")
                                     : equality(Value::list(std::move(Sizes)),
                                                Value::list(std::move(Ones)))));
}

TENSORTIDY_TRANSFER(GgmlNew) {
  const SymDims New = ggmlSizes(Ctx, W, S);
  if (New.empty() && findArg(S, "ne"))
    return ggmlResult(Ctx, W, S, nullptr, ggmlUnknown(Ctx, W, S));
  return packedResult(Ctx, W, S, Self, New);
}

TENSORTIDY_TRANSFER(GgmlDense) {
  return ggmlResult(Ctx, W, S, Self, ggmlUnknown(Ctx, W, S));
}

TENSORTIDY_TRANSFER(GgmlReshape) {
  SymDims New;
  if (Object *Shape = other(Ctx, W, S, Self, "shape"))
    New = ggml::sizes(W.Ar, Shape->L);
  else
    New = ggmlSizes(Ctx, W, S);
  ggmlNeeds(Ctx, W, S, "self", "contiguous", true);
  Self = tensorArg(Ctx, W, S, "self");
  if (New.empty())
    return ggmlView(Ctx, W, S, *Self, ggmlUnknown(Ctx, W, S));
  ggmlCount(Ctx, W, S, *Self, New);
  noteMovedAxis(Ctx, W, S, ggml::sizes(W.Ar, Self->L), New,
                /*InnerFirst=*/true);
  SymLayout L = ggml::packed(W.Ar, New);
  L.Offset = Self->L.Offset;
  return ggmlView(Ctx, W, S, *Self, std::move(L));
}

TENSORTIDY_TRANSFER(GgmlView) {
  SymDims New = ggmlSizes(Ctx, W, S);
  if (!New.empty())
    New[0] = ggmlCounted(Ctx, W, Self->DType, New[0]);
  auto InElements = [&](llvm::StringRef Name, unsigned Part) {
    auto Bytes = exprArg(W, S, Name);
    auto N = Bytes ? ggmlElements(Ctx, W, Self->DType, *Bytes) : std::nullopt;
    return N ? *N : valueSymbol(Ctx, S, SymbolInfo::Stride, "?", Part);
  };
  SymDims Nb;
  for (unsigned I = 1; I < New.size(); ++I)
    Nb.push_back(InElements("nb" + std::to_string(I), 204 + I));
  const SymExpr Offset = InElements("offset", 208);
  SymLayout L = ggml::view(W.Ar, Self->L, New, Nb, Offset);
  ggmlBytesOfView(Ctx, W, S, *Self, New, Offset, L);
  provesRows(Ctx, W, S, *Self, L, Offset);
  const bool All =
      W.Ar.eq(numel(W.Ar, L.Sizes), numel(W.Ar, Self->L.Sizes)).yes();
  return ggmlView(Ctx, W, S, *Self, std::move(L), !All);
}

TENSORTIDY_TRANSFER(GgmlPermute) {
  std::vector<int64_t> Axis;
  bool Written = true; // not computed by a loop, of which little is known
  for (const char *Name : {"axis0", "axis1", "axis2", "axis3"})
    if (auto D = intArg(W, S, Name)) {
      Axis.push_back(*D);
      const Stmt *By = Ctx.Flow.DefOf[findArg(S, Name)->Value];
      Written = Written && By && By->O == Op::Const;
    }
  auto Out = ggml::permute(W.Ar, Self->L, Axis);
  if (Out.ok())
    return ggmlView(Ctx, W, S, *Self, *Out);
  if (Written && Axis.size() == ggml::Rank &&
      Out.error().R == Rule::PermuteRepeat) {
    Refusal Why;
    Why.K = Refusal::RepeatedAxis;
    Why.Left = W.Ar.str(Out.error().Values[0]);
    ggmlMisfit(Ctx, W, S, std::move(Why), SymExpr(0), SymExpr(1));
  }
  // Axes nobody knows: sizes and strides in some order.
  SymLayout L = ggmlUnknown(Ctx, W, S);
  for (unsigned D = 0; D < ggml::Rank; ++D)
    L.Strides[D] = valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 204 + D);
  return ggmlView(Ctx, W, S, *Self, std::move(L));
}

TENSORTIDY_TRANSFER(GgmlCont) {
  return ggmlCont(Ctx, W, S, *Self, ggmlSizes(Ctx, W, S));
}

TENSORTIDY_TRANSFER(GgmlLike) {
  SymDims New = ggml::sizes(W.Ar, Self->L);
  for (unsigned I = 0; I < ggml::Rank; ++I)
    if (const std::string Name = "ne" + std::to_string(I); findArg(S, Name)) {
      auto One = ggmlSize(Ctx, W, S, Name);
      New[I] = One ? *One : valueSymbol(Ctx, S, SymbolInfo::Size, "?", 200 + I);
    }
  Self = tensorArg(Ctx, W, S, "self");
  if (findArg(S, "halve"))
    New[0] = W.Ar.floorDiv(New[0], SymExpr(2));
  return packedResult(Ctx, W, S, Self, New);
}

TENSORTIDY_TRANSFER(GgmlInPlace) {
  writes(Ctx, W, S, "self");
  for (auto &Copied : Ctx.Facts.Contiguous) {
    if (Copied.second.Storages.count(Self->Storage))
      Copied.second.Rewritten = true;
    if (ObjId::of(Copied.first->Result) == Self->Storage)
      Copied.second.CopyWritten = true;
  }
  // Element by element, whatever the sizes: a reshape.
  if (findArg(S, "in_order"))
    if (const Object *From = other(Ctx, W, S, Self, "a"))
      noteMovedAxis(Ctx, W, S, ggml::sizes(W.Ar, From->L),
                    ggml::sizes(W.Ar, Self->L), /*InnerFirst=*/true);
  return ggmlView(Ctx, W, S, *Self, Self->L);
}

TENSORTIDY_TRANSFER(GgmlAlias) { return ggmlView(Ctx, W, S, *Self, Self->L); }

static void ggmlProduct(TENSORTIDY_OPERANDS) {
  Object *B = other(Ctx, W, S, Self, "b");
  if (!B)
    return ggmlAny(Ctx, W, S, Self);
  if (S.O == Op::GgmlMulMat)
    return packedResult(Ctx, W, S, Self,
                        {ne(*Self, 1), ne(*B, 1), ne(*B, 2), ne(*B, 3)});
  return packedResult(Ctx, W, S, Self,
                      {ne(*Self, 0), ne(*B, 0), ne(*B, 2), ne(*B, 3)});
}
TENSORTIDY_TRANSFER_AS(GgmlMulMat, ggmlProduct)
TENSORTIDY_TRANSFER_AS(GgmlOutProd, ggmlProduct)

TENSORTIDY_TRANSFER(GgmlMulMatId) {
  Object *B = other(Ctx, W, S, Self, "b");
  Object *Ids = B ? other(Ctx, W, S, Self, "ids") : nullptr;
  B = Ids ? tensorArg(Ctx, W, S, "b") : nullptr;
  if (!B)
    return ggmlAny(Ctx, W, S, Self);
  return packedResult(Ctx, W, S, Self, {ne(*Self, 1), ne(*Ids, 0), ne(*B, 2)});
}

TENSORTIDY_TRANSFER(GgmlGetRows) {
  Object *Ids = other(Ctx, W, S, Self, "b");
  if (!Ids)
    return ggmlAny(Ctx, W, S, Self);
  // Of integers these; all else becomes floats.
  const std::string Of = Self->DType;
  packedResult(Ctx, W, S, Self,
               {ne(*Self, 0), ne(*Ids, 0), ne(*Ids, 1), ne(*Ids, 2)});
  Object *O = W.Objects.edit(value(W, S.Result).T);
  if (O && (Of == "int32" || Of.empty()))
    O->DType = Of;
  else if (O && Of[0] == '%')
    O->DType = "%type" + std::to_string(S.Result);
}

TENSORTIDY_TRANSFER(GgmlConcat) {
  Object *B = other(Ctx, W, S, Self, "b");
  auto D = intArg(W, S, "dim");
  if (!B || !D || *D < 0 || *D >= int64_t(ggml::Rank))
    return ggmlAny(Ctx, W, S, Self);
  for (unsigned I = 0; I < ggml::Rank; ++I) {
    const std::string Dim = "[" + std::to_string(I) + "]";
    if (I != *D)
      ggmlNeedsSizes(Ctx, W, S, "self" + Dim + "=b" + Dim);
  }
  SymDims New = ggml::sizes(W.Ar, Self->L);
  SymExpr &Sum = New[static_cast<size_t>(*D)];
  Sum = W.Ar.asSize(W.Ar.add(Sum, B->L.Sizes[at(static_cast<size_t>(*D))]));
  return packedResult(Ctx, W, S, Self, New);
}

TENSORTIDY_TRANSFER(GgmlFlashAttn) {
  Object *V = other(Ctx, W, S, Self, "v");
  if (!V)
    return ggmlAny(Ctx, W, S, Self);
  // Already permuted: heads before positions.
  return packedResult(Ctx, W, S, Self,
                      {ne(*V, 0), ne(*Self, 2), ne(*Self, 1), ne(*Self, 3)});
}

TENSORTIDY_TRANSFER(GgmlTopK) {
  SymLayout L = ggml::packed(W.Ar, ggml::sizes(W.Ar, Self->L));
  auto K = sizesArg(Ctx, W, S, "k");
  const SymExpr Sorted = numel(W.Ar, L.Sizes);
  L.Sizes[at(0)] =
      K ? K->front() : valueSymbol(Ctx, S, SymbolInfo::Size, "?", 200);
  ggmlResult(Ctx, W, S, Self, std::move(L));
  if (Object *O = W.Objects.edit(value(W, S.Result).T))
    O->Holds = Sorted;
}

} // namespace tensortidy::analysis
