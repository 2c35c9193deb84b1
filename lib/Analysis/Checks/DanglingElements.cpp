//===- DanglingElements.cpp - elements of lists and containers -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which element of a list or container the followed tensor is, so that a
// pointer into another element is none into it.
//
//   l.push_back(t);            slot "#0" of l, its last element
//   m["w"] = t;                slot "=w" of m
//   l.erase(l.begin());        slot "#0" goes, those behind it are renumbered
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/Dangling.h"

namespace tensortidy::analysis::dangling {

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

ListLengths::ListLengths(const Function &F, const Definitions &DefOf)
    : F(F), DefOf(DefOf) {
  std::vector<std::optional<Lengths>> In(F.Blocks.size());
  std::vector<BlockId> Work{F.Entry};
  In[F.Entry] = Lengths();
  while (!Work.empty()) {
    const BlockId B = Work.back();
    Work.pop_back();
    const Lengths Out = after(B, *In[B]);
    for (BlockId S : F.Blocks[B].Succs) {
      if (S == NoId)
        continue;
      Lengths Both = Out;
      if (In[S])
        for (const auto &[V, N] : *In[S])
          if (auto It = Both.find(V); It == Both.end() || It->second != N)
            Both.erase(V);
      if (In[S])
        for (auto It = Both.begin(); It != Both.end();)
          It = In[S]->count(It->first) ? std::next(It) : Both.erase(It);
      if (In[S] && *In[S] == Both)
        continue;
      In[S] = std::move(Both);
      Work.push_back(S);
    }
  }
  Of.clear(); // what was found on the way may hold no longer
  for (BlockId B = 0; B < F.Blocks.size(); ++B)
    if (In[B])
      after(B, *In[B]);
}

std::optional<int64_t> ListLengths::number(ValueId V, unsigned Depth) const {
  const Stmt *D = V ? DefOf[V] : nullptr;
  if (!D || Depth > 4)
    return std::nullopt;
  if (D->O == Op::Const && D->Const == ConstKind::Int)
    return D->Imm;
  if (D->O == Op::ListSize)
    return of(V);
  if ((D->O != Op::IAdd && D->O != Op::ISub) || D->Args.size() != 2)
    return std::nullopt;
  const auto A = number(D->Args[0].Value, Depth + 1),
             B = number(D->Args[1].Value, Depth + 1);
  if (!A || !B)
    return std::nullopt;
  return D->O == Op::IAdd ? *A + *B : *A - *B;
}

ListLengths::Lengths ListLengths::after(BlockId B, Lengths Now) {
  for (const Stmt &S : F.Blocks[B].Stmts) {
    std::optional<int64_t> N;
    const ValueId From = S.Args.empty() ? 0 : S.Args[0].Value;
    switch (S.O) {
    case Op::List:
      N = static_cast<int64_t>(S.Args.size());
      break;
    case Op::ListCopy:
    case Op::ListSize:
    case Op::ListSet:
      N = of(From);
      break;
    case Op::ListInsert:
    case Op::ListErase:
      N = of(From);
      if (N)
        *N += S.O == Op::ListInsert ? 1 : -1;
      break;
    case Op::ListOf:
      N = number(From);
      break;
    case Op::Load:
      if (auto It = Now.find(S.Var); It != Now.end())
        N = It->second;
      break;
    case Op::Store:
      Now.erase(S.Var);
      if (auto L = of(From); L && F.Vars[S.Var].Type == VarType::List)
        Now[S.Var] = *L;
      break;
    default:
      for (const Arg &A : S.Args)
        if (A.Var != NoId && A.R == Role::Write && !leavesMemory(S))
          Now.erase(A.Var);
      break;
    }
    if (S.Result && N)
      Of[S.Result] = *N;
    else if (S.Result)
      Of.erase(S.Result);
  }
  return Now;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// `l.push_back(t)` of a list that is followed: what it becomes is stored next.
bool Follower::addsToList(const Stmt &At) const {
  if (!At.is(Attribute::AddsToEnd) || At.Args.empty())
    return false;
  const Arg &List = At.Args[0];
  const Stmt *D = List.Value ? DefOf[List.Value] : nullptr;
  return List.Var != NoId && F.Vars[List.Var].Type == VarType::List && D &&
         D->O == Op::Load && D->Var == List.Var;
}

/// Whether \p Index is that of the last element of \p List.
bool Follower::isBack(ValueId Index, ValueId List) const {
  const Stmt *I = DefOf[Index];
  const Stmt *Size =
      I && I->O == Op::ISub && !I->Args.empty() ? DefOf[I->Args[0].Value] : I;
  const Stmt *Of = Size && Size->O == Op::ListSize && !Size->Args.empty()
                       ? DefOf[Size->Args[0].Value]
                       : nullptr;
  const Stmt *L = DefOf[List];
  return Of && L && Of->O == Op::Load && L->O == Op::Load && Of->Var == L->Var;
}

/// Whether the tensor is the last element of the list \p List.
bool Follower::isLast(const State &S, ValueId List) const {
  const Stmt *L = DefOf[List];
  while (L && (L->O == Op::ListCopy || L->O == Op::Phi) && L->Args.size() == 1)
    L = DefOf[L->Args[0].Value];
  if (!L || L->Args.empty())
    return false;
  if (L->O == Op::List)
    return S.Owners.count(L->Args.back().Value) != 0;
  return L->O == Op::ListInsert && L->Args.size() == 3 &&
         S.Owners.count(L->Args[2].Value) &&
         isBack(L->Args[1].Value, L->Args[0].Value);
}

/// `l.pop_back()` of a list whose last element is the tensor, to which each
/// pointer goes by way of `l.back()`.
bool Follower::takesLast(State &S, const Stmt &At) const {
  if (!At.is(Attribute::TakesLast) || At.Args.empty() ||
      !S.LastIn.count(At.Args[0].Var) || S.Broken)
    return false;
  for (const auto &[V, Borrow] : S.Carriers) {
    const Arg *Self = findArg(*Borrow, "self");
    const Stmt *Of = Self ? DefOf[Self->Value] : nullptr;
    if (!Of ||
        (Of->O == Op::ListGet && !isBack(Of->Args[1].Value, Of->Args[0].Value)))
      return false;
  }
  return true;
}

/// What tells elements of lists and containers apart: a number or a name; empty
/// where it is not known.
std::string Follower::keyOf(ValueId V) const {
  if (const auto N = Lengths.number(V))
    return "#" + std::to_string(*N);
  const Stmt *D = V ? DefOf[V] : nullptr;
  if (D && D->is(Attribute::MakesString) && D->Args.size() == 1)
    D = DefOf[D->Args[0].Value];
  if (!D || D->O != Op::Const)
    return "";
  switch (D->Const) {
  case ConstKind::Symbol:
  case ConstKind::String:
    return "=" + D->Text;
  case ConstKind::Bool:
    return D->Imm ? "=true" : "=false";
  default:
    return "";
  }
}

/// Which element of \p List, that holds it, the tensor is.
std::string Follower::slotIn(const State &S, ValueId List,
                             unsigned Depth) const {
  const Stmt *D = List ? DefOf[List] : nullptr;
  if (!D || Depth > 6)
    return "";
  auto Before = [&] { return slotIn(S, D->Args[0].Value, Depth + 1); };
  // Elements behind another that comes or goes are renumbered.
  auto Moved = [&](int64_t By) -> std::string {
    const std::string Slot = Before(), Key = keyOf(D->Args[1].Value);
    int64_t I, At;
    if (llvm::StringRef(Slot).drop_front(!Slot.empty()).getAsInteger(10, I) ||
        llvm::StringRef(Key).drop_front(!Key.empty()).getAsInteger(10, At))
      return "";
    return "#" + std::to_string(I < At ? I : I + By);
  };
  switch (D->O) {
  case Op::Load:
    if (auto It = S.Slots.find(D->Var); It != S.Slots.end())
      return It->second;
    return "";
  case Op::List: {
    std::string Slot;
    for (size_t I = 0; I < D->Args.size(); ++I)
      if (S.Owners.count(D->Args[I].Value)) {
        if (!Slot.empty())
          return "";
        Slot = "#" + std::to_string(I);
      }
    return Slot;
  }
  case Op::ListCopy:
    return Before();
  case Op::ListSet:
  case Op::ListInsert:
    if (S.Owners.count(D->Args[2].Value))
      return S.Owners.count(D->Args[0].Value) ? "" : keyOf(D->Args[1].Value);
    return D->O == Op::ListSet ? Before() : Moved(1);
  case Op::ListErase:
    return Moved(-1);
  case Op::ListOf: // resize()
    return D->Args.size() == 2 ? slotIn(S, D->Args[1].Value, Depth + 1) : "";
  default:
    return "";
  }
}

/// Whether \p At, which reads an element of what \p A is, may give the tensor;
/// \p Vague, that it may give another instead.
bool Follower::isElement(const State &S, const Stmt &At, const Arg &A,
                         bool &Vague) const {
  std::string Slot, Key;
  if (At.O == Op::ListGet && At.Args.size() == 2) {
    if (!S.Owners.count(At.Args[0].Value))
      return false;
    Slot = slotIn(S, At.Args[0].Value);
    Key = keyOf(At.Args[1].Value);
    if (isBack(At.Args[1].Value, At.Args[0].Value))
      return Slot.empty() || Key.empty() || Slot == Key; // takesLast() asks
  } else {
    if (At.Args.size() > 1)
      Key = keyOf(At.Args[1].Value);
    if (A.Var != NoId)
      if (auto It = S.Slots.find(A.Var); It != S.Slots.end())
        Slot = It->second;
  }
  Vague = Slot.empty() || Key.empty();
  return Vague || Slot == Key;
}

bool assigns(const Stmt &S) {
  return S.O == Op::Assign || S.is(Attribute::ReplacesAll);
}

bool changesContainer(const Stmt &S) {
  return S.O == Op::Assign || S.is(Attribute::ChangesElements);
}

bool readsElement(const Stmt &S) { return S.is(Attribute::GivesElement); }
bool isIterator(const Stmt &S) { return S.is(Attribute::GivesIterator); }

/// What \p At does with the container that is its operand \p A: nullopt when it
/// leaves the tensor where it is, true when it lets it go, false when that is
/// not known.
std::optional<bool> Follower::inContainer(State &S, const Stmt &At,
                                          const Arg &A) {
  const bool IsObject = &A == At.Args.begin();
  if (IsObject && (readsElement(At) || At.is(Attribute::AsksContainer)))
    return std::nullopt;
  if (IsObject && At.is(Attribute::Clears))
    return true;
  std::string Key;
  if (At.O == Op::Assign) {
    const Arg *Element = findArg(At, "element");
    const Stmt *D = Element ? DefOf[Element->Value] : nullptr;
    if (!D || D->Args.size() < 2)
      return false;
    Key = keyOf(D->Args[1].Value);
  } else if (IsObject && At.Args.size() > 1 && At.is(Attribute::ReplacesKey)) {
    Key = keyOf(At.Args[1].Value);
  } else if (IsObject && fillsContainer(At)) {
    return std::nullopt; // beside what is there
  } else {
    return false;
  }
  const std::string &Slot = S.Slots[A.Var];
  if (Slot.empty() || Key.empty())
    return false;
  if (Slot != Key)
    return std::nullopt;
  return S.Vague ? std::optional(false) : true;
}

/// The change of an element of \p List that \p At is a part of: the list that
/// results is stored next.
const Stmt *Follower::changeBefore(const Block &B, const Stmt &At,
                                   VarId List) const {
  for (const Stmt *P = &At; P != B.Stmts.data();) {
    --P;
    if ((P->O == Op::Store && P->Var == List) || &At - P > 12)
      return nullptr;
    if (P->O != Op::ListSet && P->O != Op::ListErase && P->O != Op::ListOf)
      continue;
    const Stmt *L = DefOf[P->Args[P->O == Op::ListOf].Value];
    return L && L->O == Op::Load && L->Var == List ? P : nullptr;
  }
  return nullptr;
}

/// Whether the iterator \p At of \p List is for an erasure that is followed.
bool Follower::erases(const Block &B, const Stmt &At, VarId List) const {
  const Stmt *End = B.Stmts.data() + B.Stmts.size();
  for (const Stmt *P = &At + 1; P != End && P->O != Op::FullExprEnd; ++P)
    if (P->O == Op::Store && P->Var == List && !P->Args.empty())
      if (const Stmt *New = DefOf[P->Args[0].Value];
          New && New->O == Op::ListErase)
        return true;
  return false;
}

/// `l[i] = t` of a list that is followed.
bool Follower::keepsInList(const Block &B, const Stmt &At) const {
  return At.O == Op::Assign && llvm::any_of(At.Args, [&](const Arg &A) {
           return A.Var != NoId && F.Vars[A.Var].Type == VarType::List &&
                  changeBefore(B, At, A.Var);
         });
}

} // namespace tensortidy::analysis::dangling
