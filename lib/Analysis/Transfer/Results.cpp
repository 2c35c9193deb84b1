//===- Results.cpp - what a statement makes -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Evidence.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Sites.h"
#include "Layout/Contiguity.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

void setResult(State &W, const Stmt &S, Value V) {
  if (S.Result)
    W.Temps.assign(S.Result, std::move(V));
}

/// A number that nobody knows.
void unknownInt(const Context &Ctx, State &W, const Stmt &S) {
  setResult(W, S,
            Value::integer(valueSymbol(Ctx, S, SymbolInfo::Integer, "?")));
}

SymDims unknownStrides(const Context &Ctx, const Stmt &S, size_t Rank) {
  SymDims Strides;
  for (unsigned D = 0; D < Rank; ++D)
    Strides.push_back(valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 128 + D));
  return Strides;
}

/// The elements of view \p O, copied, as permute_copy() does. How they lie then
/// is operand `copied`.
static void takeCopy(const Context &Ctx, State &W, const Stmt &S, Object &O) {
  O.Storage = ObjId();
  O.Holds.reset();
  if (!O.HasLayout)
    return;
  const bool Packed = operand(W, S, "copied").Text == "packed";
  O.SegmentDense = Packed && O.Segment >= 0;
  if (Packed) {
    O.L = denseLayout(W.Ar, O.L.Sizes);
    return;
  }
  O.L.Strides = unknownStrides(Ctx, S, O.L.rank());
  O.L.Offset = SymExpr(0);
}

ObjId newObject(const Context &Ctx, State &W, const Stmt &S, Object O,
                unsigned Part) {
  if (findArg(S, "copied"))
    takeCopy(Ctx, W, S, O);
  const ObjId Id = ObjId::of(S.Result, Part);
  if (const Object *Before = W.Objects.find(Id)) {
    // Made by this statement in an earlier iteration, and still held.
    const Object Was = *Before;
    const ObjId Old{ObjId::Earlier, Part, S.Result};
    bool Held = false;
    auto Is = [&](const Value &V) { return V.K == Value::Tensor && V.T == Id; };
    W.Vars.change([&](VarId, const Value &V) { return Is(V); },
                  [&](Value &V) {
                    V.T = Old;
                    Held = true;
                  });
    if (Held)
      W.Objects.assign(Old, Was);
    std::vector<std::pair<VarId, Value>> Lists;
    W.Vars.forEach([&](VarId V, const Value &X) {
      if (X.K == Value::List && llvm::any_of(*X.Elems, Is))
        Lists.push_back({V, X});
    });
    // Each element of a list is one of its own then.
    for (auto &[V, X] : Lists) {
      std::vector<Value> E = *X.Elems;
      for (size_t I = 0; I < E.size(); ++I) {
        if (!Is(E[I]))
          continue;
        E[I].T = {ObjId::Element, 0,
                  Ctx.Ids.number({SymbolKey::HeldElement, NoId, V,
                                  static_cast<uint32_t>(I)})};
        if (W.Objects.find(E[I].T))
          E[I] = Value(); // that of another place, which moved
        else
          W.Objects.assign(E[I].T, Was);
      }
      W.Vars.set(V, Value::list(std::move(E)));
    }
  }
  if (!O.Storage)
    O.Storage = Id;
  noteShape(Ctx, W, O);
  W.Objects.assign(Id, std::move(O));
  return Id;
}

void result(const Context &Ctx, State &W, const Stmt &S, Object O) {
  if (!S.Result)
    return;
  ObjId Id = newObject(Ctx, W, S, std::move(O));
  setResult(W, S, Value::tensor(Id));
}

ProvRef provenance(const Context &Ctx, State &W, const Stmt &S,
                   const Object *Of, bool Fresh) {
  auto P = std::make_shared<Provenance>();
  P->Where = S.point();
  P->What = callText(Ctx, S, W);
  P->O = S.O;
  P->Fresh = Fresh || findArg(S, "copied");
  if (Of) {
    P->Of = appearance(Ctx, W, *Of);
    P->Parent = Of->Prov;
    P->FromContiguous = Of->HasLayout && isContiguous(W.Ar, Of->L).yes() &&
                        (Of->Segment < 0 || Of->SegmentDense);
  }
  return P;
}

/// What \p S gives: sizes and strides of any number.
static Object unknownOf(const Context &Ctx, const Stmt &S) {
  const SymbolKey Key{SymbolKey::UnknownResult, NoId, S.Result};
  Object O = denseUnknown(Ctx, Key);
  O.SegmentDense = false;
  O.L.Strides[0] = Ctx.Ids.symbol(Key.part(1), SymbolInfo::Stride, "?");
  O.L.Offset = Ctx.Ids.symbol(Key.part(2), SymbolInfo::Stride, "?");
  for (const SymExpr &E : {O.L.Sizes[0], O.L.Strides[0], O.L.Offset})
    Ctx.Table[*E.asSymbol()].Owner = Ctx.F.Blocks[Ctx.Block].InLoop;
  return O;
}

void resultUnknown(const Context &Ctx, State &W, const Stmt &S, bool Fresh,
                   const Object *Of) {
  Object O = unknownOf(Ctx, S);
  O.Prov = provenance(Ctx, W, S, Of, Fresh);
  if (!Fresh && Of)
    O.Storage = Of->Storage;
  result(Ctx, W, S, std::move(O));
}

SymExpr countOf(const Context &Ctx, State &W, const Stmt &S,
                const SymExpr &Product, unsigned Part) {
  const SymExpr N = W.Ar.norm(Product);
  if (llvm::all_of(N.terms(), [](const auto &T) { return T.C == 1; }))
    return Product;
  return valueSymbol(Ctx, S, SymbolInfo::Size, "...", Part);
}

/// \p O is a view of \p Of, changed in dimensions that were counted from one
/// end. They may be those which are known from the other end too; the segment
/// takes these in:
///   [a, b, ..., 3].narrow(1, 0, 2)  ->  [a, 2, ...]   b may have been the 3
static void forgetOtherEnd(const Context &Ctx, State &W, const Stmt &S,
                           Object &O, const Object &Of) {
  if (O.Segment < 0 || Of.Segment < 0 || Of.isApart())
    return;
  const auto Least = static_cast<int>(Of.leastRank());
  const int Front = O.Segment, Back = static_cast<int>(O.L.rank()) - 1 - Front;
  const int OldFront = Of.Segment,
            OldBack = static_cast<int>(Of.L.rank()) - 1 - OldFront;
  auto Same = [&](int New, int Old) {
    const auto N = static_cast<size_t>(New), P = static_cast<size_t>(Old);
    return O.L.Sizes[N] == Of.L.Sizes[P] && O.L.Strides[N] == Of.L.Strides[P];
  };
  // Those next to the segment that it left alone, and how many it may not have.
  int Kept = 0;
  while (Kept < std::min(Front, OldFront) &&
         Same(Front - 1 - Kept, OldFront - 1 - Kept))
    ++Kept;
  const int FromFront =
      Front == OldFront && Kept == Front ? 0 : OldFront - Kept;
  Kept = 0;
  while (Kept < std::min(Back, OldBack) &&
         Same(Front + 1 + Kept, OldFront + 1 + Kept))
    ++Kept;
  const int FromBack = Back == OldBack && Kept == Back ? 0 : OldBack - Kept;
  const int KeepBack = FromFront ? std::max(0, Least - FromFront) : Back;
  const int KeepFront = FromBack ? std::max(0, Least - FromBack) : Front;
  if (KeepBack >= Back && KeepFront >= Front)
    return;
  const int First = std::min(KeepFront, Front),
            Last = Front + 1 + Back - std::min(KeepBack, Back);
  auto Sizes = llvm::MutableArrayRef(O.L.Sizes).slice(First, Last - First);
  auto Strides = llvm::MutableArrayRef(O.L.Strides).slice(First, Last - First);
  for (size_t D = Sizes.size() - 1; D > 0; --D) {
    O.SegmentDense =
        O.SegmentDense &&
        W.Ar.eq(Strides[D - 1], W.Ar.mul(Sizes[D], Strides[D])).yes();
    Sizes[D - 1] = W.Ar.mul(Sizes[D - 1], Sizes[D]);
  }
  Sizes[0] = countOf(Ctx, W, S, Sizes[0], 193);
  Strides[0] = O.SegmentDense
                   ? Strides.back()
                   : valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 192);
  for (SymDims *Dims : {&O.L.Sizes, &O.L.Strides})
    Dims->erase(Dims->begin() + First + 1, Dims->begin() + Last);
  O.Segment = First;
  O.Merged = true;
}

/// The lengths of what was taken of a tensor are sizes, too.
static void haveElements(State &W, const SymLayout &L) {
  for (const SymExpr &Size : L.Sizes)
    W.Ar.assumeSize(Size);
}

void resultView(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                LayoutOutcome<Symbolic> Out, int Segment) {
  site(Ctx, W, S, {&Of}, Out);
  ProvRef P = provenance(Ctx, W, S, &Of, false);
  // Whether squeeze(0) drops a dimension: what comes later may show it.
  Object O = Out.isUnknown() && S.Result ? unknownOf(Ctx, S) : Object();
  O.Storage = Of.Storage;
  O.Holds = Of.Holds;
  O.DType = Of.DType;
  O.Prov = std::move(P);
  if (Out.ok()) {
    O.HasLayout = true;
    O.L = std::move(*Out);
    haveElements(W, O.L);
    O.Segment = Segment;
    O.SegmentDense = Of.SegmentDense;
    O.Resized = Of.Resized;
    O.rankFrom(Of);
    forgetOtherEnd(Ctx, W, S, O, Of);
  }
  result(Ctx, W, S, std::move(O));
}

void resultFresh(const Context &Ctx, State &W, const Stmt &S, const Object *Of,
                 LayoutOutcome<Symbolic> Out, int Segment) {
  Object O;
  O.Prov = provenance(Ctx, W, S, Of, true);
  if (Of)
    O.DType = Of->DType;
  if (Out.ok()) {
    O.HasLayout = true;
    O.L = std::move(*Out);
    O.Segment = Segment;
    O.SegmentDense = Segment >= 0;
    if (Of)
      O.rankFrom(*Of);
    if (Segment < 0)
      O.Holds = storageSpan(W.Ar, O.L);
  }
  result(Ctx, W, S, std::move(O));
}

void resultDense(const Context &Ctx, State &W, const Stmt &S,
                 std::optional<SymDims> Sizes, const Object *Of) {
  if (Sizes) {
    resultFresh(Ctx, W, S, Of,
                LayoutOutcome<Symbolic>(denseLayout(W.Ar, *Sizes)));
    return;
  }
  ProvRef P = provenance(Ctx, W, S, Of, true);
  Object O = denseUnknown(Ctx, {SymbolKey::DenseResult, NoId, S.Result});
  Ctx.Table[*O.L.Sizes[0].asSymbol()].Owner = Ctx.F.Blocks[Ctx.Block].InLoop;
  O.Prov = std::move(P);
  result(Ctx, W, S, std::move(O));
}

void resultSizes(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                 SymDims Sizes) {
  Object O;
  O.HasLayout = true;
  O.Segment = Of.Segment;
  O.DType = Of.DType;
  O.Prov = provenance(Ctx, W, S, &Of, true);
  O.L.Strides = unknownStrides(Ctx, S, Sizes.size());
  O.L.Sizes = std::move(Sizes);
  O.rankFrom(Of);
  result(Ctx, W, S, std::move(O));
}

void resultTail(const Context &Ctx, State &W, const Stmt &S, const Object *Of,
                SymDims Tail, bool Dense, unsigned AtLeast, int Front) {
  const SymbolKey Key{SymbolKey::TailResult, NoId, S.Result};
  Object O;
  O.HasLayout = true;
  O.Segment = Front;
  O.SegmentDense = Dense;
  O.AtLeast = std::max(AtLeast, static_cast<unsigned>(Tail.size()));
  const SymExpr Rest = Ctx.Ids.symbol(Key.part(0), SymbolInfo::Size, "...");
  Ctx.Table[*Rest.asSymbol()].Owner = Ctx.F.Blocks[Ctx.Block].InLoop;
  Ctx.Table[*Rest.asSymbol()].Rest = true;
  Tail.insert(Tail.begin() + O.Segment, Rest);
  if (Dense) {
    O.L = denseLayout(W.Ar, Tail);
  } else {
    O.L.Strides = unknownStrides(Ctx, S, Tail.size());
    O.L.Sizes = std::move(Tail);
    O.L.Offset = SymExpr(0);
  }
  O.Prov = provenance(Ctx, W, S, Of, true);
  if (Of)
    O.DType = Of->DType;
  result(Ctx, W, S, std::move(O));
}

void resultList(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                Outcome<Symbolic, std::vector<SymLayout>> Out) {
  site(Ctx, W, S, {&Of}, Out);
  if (!S.Result || !Out.ok())
    return setResult(W, S, Value());
  ProvRef P = provenance(Ctx, W, S, &Of, false);
  std::vector<Value> Elems;
  unsigned Part = 1;
  for (SymLayout &L : *Out) {
    Object O;
    O.HasLayout = true;
    O.L = std::move(L);
    haveElements(W, O.L);
    O.Segment = Of.Segment;
    O.SegmentDense = Of.SegmentDense;
    O.rankFrom(Of);
    forgetOtherEnd(Ctx, W, S, O, Of);
    O.Storage = Of.Storage;
    O.Holds = Of.Holds;
    O.DType = Of.DType;
    O.Prov = P;
    Elems.push_back(Value::tensor(newObject(Ctx, W, S, std::move(O), Part++)));
  }
  setResult(W, S, Value::list(std::move(Elems)));
}

} // namespace tensortidy::analysis
