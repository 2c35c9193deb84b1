//===- Elements.cpp - elements of lists and containers --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Borrow/Elements.h"

namespace tensortidy::analysis::borrow {

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

ListLengths::ListLengths(const FlowInfo &Flow)
    : F(Flow.F), Values(Flow.Values) {
  solve(Flow.Blocks, Lengths());
  Of.clear(); // what was found on the way may hold no longer
  for (BlockId B = 0; B < F.Blocks.size(); ++B)
    if (const Lengths *Before = at(B)) {
      Lengths Now = *Before;
      transfer(B, Now);
    }
}

std::optional<int64_t> ListLengths::number(ValueId V, unsigned Depth) const {
  const Stmt *D = Values.def(V);
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

std::optional<int64_t> ListLengths::lengthOf(const Stmt &S,
                                             const Lengths &Now) const {
  const ValueId From = S.Args.empty() ? 0 : S.Args[0].Value;
  switch (S.O) {
  case Op::List:
    return static_cast<int64_t>(S.Args.size());
  case Op::ListCopy:
  case Op::ListSize:
  case Op::ListSet:
    return of(From);
  case Op::ListInsert:
  case Op::ListErase:
    if (const auto N = of(From))
      return *N + (S.O == Op::ListInsert ? 1 : -1);
    return std::nullopt;
  case Op::ListOf:
    return number(From);
  case Op::Load:
    if (auto It = Now.find(S.Var); It != Now.end())
      return It->second;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

void ListLengths::transfer(BlockId B, Lengths &Now) {
  for (const Stmt &S : F.Blocks[B].Stmts) {
    const std::optional<int64_t> N = lengthOf(S, Now);
    if (S.O == Op::Store) {
      Now.erase(S.Var);
      if (auto L = of(S.Args.empty() ? 0 : S.Args[0].Value);
          L && F.Vars[S.Var].Type == VarType::List)
        Now[S.Var] = *L;
    } else {
      for (const Arg &A : S.Args)
        if (A.Var != NoId && A.R == Role::Write && !leavesMemory(S))
          Now.erase(A.Var);
    }
    if (S.Result && N)
      Of[S.Result] = *N;
    else if (S.Result)
      Of.erase(S.Result);
  }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

bool Elements::addsToList(const Stmt &At) const {
  if (!At.is(Attribute::AddsToEnd) || At.Args.empty())
    return false;
  const Arg &List = At.Args[0];
  return List.Var != NoId && F.Vars[List.Var].Type == VarType::List &&
         Values.loaded(List.Value) == List.Var;
}

/// Whether \p Index is that of the last element of \p List.
bool Elements::isBack(ValueId Index, ValueId List) const {
  const Stmt *I = Values.def(Index);
  const Stmt *Size = I && I->O == Op::ISub && !I->Args.empty()
                         ? Values.def(I->Args[0].Value)
                         : I;
  const VarId Of = Size && Size->O == Op::ListSize && !Size->Args.empty()
                       ? Values.loaded(Size->Args[0].Value)
                       : NoId;
  return Of != NoId && Of == Values.loaded(List);
}

bool Elements::isLast(const LoanState &S, ValueId List) const {
  const Stmt *L = Values.def(List);
  while (L && (L->O == Op::ListCopy || L->O == Op::Phi) && L->Args.size() == 1)
    L = Values.def(L->Args[0].Value);
  if (!L || L->Args.empty())
    return false;
  if (L->O == Op::List)
    return S.OwnerValues.count(L->Args.back().Value) != 0;
  return L->O == Op::ListInsert && L->Args.size() == 3 &&
         S.OwnerValues.count(L->Args[2].Value) &&
         isBack(L->Args[1].Value, L->Args[0].Value);
}

bool Elements::takesLast(const LoanState &S, const Stmt &At) const {
  if (!At.is(Attribute::TakesLast) || At.Args.empty() ||
      !S.LastIn.count(At.Args[0].Var) || S.Invalidates)
    return false;
  return llvm::all_of(S.Borrowers, [&](const auto &Borrower) {
    const Arg *Self = findArg(*Borrower.second, "self");
    const Stmt *Of = Self ? Values.def(Self->Value) : nullptr;
    return Of && (Of->O != Op::ListGet ||
                  isBack(Of->Args[1].Value, Of->Args[0].Value));
  });
}

std::string Elements::keyOf(ValueId V) const {
  if (const auto N = Length.number(V))
    return "#" + std::to_string(*N);
  const Stmt *D = Values.def(V);
  if (D && D->is(Attribute::MakesString) && D->Args.size() == 1)
    D = Values.def(D->Args[0].Value);
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

std::string Elements::keyOfNew(const Stmt &At) const {
  if (const Arg *Element = findArg(At, "element")) {
    const Stmt *D = Values.def(Element->Value);
    return D && D->Args.size() > 1 ? keyOf(D->Args[1].Value) : "";
  }
  if (At.Args.size() == 3)
    return keyOf(At.Args[1].Value);
  const Stmt *D = // {"key", t}
      At.Args.size() == 2 ? Values.def(At.Args[1].Value) : nullptr;
  return D && D->O == Op::List && D->Args.size() == 2 ? keyOf(D->Args[0].Value)
                                                      : "";
}

/// The number of an element, or of the place that a list is changed at.
static bool isNumber(llvm::StringRef Key, int64_t &N) {
  return !Key.drop_front(!Key.empty()).getAsInteger(10, N);
}

/// Elements behind another that comes or goes are renumbered.
std::string Elements::moved(const LoanState &S, const Stmt &D, int64_t By,
                            unsigned Depth) const {
  int64_t I, At;
  if (!isNumber(slotIn(S, D.Args[0].Value, Depth), I) ||
      !isNumber(keyOf(D.Args[1].Value), At))
    return "";
  return "#" + std::to_string(I < At ? I : I + By);
}

std::string Elements::slotIn(const LoanState &S, ValueId List,
                             unsigned Depth) const {
  const Stmt *D = Values.def(List);
  if (!D || Depth++ > 6)
    return "";
  switch (D->O) {
  case Op::Load:
    if (auto It = S.Slots.find(D->Var); It != S.Slots.end())
      return It->second;
    return "";
  case Op::List: {
    std::string Slot;
    for (size_t I = 0; I < D->Args.size(); ++I)
      if (S.OwnerValues.count(D->Args[I].Value)) {
        if (!Slot.empty())
          return "";
        Slot = "#" + std::to_string(I);
      }
    return Slot;
  }
  case Op::ListCopy:
    return slotIn(S, D->Args[0].Value, Depth);
  case Op::ListSet:
  case Op::ListInsert:
    if (S.OwnerValues.count(D->Args[2].Value))
      return S.OwnerValues.count(D->Args[0].Value) ? ""
                                                   : keyOf(D->Args[1].Value);
    return D->O == Op::ListSet ? slotIn(S, D->Args[0].Value, Depth)
                               : moved(S, *D, 1, Depth);
  case Op::ListErase:
    return moved(S, *D, -1, Depth);
  case Op::ListOf: // resize()
    return D->Args.size() == 2 ? slotIn(S, D->Args[1].Value, Depth) : "";
  default:
    return "";
  }
}

bool Elements::isElement(LoanState &S, const Stmt &At, const Arg &A) const {
  std::string Slot, Key;
  if (At.O == Op::ListGet && At.Args.size() == 2) {
    if (!S.OwnerValues.count(At.Args[0].Value))
      return false;
    Slot = slotIn(S, At.Args[0].Value);
    Key = keyOf(At.Args[1].Value);
    if (isBack(At.Args[1].Value, At.Args[0].Value))
      return Slot.empty() || Key.empty() || Slot == Key; // takesLast() asks
  } else {
    if (At.Args.size() > 1)
      Key = keyOf(At.Args[1].Value);
    if (auto It = S.Slots.find(A.Var); It != S.Slots.end())
      Slot = It->second;
  }
  const bool Vague = Slot.empty() || Key.empty();
  S.Vague = S.Vague || Vague;
  return Vague || Slot == Key;
}

bool Elements::staysIn(const LoanState &S, const Stmt &At, ValueId List) const {
  const std::string Slot = slotIn(S, List);
  if (At.O != Op::ListOf)
    return Slot.empty() || S.Vague || Slot != keyOf(At.Args[1].Value);
  const auto Size = Length.number(At.Args[0].Value);
  int64_t I;
  return !Size || S.Vague || Slot.empty() || !isNumber(Slot, I) || I < *Size;
}

bool assigns(const Stmt &S) {
  return S.O == Op::Assign || S.is(Attribute::ReplacesAll);
}

bool changesContainer(const Stmt &S) {
  return S.O == Op::Assign || S.is(Attribute::ChangesElements);
}

bool readsElement(const Stmt &S) { return S.is(Attribute::GivesElement); }
bool isIterator(const Stmt &S) { return S.is(Attribute::GivesIterator); }

std::optional<bool> Elements::letsGo(const LoanState &S, const Stmt &At,
                                     const Arg &A) const {
  const bool IsObject = &A == At.Args.begin();
  if (IsObject && (readsElement(At) || At.is(Attribute::AsksContainer)))
    return std::nullopt;
  if (IsObject && At.is(Attribute::Clears))
    return true;
  std::string Key;
  if (At.O == Op::Assign) {
    const Arg *Element = findArg(At, "element");
    const Stmt *D = Element ? Values.def(Element->Value) : nullptr;
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
  const auto Slot = S.Slots.find(A.Var);
  if (Slot == S.Slots.end() || Slot->second.empty() || Key.empty())
    return false;
  if (Slot->second != Key)
    return std::nullopt;
  return !S.Vague;
}

const Stmt *Elements::changeBefore(const Block &B, const Stmt &At,
                                   VarId List) const {
  for (const Stmt *P = &At; P != B.Stmts.data();) {
    --P;
    if ((P->O == Op::Store && P->Var == List) || &At - P > 12)
      return nullptr;
    if (P->O != Op::ListSet && P->O != Op::ListErase && P->O != Op::ListOf)
      continue;
    return Values.loaded(P->Args[P->O == Op::ListOf].Value) == List ? P
                                                                    : nullptr;
  }
  return nullptr;
}

bool Elements::erases(const Block &B, const Stmt &At, VarId List) const {
  const Stmt *End = B.Stmts.data() + B.Stmts.size();
  for (const Stmt *P = &At + 1; P != End && P->O != Op::FullExprEnd; ++P)
    if (P->O == Op::Store && P->Var == List && !P->Args.empty())
      if (const Stmt *New = Values.def(P->Args[0].Value);
          New && New->O == Op::ListErase)
        return true;
  return false;
}

bool Elements::keepsInList(const Block &B, const Stmt &At) const {
  return At.O == Op::Assign && llvm::any_of(At.Args, [&](const Arg &A) {
           return A.Var != NoId && F.Vars[A.Var].Type == VarType::List &&
                  changeBefore(B, At, A.Var);
         });
}

} // namespace tensortidy::analysis::borrow
