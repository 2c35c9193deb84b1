//===- State.cpp - equality and order of states
//---------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Domain/State.h"
#include "Layout/Contiguity.h"
#include "llvm/ADT/DenseSet.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using program::VarId;

static bool sameCondition(const CondRef &A, const CondRef &B) {
  if (A == B)
    return true;
  if (!A || !B)
    return false;
  return A->K == B->K && A->Flag == B->Flag && A->Key == B->Key &&
         A->T == B->T && A->F == B->F && A->A == B->A && A->B == B->B &&
         sameCondition(A->L, B->L) && sameCondition(A->R, B->R);
}

CondRef atom(std::string Key, std::string Text) {
  auto C = std::make_shared<Condition>();
  C->K = Condition::Atom;
  C->Key = std::move(Key);
  C->Text = std::move(Text);
  return C;
}

bool outlivesLoops(llvm::StringRef Key) {
  if (Key.starts_with("var"))
    return true;
  if (!Key.consume_front("defined "))
    return false;
  // What a variable held, and not what a value of an iteration is.
  for (const auto From : {ObjId::Variable, ObjId::Reloaded, ObjId::Earlier})
    if (Key.starts_with(ObjId::prefix(From)))
      return true;
  return false;
}

bool Value::operator==(const Value &O) const {
  if (K != O.K || T != O.T || I != O.I || Text != O.Text ||
      !sameCondition(C, O.C))
    return false;
  if (P != O.P && !(P && O.P && P->Taken == O.P->Taken && P->Of == O.P->Of))
    return false;
  if (M != O.M && !(M && O.M && *M == *O.M))
    return false;
  if (Elems == O.Elems)
    return true;
  return Elems && O.Elems && *Elems == *O.Elems;
}

using Marks = llvm::DenseSet<ObjId>;
static void mark(const Value &V, Marks &Live);
static void mark(const CondRef &C, Marks &Live) {
  if (!C)
    return;
  if (C->T)
    Live.insert(C->T);
  mark(C->L, Live);
  mark(C->R, Live);
}
static void mark(const Value &V, Marks &Live) {
  if (V.T && V.T != AnyTensor)
    Live.insert(V.T);
  mark(V.C, Live);
  if (V.Elems)
    for (const Value &E : *V.Elems)
      mark(E, Live);
}

void State::collect() {
  Marks Live;
  Vars.forEach([&](VarId, const Value &V) { mark(V, Live); });
  Temps.forEach([&](program::ValueId, const Value &V) { mark(V, Live); });
  Objects.eraseIf([&](ObjId Id, const Object &) { return !Live.count(Id); });
  for (auto It = RankOf.begin(); It != RankOf.end();)
    It = Objects.find(It->second) ? std::next(It) : RankOf.erase(It);
}

bool State::imply() {
  for (bool Changed = !Implied.empty(); Changed;) {
    Changed = false;
    for (const Implication &I : Implied) {
      const auto It = Assumed.find(I.If);
      if (It == Assumed.end() || It->second.first != I.Is)
        continue;
      const size_t Before = Assumed.size();
      if (!Assumed.agree(I.Then, I.Holds))
        return false;
      Changed = Changed || Assumed.size() != Before;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The order
//===----------------------------------------------------------------------===//

namespace {

/// Whether one state is an instance of another. A symbol that stands for what
/// several paths gave matches any number, the same each time:
///   [4, 8] strides [8, 1]   is an instance of   [4, d] strides [d, 1]
class Instance {
public:
  Instance(const State &A, const State &B)
      : A(A), B(B), Table(A.Ar.symbols()) {}

  bool number(const SymExpr &X0, const SymExpr &Y0) {
    const SymExpr X = A.Ar.norm(X0), Y = B.Ar.norm(Y0);
    if (auto S = Y.asSymbol(); S && Table[*S].Joined)
      return Is.try_emplace(*S, X).first->second == X;
    return X == Y || (!Is.empty() && X == A.Ar.norm(A.Ar.substitute(Y, Is)));
  }
  bool numbers(const SymDims &X, const SymDims &Y) {
    return X.size() == Y.size() &&
           std::equal(
               X.begin(), X.end(), Y.begin(),
               [&](const auto &E, const auto &F) { return number(E, F); });
  }
  bool value(const Value &X, const Value &Y);
  bool object(ObjId X, ObjId Y);
  bool object(const Object &X, const Object &Y);

private:
  bool elements(const Value &X, const Value &Y);
  bool image(const Image &X, const Image &Y);
  bool layout(const Object &X, const Object &Y);

  const State &A, &B;
  const layout::Symbols &Table;
  std::map<SymbolId, SymExpr> Is;
  std::map<ObjId, ObjId> Objects; ///< of B -> of A
};

bool Instance::layout(const Object &X, const Object &Y) {
  if (!Y.HasLayout)
    return true;
  const bool Alike =
      X.HasLayout && X.L.rank() == Y.L.rank() && X.Segment == Y.Segment;
  if (!Alike) {
    // Any layout is an instance of one of which nothing is known.
    const bool Dense = X.HasLayout && isContiguous(A.Ar, X.L).yes() &&
                       (X.Segment < 0 || X.SegmentDense);
    return Y.L.rank() == 1 && Y.Segment == 0 && (!Y.SegmentDense || Dense);
  }
  return (X.SegmentDense || !Y.SegmentDense || Y.Segment < 0) &&
         numbers(X.L.Sizes, Y.L.Sizes) && numbers(X.L.Strides, Y.L.Strides) &&
         number(X.L.Offset, Y.L.Offset);
}

bool Instance::object(const Object &X, const Object &Y) {
  // All fields: Name, Placed and Prov are only said, never asked.
  const auto &[HasLayout, L, Segment, SegmentDense, AtLeast, AtMost, Merged,
               Key, Over, Root, Listed, NotContiguous, Resized, Ggml, Own, Part,
               Storage, Holds, Name, DType, Device, Placed, Prov] = Y;
  const auto Or = [](bool If, bool Then) { return !If || Then; };
  const bool SameRoot = !Key || (Key == X.Key && Over == X.Over);
  const bool SameStorage =
      Storage == X.Storage || Storage.From == ObjId::JoinedStorage;
  return SameRoot && SameStorage && (!Holds || Holds == X.Holds) &&
         (DType.empty() || DType == X.DType) &&
         (Device.empty() || Device == X.Device) && AtLeast <= X.leastRank() &&
         (!AtMost || (X.mostRank() && X.mostRank() <= AtMost)) &&
         Or(X.Merged, Merged) && Or(Root, X.Root) && Or(X.Listed, Listed) &&
         Or(NotContiguous, X.NotContiguous) && Or(X.Resized, Resized) &&
         Or(Ggml, X.Ggml) && Or(Own, X.Own) && Or(X.Part, Part) && layout(X, Y);
}

bool Instance::object(ObjId X, ObjId Y) {
  const auto [It, New] = Objects.try_emplace(Y, X);
  if (!New)
    return It->second == X;
  const Object *OX = A.Objects.find(X), *OY = B.Objects.find(Y);
  return OX == OY || (OX && OY && object(*OX, *OY));
}

/// \p Y is a list of any number of tensors.
bool Instance::elements(const Value &X, const Value &Y) {
  auto One = [&](const Value &E) {
    if (E.K == Value::None || (E.K == Value::Each && !E.T))
      return true;
    if ((E.K != Value::Tensor && E.K != Value::Each) || !Y.T)
      return false;
    // Each has numbers of its own.
    const Object *OX = A.Objects.find(E.T), *OY = B.Objects.find(Y.T);
    return OX && OY && Instance(*this).object(*OX, *OY);
  };
  return X.K == Value::Each ? One(X)
                            : X.K == Value::List && llvm::all_of(*X.Elems, One);
}

bool Instance::image(const Image &X, const Image &Y) {
  // All fields.
  [[maybe_unused]] const auto &[Rows, Columns, Channels, Pitch, Type, Prov,
                                Padded] = Y;
  auto Is = [&](const std::optional<SymExpr> &A,
                const std::optional<SymExpr> &B) {
    return !B || (A && number(*A, *B));
  };
  return Is(X.Rows, Rows) && Is(X.Columns, Columns) &&
         Is(X.Channels, Channels) && X.Pitch.has_value() == Pitch.has_value() &&
         Is(X.Pitch, Pitch) && (Type.empty() || X.Type == Type) &&
         (Padded == Image::Unknown || X.Padded == Padded);
}

bool Instance::value(const Value &X, const Value &Y) {
  if (Y.isNothing())
    return true;
  if (Y.K == Value::Unknown && Y.T == AnyTensor)
    return X.K == Value::Tensor || X == Y;
  if (Y.K == Value::Each)
    return elements(X, Y);
  if (Y.K == Value::Unknown && Y.Elems) {
    bool Is = X.K == Value::Unknown && X.Elems;
    for (size_t I = 0; Is && I < Y.Elems->size(); ++I)
      Is = (*Y.Elems)[I].isNothing() ||
           (I < X.Elems->size() && value((*X.Elems)[I], (*Y.Elems)[I]));
    return Is;
  }
  if (X.K != Y.K)
    return false;
  switch (Y.K) {
  case Value::Int:
    return number(X.I, Y.I);
  case Value::Tensor:
    return object(X.T, Y.T);
  case Value::List:
    return X.Elems->size() == Y.Elems->size() &&
           std::equal(
               X.Elems->begin(), X.Elems->end(), Y.Elems->begin(),
               [&](const Value &E, const Value &F) { return value(E, F); });
  case Value::Image:
    return image(*X.M, *Y.M);
  case Value::Symbol: {
    if (X == Y)
      return true;
    Value Both = X;
    Both.Elems = Y.Elems;
    return Both == Y && X.Elems && Y.Elems &&
           std::equal(X.Elems->begin(), X.Elems->end(), Y.Elems->begin(),
                      Y.Elems->end(), [&](const Value &E, const Value &F) {
                        return value(E, F);
                      });
  }
  case Value::Pointer: {
    Value Moved = X;
    Moved.I = Y.I;
    return Moved == Y && number(X.I, Y.I);
  }
  default:
    return X == Y;
  }
}

} // namespace

bool State::answers(const std::string &Key, bool As) const {
  const auto It = Assumed.find(Key);
  return It != Assumed.end() && It->second.first == As;
}

bool State::implies(const Implication &I) const {
  return answers(I.If, !I.Is) || answers(I.Then, I.Holds) ||
         llvm::is_contained(Implied, I);
}

/// Whether all of \p Of is in \p In.
template <class List, class In>
static bool within(const List &Of, const In &All) {
  return llvm::all_of(
      Of, [&](const auto &X) { return llvm::is_contained(All, X); });
}

bool State::leq(const State &B) const {
  // All fields; RankOf says the same in each state that has the object.
  const auto &[BVars, BTemps, BObjects, BAr, BAssumed, BImplied, BRanges,
               BInitial, BRepeats, BFirst, BPathDependent, BDegenerate,
               BSameUnknownRanks, BRankOf] = B;
  if ((BDegenerate && !Degenerate) ||
      (SameUnknownRanks && !BSameUnknownRanks) || !within(BRepeats, Repeats) ||
      !within(BFirst, First) ||
      !std::includes(BPathDependent.begin(), BPathDependent.end(),
                     PathDependent.begin(), PathDependent.end()))
    return false;
  for (const auto &[Key, Answer] : BAssumed)
    if (!answers(Key, Answer.first))
      return false;
  for (const Implication &I : BImplied)
    if (!implies(I))
      return false;
  for (const auto &[S, R] : BRanges)
    if (auto It = Ranges.find(S); It == Ranges.end() || !It->second.within(R))
      return false;
  for (const auto &[S, E] : BInitial)
    if (auto It = Initial.find(S); It == Initial.end() || !(It->second == E))
      return false;
  for (const auto &[S, As] : BAr.served())
    if (auto It = Ar.served().find(S);
        It == Ar.served().end() || It->second < As)
      return false;
  for (const auto &[S, Least] : BAr.floors())
    if (auto It = Ar.floors().find(S);
        It == Ar.floors().end() || !within(Least, It->second))
      return false;
  for (const auto &[S, E] : BAr.facts())
    if (auto It = Ar.facts().find(S); It == Ar.facts().end() || It->second != E)
      return false;

  Instance Of(*this, B);
  bool Is = true;
  Variables::difference(Vars, BVars,
                        [&](program::VarId, const Value *X, const Value *Y) {
                          static const Value Nothing;
                          Is = Is && (!Y || Of.value(X ? *X : Nothing, *Y));
                        });
  BTemps.forEach([&](program::ValueId V, const Value &Y) {
    const Value *X = Temps.find(V);
    Is = Is && X && Of.value(*X, Y);
  });
  // Of what both call the same, too, where the variables are.
  SharedMap<ObjId, Object>::difference(
      Objects, BObjects, [&](ObjId Id, const Object *X, const Object *Y) {
        Is = Is && (!X || !Y || Of.object(Id, Id));
      });
  return Is;
}

bool State::operator==(const State &B) const {
  const auto &[BVars, BTemps, BObjects, BAr, BAssumed, BImplied, BRanges,
               BInitial, BRepeats, BFirst, BPathDependent, BDegenerate,
               BSameUnknownRanks, BRankOf] = B;
  return Vars == BVars && Temps == BTemps && Objects == BObjects &&
         Ar.facts() == BAr.facts() && Ar.served() == BAr.served() &&
         Ar.floors() == BAr.floors() && Assumed == BAssumed &&
         Implied == BImplied && Ranges == BRanges && Initial == BInitial &&
         Repeats == BRepeats && First == BFirst &&
         PathDependent == BPathDependent && Degenerate == BDegenerate &&
         SameUnknownRanks == BSameUnknownRanks && RankOf == BRankOf;
}

bool isOfLoop(const Symbols &Table, const SymExpr &E) {
  for (const auto &T : E.terms())
    for (unsigned I = 0; I < T.M.Count; ++I)
      if (Table[T.M.S[I]].Owner != program::NoId)
        return true;
  return false;
}

} // namespace tensortidy::analysis
