//===- Join.cpp - what two paths have in common
//---------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Domain/Join.h"
#include "Analysis/Domain/Names.h"
#include "Layout/Contiguity.h"
#include "Layout/Ggml.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

std::string ggmlName(const std::string &Tensor, const char *Field, size_t Dim) {
  return Tensor.empty() || Tensor == "?"
             ? "?"
             : Tensor + "->" + Field + "[" + std::to_string(ggml::at(Dim)) +
                   "]";
}

/// The symbols in what \p A knows and \p B does not.
static std::set<SymbolId> knownOnlyIn(const Symbolic &A, const Symbolic &B) {
  std::set<SymbolId> Symbols;
  for (const auto &[S, Is] : A.facts()) {
    auto Other = B.facts().find(S);
    if (Other != B.facts().end() && Other->second == Is)
      continue;
    Symbols.insert(S);
    for (const auto &T : Is.terms())
      Symbols.insert(T.M.S, T.M.S + T.M.Count);
  }
  return Symbols;
}

/// What holds in both, and where they answered one question differently, what
/// else either knows:
///   {a} or {not a, b}   ->   not a says b
static void implications(State &Into, const State &From) {
  constexpr size_t Most = 8;
  std::vector<State::Implication> All;
  auto Add = [&](const State::Implication &I) {
    if (All.size() < Most && Into.implies(I) && From.implies(I) &&
        !llvm::is_contained(All, I))
      All.push_back(I);
  };
  for (const State::Implication &I : Into.Implied)
    Add(I);
  for (const State::Implication &I : From.Implied)
    Add(I);
  auto Learn = [&](const State &W, const State &Other, const std::string &Key,
                   bool Is) {
    for (const auto &A : W.Assumed)
      if (A.first != Key && !Other.answers(A.first, A.second.first))
        Add({Key, Is, A.first, A.second.first});
  };
  for (const auto &A : Into.Assumed) {
    const std::string &Key = A.first;
    const bool Is = A.second.first;
    if (!From.answers(Key, !Is))
      continue;
    Learn(From, Into, Key, !Is);
    Learn(Into, From, Key, Is);
  }
  Into.Implied = std::move(All);
}

void Joiner::weaken(State &Into, const State &From) {
  // All fields; the values are joined elsewhere, and RankOf says the same in
  // each state that has the object.
  [[maybe_unused]] const auto &[Vars, Temps, Objects, Ar, Assumed, Implied,
                                Ranges, Initial, Repeats, First, PathDependent,
                                Degenerate, SameUnknownRanks, RankOf] = From;
  implications(Into, From);
  Into.Degenerate = Into.Degenerate && From.Degenerate;
  Into.SameUnknownRanks = Into.SameUnknownRanks || From.SameUnknownRanks;
  llvm::erase_if(Into.Repeats, [&](LoopId L) {
    return !llvm::is_contained(From.Repeats, L);
  });
  llvm::erase_if(Into.First,
                 [&](LoopId L) { return !llvm::is_contained(From.First, L); });
  Into.Assumed.eraseIf([&](const auto &A) {
    auto Other = From.Assumed.find(A.first);
    return Other == From.Assumed.end() || Other->second.first != A.second.first;
  });
  for (auto It = Into.Ranges.begin(); It != Into.Ranges.end();) {
    auto Other = From.Ranges.find(It->first);
    if (Other == From.Ranges.end()) {
      It = Into.Ranges.erase(It);
      continue;
    }
    State::Range &R = It->second;
    const State::Range &O = Other->second;
    R.Least = R.Least && O.Least ? std::min(R.Least, O.Least) : std::nullopt;
    R.Most = R.Most && O.Most ? std::max(R.Most, O.Most) : std::nullopt;
    ++It;
  }
  for (auto It = Into.Initial.begin(); It != Into.Initial.end();) {
    auto Other = From.Initial.find(It->first);
    bool Same = Other != From.Initial.end() && Other->second == It->second;
    It = Same ? std::next(It) : Into.Initial.erase(It);
  }
  Into.PathDependent.insert(From.PathDependent.begin(),
                            From.PathDependent.end());
  const auto OnlyInto = knownOnlyIn(Into.Ar, From.Ar),
             OnlyFrom = knownOnlyIn(From.Ar, Into.Ar);
  std::set_intersection(
      OnlyInto.begin(), OnlyInto.end(), OnlyFrom.begin(), OnlyFrom.end(),
      std::inserter(Into.PathDependent, Into.PathDependent.end()));
  std::vector<SymbolId> Gone;
  for (const auto &Fact : Into.Ar.facts()) {
    auto Other = From.Ar.facts().find(Fact.first);
    if (Other == From.Ar.facts().end() || Other->second != Fact.second)
      Gone.push_back(Fact.first);
  }
  for (SymbolId S : Gone)
    Into.Ar.dropFact(S);
  const auto Served = Into.Ar.served();
  for (const auto &[S, As] : Served) {
    auto Other = From.Ar.served().find(S);
    Into.Ar.forgetUse(S, Other == From.Ar.served().end()
                             ? std::nullopt
                             : std::optional(Other->second));
  }
  Into.Ar.eraseFloors([&](SymbolId S, const SymExpr &E) {
    auto Other = From.Ar.floors().find(S);
    return Other == From.Ar.floors().end() ||
           !llvm::is_contained(Other->second, E);
  });
}

bool Joiner::sameButLists(const State &A, const State &B) {
  if (!(A.Temps == B.Temps))
    return false;
  bool Same = true;
  llvm::SmallVector<ObjId, 4> Each;
  Variables::difference(
      A.Vars, B.Vars, [&](VarId, const Value *X, const Value *Y) {
        if (X && Y && *X == *Y)
          return;
        const bool Grows = X && Y && X->isList() && Y->isList() &&
                           (X->K == Value::Each || Y->K == Value::Each);
        Same = Same && Grows;
        if (Grows)
          Each.append({X->T, Y->T});
      });
  Same = Same && !Each.empty();
  SharedMap<ObjId, Object>::difference(
      A.Objects, B.Objects, [&](ObjId Id, const Object *X, const Object *Y) {
        Same = Same && (!X || !Y || *X == *Y || llvm::is_contained(Each, Id));
      });
  return Same;
}

/// What \p X is in \p A and \p Y in \p B, if that is one number. Of one by two
/// names it is the number itself: what either name stood for may be forgotten.
static std::optional<SymExpr> agreed(const State &A, const SymExpr &X,
                                     const State &B, const SymExpr &Y) {
  if (X == Y)
    return X;
  SymExpr Both = A.Ar.norm(X);
  if (Both != B.Ar.norm(Y))
    return std::nullopt;
  return Both;
}

Object Joiner::joinObject(const State &WA, const State &WB, const Object &X,
                          const Object &Y, BlockId At, uint32_t Number) {
  if (X == Y)
    return X;
  // All fields: what is not named below is as it is in X.
  Object J = X;
  [[maybe_unused]] const auto &[HasLayout, L, Segment, SegmentDense, AtLeast,
                                AtMost, Merged, RootKey, Over, Root, Listed,
                                NotContiguous, Resized, Ggml, Own, Part,
                                Storage, Holds, Called, DType, Device, Placed,
                                Prov] = Y;
  const bool SameCall = X.Prov && Y.Prov && X.Prov->O == Y.Prov->O &&
                        X.Prov->Where.Begin == Y.Prov->Where.Begin &&
                        X.Prov->What == Y.Prov->What &&
                        X.Prov->Of == Y.Prov->Of;
  if (X.Prov != Y.Prov && !SameCall)
    J.Prov = nullptr;
  if (X.DType != Y.DType)
    J.DType.clear();
  if (X.Device != Y.Device)
    J.Device.clear();
  if (X.Storage != Y.Storage)
    J.Storage = {ObjId::JoinedStorage, 0, Number};
  if (X.Holds && Y.Holds)
    J.Holds = agreed(WA, *X.Holds, WB, *Y.Holds);
  else
    J.Holds = std::nullopt;
  J.NotContiguous = X.NotContiguous && Y.NotContiguous;
  J.Resized = X.Resized || Y.Resized;
  J.Root = X.Root && Y.Root;
  J.Listed = X.Listed || Y.Listed;
  J.AtLeast = std::min(X.AtLeast, Y.AtLeast);
  const unsigned MostX = X.mostRank(), MostY = Y.mostRank();
  const bool SameRank =
      X.Segment < 0 && Y.Segment < 0 && X.L.rank() == Y.L.rank();
  if (!SameRank)
    J.AtMost = MostX && MostY ? std::max(MostX, MostY) : 0;
  J.Merged = X.Merged || Y.Merged;
  if (X.Key != Y.Key || X.Over != Y.Over)
    J.Key = {};
  J.Own = X.Own && Y.Own;
  J.Part = X.Part || Y.Part;
  bool Dense = X.HasLayout && Y.HasLayout && isContiguous(WA.Ar, X.L).yes() &&
               isContiguous(WB.Ar, Y.L).yes() &&
               (X.Segment < 0 || X.SegmentDense) &&
               (Y.Segment < 0 || Y.SegmentDense);
  const SymbolKey Key{SymbolKey::JoinedLayout, At, Number};
  // What is empty in one of them leaves no sizes to rely on.
  auto MayBeEmpty = [](const State &W, const Object &O) {
    return O.HasLayout && llvm::any_of(O.L.Sizes, [&](const SymExpr &E) {
             const SymExpr Size = W.Ar.norm(E);
             return Size.isZero() ||
                    llvm::any_of(Size.terms(), [&](const auto &T) {
                      return T.M.Count == 1 &&
                             W.Ar.kind(T.M.S[0]) == SymbolInfo::Integer;
                    });
           });
  };
  auto JoinedSize = [&](unsigned Dim, const std::string &Name) {
    SymExpr E = Ids.joined(Key.part(Dim), SymbolInfo::Size, Name);
    if (MayBeEmpty(WA, X) || MayBeEmpty(WB, Y))
      Table[*E.asSymbol()].K = SymbolInfo::Integer;
    return E;
  };
  if (!X.HasLayout || !Y.HasLayout || X.L.rank() != Y.L.rank() ||
      X.Segment != Y.Segment) {
    J.HasLayout = true;
    J.Ggml = false; // until its dimensions are asked for
    J.Segment = 0;
    J.SegmentDense = Dense;
    J.L.Sizes = SymDims(1, JoinedSize(0, "?"));
    J.L.Strides =
        SymDims(1, Dense ? SymExpr(1)
                         : Ids.joined(Key.part(1), SymbolInfo::Stride, "?"));
    J.L.Offset = Ids.joined(Key.part(2), SymbolInfo::Stride, "?");
    return J;
  }
  auto One = [&](SymExpr &Into, const SymExpr &Other, unsigned Dim,
                 const std::string &Name) {
    auto Both = agreed(WA, Into, WB, Other);
    Into = Both ? *Both : Ids.joined(Key.part(Dim), SymbolInfo::Stride, Name);
  };
  auto Name = [&](const char *Plain, const char *Field, size_t D) {
    return J.Ggml ? ggmlName(J.Name, Field, D)
                  : (J.Name.empty() ? "?" : J.Name) + Plain + "(" +
                        std::to_string(D) + ")";
  };
  for (size_t D = 0; D < X.L.rank(); ++D) {
    auto Both = agreed(WA, X.L.Sizes[D], WB, Y.L.Sizes[D]);
    J.L.Sizes[D] = Both ? *Both
                        : JoinedSize(static_cast<unsigned>(8 + 2 * D),
                                     Name(".size", "ne", D));
  }
  if (Dense) {
    J.L.Strides = denseStrides(WA.Ar, J.L.Sizes);
    J.SegmentDense = true;
  } else {
    for (size_t D = 0; D < X.L.rank(); ++D)
      One(J.L.Strides[D], Y.L.Strides[D], static_cast<unsigned>(9 + 2 * D),
          Name(".stride", "nb", D));
    J.SegmentDense = X.SegmentDense && Y.SegmentDense;
  }
  One(J.L.Offset, Y.L.Offset, 3, "?");
  return J;
}

Value Joiner::joinImages(const State &A, const State &B, const Image &X,
                         const Image &Y, BlockId At, const SymbolKey &Slot) {
  if (X.Pitch.has_value() != Y.Pitch.has_value())
    return Value();
  // All fields.
  const auto &[Rows, Columns, Channels, Pitch, Type, Prov, Padded] = Y;
  uint32_t Part = 0;
  auto One = [&](const std::optional<SymExpr> &X,
                 const std::optional<SymExpr> &Y) -> std::optional<SymExpr> {
    const SymbolKey Key{SymbolKey::ElementSlot, At, Ids.number(Slot), Part++};
    if (!X || !Y)
      return std::nullopt;
    if (auto Both = agreed(A, *X, B, *Y))
      return Both;
    return Ids.joined({SymbolKey::JoinedNumber, At, Ids.number(Key)},
                      SymbolInfo::Integer, "?");
  };
  Image Both;
  Both.Rows = One(X.Rows, Rows);
  Both.Columns = One(X.Columns, Columns);
  Both.Channels = One(X.Channels, Channels);
  Both.Pitch = One(X.Pitch, Pitch);
  Both.Type = X.Type == Type ? Type : "";
  Both.Prov = X.Prov == Prov ? Prov : nullptr;
  Both.Padded = X.Padded == Padded ? Padded : Image::Unknown;
  return Value::image(std::move(Both));
}

Value Joiner::joinLists(State &Out, const State &A, const State &B,
                        const Value &X, const Value &Y, BlockId At,
                        const SymbolKey &Slot) {
  if (X.K == Value::List && Y.K == Value::List &&
      X.Elems->size() == Y.Elems->size()) {
    std::vector<Value> E;
    for (uint32_t I = 0; I < X.Elems->size(); ++I)
      E.push_back(joinValue(Out, A, B, (*X.Elems)[I], (*Y.Elems)[I], At,
                            {SymbolKey::ElementSlot, At, Ids.number(Slot), I}));
    return Value::list(std::move(E));
  }
  const uint32_t Number =
      Ids.number({SymbolKey::AllElements, At, Ids.number(Slot)});
  std::optional<Object> All;
  const State *Of = nullptr;
  auto Add = [&](const State &W, const Value &V) {
    if (V.K == Value::None || (V.K == Value::Each && !V.T))
      return true; // undefined: whoever reads it throws
    const Object *O = V.K == Value::Tensor || V.K == Value::Each
                          ? W.Objects.find(V.T)
                          : nullptr;
    if (!O)
      return false;
    All = All ? joinObject(*Of, W, *All, *O, At, Number) : *O;
    Of = &W;
    return true;
  };
  auto AddAll = [&](const State &W, const Value &L) {
    return L.K == Value::Each ? Add(W, L)
                              : llvm::all_of(*L.Elems, [&](const Value &E) {
                                  return Add(W, E);
                                });
  };
  if (!AddAll(A, X) || !AddAll(B, Y) || (All && All->Ggml))
    return Value();
  if (!All)
    return Value::each();
  All->Listed = true;
  // The tensors themselves are in a list now, too.
  for (const Value *L : {&X, &Y})
    if (L->K == Value::List)
      for (const Value &E : *L->Elems)
        if (Object *O = Out.Objects.edit(E.T))
          O->Listed = true;
  const ObjId Id{ObjId::Joined, 0, Number};
  Out.Objects.assign(Id, std::move(*All));
  return Value::each(Id);
}

/// What is known of the elements of two lists, of which nothing else is.
Value Joiner::joinRead(State &Out, const State &A, const State &B,
                       const Value &X, const Value &Y, BlockId At,
                       const SymbolKey &Slot) {
  Value Both;
  std::vector<Value> E;
  bool Any = false;
  const size_t Size = X.T == Y.T && X.Elems && Y.Elems
                          ? std::min(X.Elems->size(), Y.Elems->size())
                          : 0;
  for (uint32_t I = 0; I < Size; ++I) {
    E.push_back(joinValue(Out, A, B, (*X.Elems)[I], (*Y.Elems)[I], At,
                          {SymbolKey::ElementSlot, At, Ids.number(Slot), I}));
    Any = Any || !E.back().isNothing();
  }
  if (Any)
    Both.Elems = std::make_shared<const std::vector<Value>>(std::move(E));
  return Both;
}

Value Joiner::joinValue(State &Out, const State &A, const State &B,
                        const Value &X, const Value &Y, BlockId At,
                        const SymbolKey &Slot) {
  if (X.isList() && Y.isList() && !(X.K == Value::Each && X.T == Y.T))
    return joinLists(Out, A, B, X, Y, At, Slot);
  if (X.K != Y.K)
    return Value();
  if (X.K == Value::Unknown && (X.Elems || Y.Elems))
    return joinRead(Out, A, B, X, Y, At, Slot);
  switch (X.K) {
  case Value::Each:
  case Value::Int: {
    if (auto Both = agreed(A, X.I, B, Y.I)) {
      Value Known = X;
      Known.I = *Both;
      return Known;
    }
    const Variable *Var =
        Slot.From == SymbolKey::VarSlot ? &F.Vars[Slot.Of] : nullptr;
    const std::string Name = !Var ? "?"
                             : Var->Name.empty()
                                 ? ""
                                 : markVariable(F, Slot.Of, Var->Context);
    return Value::integer(
        Ids.joined({SymbolKey::JoinedNumber, At, Ids.number(Slot)},
                   SymbolInfo::Integer, Name));
  }
  case Value::Tensor: {
    const Object *OX = A.Objects.find(X.T), *OY = B.Objects.find(Y.T);
    if (!OX || !OY)
      return Value();
    if (X.T == Y.T) {
      if (OX != OY)
        Out.Objects.assign(X.T, joinObject(A, B, *OX, *OY, At,
                                           Ids.number({SymbolKey::OneTensor, At,
                                                       Ids.number(X.T)})));
      return X;
    }
    // Two objects become one of its own; what aliases them no longer does,
    // which only forgets.
    const uint32_t Number =
        Ids.number({SymbolKey::TwoTensors, At, Ids.number(Slot)});
    const ObjId Id{ObjId::Joined, 0, Number};
    Out.Objects.assign(Id, joinObject(A, B, *OX, *OY, At, Number));
    return Value::tensor(Id);
  }
  case Value::Pointer: {
    if (X == Y)
      return X;
    Value Moved = X;
    Moved.I = Y.I;
    if (!(Moved == Y))
      return Value();
    Moved.I = Ids.joined({SymbolKey::JoinedPointer, At, Ids.number(Slot)},
                         SymbolInfo::Integer, "?");
    return Moved;
  }
  case Value::Image:
    return X == Y ? X : joinImages(A, B, *X.M, *Y.M, At, Slot);
  case Value::Symbol: {
    if (X == Y)
      return X;
    // Options that agree in some of what they say.
    Value Both = X;
    Both.Elems = Y.Elems;
    if (!(Both == Y) || !X.Elems || !Y.Elems ||
        X.Elems->size() != Y.Elems->size())
      return Value();
    std::vector<Value> E = *X.Elems;
    for (size_t I = 0; I < E.size(); ++I)
      if (!(E[I] == (*Y.Elems)[I]))
        E[I] = Value();
    Both.Elems = std::make_shared<const std::vector<Value>>(std::move(E));
    return Both;
  }
  default:
    return X == Y ? X : Value();
  }
}

State Joiner::join(const State &A, const State &B, BlockId At) {
  State Out = A;
  weaken(Out, B);
  A.Vars.forEach([&](VarId V, const Value &X) {
    const Value &Y = B.Vars[V];
    if (&X == &Y && X.K != Value::Tensor && !X.isList() &&
        !(X.K == Value::Unknown && X.Elems))
      return;
    // What stays as it is stays shared.
    if (Value Both = joinValue(Out, A, B, X, Y, At, slotOf(V)); !(Both == X))
      Out.Vars.set(V, std::move(Both));
  });
  A.Temps.forEach([&](ValueId V, const Value &X) {
    const Value *Y = B.Temps.find(V);
    if (!Y)
      return Out.Temps.erase(V);
    Value Both = joinValue(Out, A, B, X, *Y, At, slotOfValue(V));
    if (!(Both == X))
      Out.Temps.assign(V, std::move(Both));
  });
  Out.collect();
  return Out;
}

size_t Joiner::distance(const State &A, const State &B) {
  size_t D = 0;
  Variables::difference(A.Vars, B.Vars,
                        [&](VarId, const Value *X, const Value *Y) {
                          D += !(X && Y && *X == *Y);
                        });
  SharedMap<ObjId, Object>::difference(
      A.Objects, B.Objects, [&](ObjId, const Object *X, const Object *Y) {
        D += !(X && Y && *X == *Y);
      });
  return D;
}

} // namespace tensortidy::analysis
