//===- DanglingDataPointer.cpp - tensor-dangling-data-pointer -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one path. Each statement that makes a tensor is followed by
// itself: which variables hold the tensor, which carry a pointer into it.
//
//   %3 = contiguous self=%1      temporaries {%3}
//   %4 = data_ptr self=%3        temporaries {%3}    pointers {%4}
//   store $p %4                                      carriers {$p}
//   full_expr_end                temporaries {}      nobody holds it: dead
//   %5 = load $p                                     pointers {%5}
//   opaque "use" read %5         a finding
//
// What code we do not see may hold is alive: following ends there.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/Dangling.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace tensortidy::analysis {

using namespace program;

static bool isIdentifier(const std::string &Name) {
  return !Name.empty() && std::all_of(Name.begin(), Name.end(), [](char Ch) {
    return llvm::isAlnum(Ch) || Ch == '_';
  });
}

void nameObject(const Function &F, const Stmt &Of, const std::string &Object,
                const std::string &Name, const std::string &Call,
                Finding &Found) {
  if (!(Of.Edits & EditNameObject) || Of.InMacro || Of.Context ||
      !isIdentifier(Name))
    return;
  const std::string Plain = withoutMarks(Object);
  const std::string Full =
      (isIdentifier(Plain) ? Plain : std::string("kept")) + "_" + Name;
  for (const Variable &V : F.Vars)
    if (V.Name == Full)
      return;
  const Stmt *Decl = nullptr;
  forEachStmt(F, [&](BlockId, const Stmt &X) {
    if (X.O == Op::Store && !X.Args.empty() && X.Args[0].Value == Of.Result)
      Decl = &X;
  });
  if (Decl)
    Found.Edits.push_back(
        {Edit::NameObject, Of.Object, Decl->Where, Full, Call});
}

namespace dangling {

static constexpr size_t MaxStates = 32; ///< of one tensor at one block

/// Changes the number of dimensions, or the memory, of self.
static bool movesMemory(const Stmt &S, Target T) {
  if (S.O == Op::Resize || S.is(Attribute::MovesMemory))
    return true;
  return T == Target::Object &&
         (S.O == Op::SqueezeInPlace || S.O == Op::UnsqueezeInPlace);
}

/// Whether the result is another tensor object than self, whosever elements it
/// has.
static bool isNew(const Stmt &S) {
  if (S.O == Op::Reshape || S.O == Op::ReshapeAs)
    return true;
  // All of the dimensions, or none.
  return S.O == Op::Flatten && findArg(S, "start_dim") && findArg(S, "end_dim");
}

/// Reads nothing through a pointer.
static bool onlyCompares(const Stmt &S) {
  return S.O == Op::Cast || S.O == Op::Compare || S.O == Op::Minus ||
         S.O == Op::Assign || S.O == Op::ListSize ||
         opClass(S.O) == OpClass::Condition || S.O == Op::Assume;
}

/// A tensor made of a pointer borrows what that points to, and so do its views.
static bool borrowsOn(const Stmt &S) {
  return (S.O == Op::FromBlob && !findArg(S, "deleter")) ||
         (opClass(S.O) == OpClass::View && S.O != Op::SelfHandle);
}

std::string Follower::nameOf(ValueId V) const {
  const Stmt *D = DefOf[V];
  return D && D->O == Op::Load ? markVariable(F, D->Var, D->Context) : "";
}

/// What people call the operation that made the tensor.
std::string Follower::nameOfMaker() const {
  if (!Maker)
    return "";
  if (uint32_t C = calledFromRoot(Maker->Context)) {
    llvm::StringRef Callee = F.Contexts[C].Callee;
    return Callee.rsplit("::").second.empty()
               ? Callee.str() + "()"
               : Callee.rsplit("::").second.str() + "()";
  }
  if (Maker->Text.empty())
    return "";
  return isIdentifier(Maker->Text) ? Maker->Text + "()"
                                   : "'" + Maker->Text + "'";
}

/// How the last holder went, as in "used after it was emptied: ".
std::string Follower::lossOf(const Stmt &Lost) const {
  if (Lost.O == Op::ScopeEnd)
    return "the end of its block: ";
  const Stmt *New = Lost.O == Op::Store && !Lost.Args.empty()
                        ? DefOf[Lost.Args[0].Value]
                        : nullptr;
  if (New && New->O == Op::ListErase)
    return "it was taken out of its list: ";
  const bool Empties = New ? New->O == Op::List && New->Args.empty()
                           : Lost.isOpaque() && Lost.O != Op::Assign;
  return Empties ? "it was emptied: " : "it was assigned anew: ";
}

/// Whether a pointer holds the tensor that \p V, behind it, is.
bool Follower::holdsPointee(const State &S, VarId V) const {
  const Variable &Var = F.Vars[V];
  return Var.IsPointee && Var.Type == VarType::Tensor && Var.Base < ThisBase &&
         S.Holders.count(Var.Base);
}

/// Whether \p At can change the tensor behind a pointer: not if that is the
/// function's own, and nobody was given it.
bool Follower::mayReach(const Arg &A, const Stmt &At) const {
  const Variable &Pointer = F.Vars[F.Vars[A.Var].Base];
  return At.O != Op::MayChange &&
         (A.Value || Pointer.Borrows || Pointer.IsMember || Pointer.IsParam ||
          Pointer.IsStatic || Pointer.IsCaptured || Pointer.IsReference);
}

/// Whether \p V is a pointer to the tensor, which others may copy.
bool Follower::isPointerTo(ValueId V) const {
  const Stmt *D = V ? DefOf[V] : nullptr;
  return D && (D->isOpaque()
                   ? D->O == Op::AddressOf || D->is(Attribute::GivesPointer)
                   : D->O == Op::Load && F.Vars[D->Var].Type == VarType::Other);
}

/// Pointer \p V, that held the tensor, goes or is set to another.
void Follower::dropPointer(State &S, VarId V) const {
  S.Immortal = S.Immortal || (S.OnHeap && F.Vars[V].Borrows);
}

/// Whether what \p V holds is there after the function returns.
bool Follower::outlives(VarId V) const {
  const Variable &Var = F.Vars[V];
  if (Var.IsPointee && Var.Base < ThisBase && F.Vars[Var.Base].IsParam &&
      F.Vars[Var.Base].Borrows)
    return true; // behind a pointer of the caller's
  if (Var.Base != NoId && Var.Base != ThisBase)
    return outlives(Var.Base);
  return Var.IsMember || Var.IsStatic || (Var.IsReference && Var.IsParam);
}

/// Whether \p V holds the tensor, itself or in a field.
bool Follower::holds(const State &S, VarId V) const {
  for (VarId H : S.Holders)
    for (VarId B = H; B != NoId && B != ThisBase; B = F.Vars[B].Base)
      if (B == V)
        return true;
  return false;
}

/// Whether call \p Context is \p Outer or inside of it.
bool Follower::isWithin(uint32_t Context, uint32_t Outer) const {
  while (Context != Outer && Context)
    Context = F.Contexts[Context].Parent;
  return Context == Outer;
}

/// The call that the function itself makes, on the way to \p Context; 0 for its
/// own statements.
uint32_t Follower::calledFromRoot(uint32_t Context) const {
  while (Context && F.Contexts[Context].Parent)
    Context = F.Contexts[Context].Parent;
  return Context;
}

/// Whether the result is the tensor the operation is called on, for certain.
bool Follower::sharesSelf(const Stmt &At) const {
  switch (opClass(At.O)) {
  case OpClass::InPlaceMeta:
  case OpClass::InPlaceData:
    return true;
  case OpClass::View:
    return T == Target::Storage || At.O == Op::SelfHandle;
  default:
    return false;
  }
}

bool Follower::mayBeSelf(const Stmt &At) const {
  if (opClass(At.O) != OpClass::MaybeCopy || (T == Target::Object && isNew(At)))
    return false;
  if (C.Opaque.SureCopies.count(&At))
    return false;
  if (auto It = C.Opaque.Contiguous.find(&At); It != C.Opaque.Contiguous.end())
    return It->second.Redundant || It->second.Unreported || It->second.Unknown;
  if (auto It = C.Opaque.Copies.find(&At);
      At.O != Op::To && It != C.Opaque.Copies.end())
    return It->second.Shares || It->second.Unknown;
  return true;
}

/// The container of pointers, or the accessor, that \p At reads or hands on, if
/// it is filled with some of the tensor's.
const Stmt *Follower::usedContainer(const State &S, const Arg &A,
                                    const Stmt &At) const {
  if (A.Var == NoId || A.R != Role::Write || changesContainer(At) ||
      !(At.Derives || At.is(Attribute::Subscript) ||
        F.Vars[A.Var].Type == VarType::List))
    return nullptr;
  auto It = S.Carriers.find(A.Var);
  return It == S.Carriers.end() ? nullptr : It->second;
}

/// False when the tensor need not be followed further on this path.
bool Follower::opaque(State &S, const Block &B, const Stmt &At) {
  const Stmt *Borrow = nullptr;
  // A container of the library's that keeps what it is given.
  const Arg *Into = nullptr;
  for (const Arg &A : At.Args)
    if (A.Var != NoId && A.R == Role::Write && F.Vars[A.Var].IsContainer &&
        (At.O == Op::Assign ||
         (&A == At.Args.begin() && changesContainer(At))) &&
        !F.Vars[A.Var].IsCaptured)
      Into = Into ? Into : &A;
  if (At.O == Op::Delete && !At.Args.empty() &&
      S.Owners.count(At.Args[0].Value)) {
    for (auto It = S.Holders.begin(); It != S.Holders.end();)
      It = F.Vars[*It].Borrows ? S.Holders.erase(It) : std::next(It);
    S.Owners.clear();
    S.OnHeap = false;
    if (S.Holders.empty())
      S.Lost = &At;
    return true;
  }
  // A thread may be waited for by other means than join(): by a call made for
  // it, or by one that reads what the thread writes.
  if (At.is(Attribute::Detaches)) {
    for (const Arg &A : At.Args) {
      if (auto It = S.Pointers.find(A.Value); A.Value && It != S.Pointers.end())
        S.Detached = It->second;
      if (auto It = S.Carriers.find(A.Var); It != S.Carriers.end())
        S.Detached = It->second;
    }
  } else if (At.is(Attribute::Waits)) {
    S.Detached = nullptr;
  }
  bool Keeps = false;
  // What is stored next is the empty list, or the longer one.
  const bool Clears =
      addsToList(At) ||
      (At.is(Attribute::Clears) && !At.Args.empty() && At.Args[0].Var != NoId &&
       F.Vars[At.Args[0].Var].Type == VarType::List);
  for (const Arg &A : At.Args) {
    const bool Held = A.Value && S.Owners.count(A.Value);
    // It may be kept, or assigned.
    if (Clears &&
        (A.R == Role::Keep || (A.Var != NoId && S.Holders.count(A.Var))))
      continue;
    if (A.Var != NoId && S.Holders.count(A.Var) && takesLast(S, At)) {
      S.Holders.erase(A.Var);
      S.LastIn.erase(A.Var);
      if (S.Holders.empty())
        S.Lost = &At;
      return true;
    }
    if (A.Var != NoId && S.Holders.count(A.Var) && A.R == Role::Write) {
      if (F.Vars[A.Var].Type == VarType::List) {
        // Where v.erase() is to begin, known by the index that stands for it.
        if (&A == At.Args.begin() && isIterator(At) && At.Result &&
            erases(B, At, A.Var))
          continue;
        const Stmt *Change = changeBefore(B, At, A.Var);
        if (Change && (!S.Vague || S.Owners.count(Change->Result)))
          continue;
      } else if (F.Vars[A.Var].IsContainer) {
        const auto Lets = inContainer(S, At, A);
        if (!Lets)
          continue;
        if (*Lets) {
          S.Holders.erase(A.Var);
          S.Slots.erase(A.Var);
          if (S.Holders.empty())
            S.Lost = &At;
          continue;
        }
      }
    }
    if (Held && A.R == Role::Keep && (Into || keepsInList(B, At))) {
      Keeps = true;
      continue;
    }
    if ((Held && A.R != Role::Read) ||
        (A.Var != NoId && A.R == Role::Write &&
         (holds(S, A.Var) || (holdsPointee(S, A.Var) && mayReach(A, At)))) ||
        (Held && At.Reaches >= Reach::Pointees && isPointerTo(A.Value))) {
      MayBeKept = true;
      return false;
    }
    if (auto It = S.Pointers.find(A.Value); A.Value && It != S.Pointers.end())
      Borrow = It->second;
  }
  if (Keeps && Into) {
    std::string Key;
    if (const Arg *Element = findArg(At, "element")) {
      const Stmt *D = DefOf[Element->Value];
      Key = D && D->Args.size() > 1 ? keyOf(D->Args[1].Value) : "";
    } else if (At.Args.size() == 3) {
      Key = keyOf(At.Args[1].Value);
    } else if (At.Args.size() == 2) {
      const Stmt *D = DefOf[At.Args[1].Value]; // {"key", t}
      Key = D && D->O == Op::List && D->Args.size() == 2
                ? keyOf(D->Args[0].Value)
                : "";
    }
    const bool Twice = !S.Holders.insert(Into->Var).second;
    S.Slots[Into->Var] = Twice ? "" : Key;
    S.Lost = nullptr;
  }
  for (const Arg &A : At.Args) {
    if (A.Var == NoId || A.R != Role::Write ||
        (At.Derives && !changesContainer(At)))
      continue;
    if (!changesContainer(At) || assigns(At))
      S.Carriers.erase(A.Var);
    if (changesContainer(At) && Borrow && F.Vars[A.Var].Borrows)
      S.Carriers[A.Var] = Borrow;
  }
  return true;
}

void Follower::store(State &S, const Stmt &At) {
  const VarId V = At.Var;
  const ValueId From = At.Args.empty() ? 0 : At.Args[0].Value;
  const bool Owns = From && S.Owners.count(From);
  const std::string Slot = Owns ? slotIn(S, From) : "";
  bool Held = S.Holders.erase(V);
  if (Held && !Owns)
    dropPointer(S, V);
  if (!Owns && holdsPointee(S, V)) // *p = t
    Held = S.Holders.erase(F.Vars[V].Base);
  S.Slots.erase(V);
  if (!Slot.empty())
    S.Slots[V] = Slot;
  for (VarId B = V; B != NoId && B != ThisBase; B = F.Vars[B].Base)
    S.Carriers.erase(B);
  S.LastIn.erase(V);
  // What a reference refers to holds it longer than the reference.
  S.Immortal = S.Immortal ||
               (Owns && F.Vars[V].IsReference && !At.Binds && !outlives(V));
  if (Owns)
    S.Holders.insert(V), S.Lost = nullptr;
  if (Owns && DefOf[From] && DefOf[From]->O == Op::New)
    S.OnHeap = true;
  if (From && isLast(S, From))
    S.LastIn.insert(V);
  if (auto It = S.Pointers.find(From);
      From && It != S.Pointers.end() && mayBorrow(V))
    S.Carriers[V] = It->second;
  if (Held && S.Holders.empty())
    S.Lost = &At; // a temporary may hold it to the end of the statement
}

/// A followed call is over and its result is read: parameters, locals and
/// temporaries of the callee are gone.
void Follower::endCall(State &S, const Stmt &At) {
  const uint32_t Call = F.Vars[At.Var].Context;
  bool Returns = S.Holders.count(At.Var);
  for (auto It = S.Holders.begin(); It != S.Holders.end();)
    if (const Variable &V = F.Vars[*It];
        V.Context && isWithin(V.Context, Call) && !V.IsMember && !V.IsStatic)
      It = S.Holders.erase(It);
    else
      ++It;
  for (auto It = S.Owners.begin(); It != S.Owners.end();)
    if (DefOf[*It] && DefOf[*It]->Context &&
        isWithin(DefOf[*It]->Context, Call))
      It = S.Owners.erase(It);
    else
      ++It;
  S.Owners.erase(At.Result);
  S.Pointers.erase(At.Result);
  if (Returns)
    S.Owners.insert(At.Result);
  if (auto It = S.Carriers.find(At.Var); It != S.Carriers.end()) {
    S.Pointers[At.Result] = It->second;
    S.Carriers.erase(It);
  }
}

/// Parameters, locals and temporaries of calls that are over when a statement
/// of call \p Now runs.
void Follower::dropEnded(State &S, uint32_t Now) const {
  for (auto It = S.Holders.begin(); It != S.Holders.end();)
    if (const Variable &V = F.Vars[*It];
        V.Context && !V.IsMember && !V.IsStatic && !isWithin(Now, V.Context))
      It = S.Holders.erase(It);
    else
      ++It;
  for (auto It = S.Owners.begin(); It != S.Owners.end();)
    if (DefOf[*It] && DefOf[*It]->Context &&
        !isWithin(Now, DefOf[*It]->Context))
      It = S.Owners.erase(It);
    else
      ++It;
}

/// The function returns: what is local dies.
void Follower::leave(State &S, const Stmt &At) {
  S.Immortal = S.Immortal && !isTemporary();
  bool Alive = S.Immortal;
  for (VarId V : S.Holders)
    Alive = Alive || outlives(V);
  MayBeKept = MayBeKept || Alive;
  if (S.Immortal || (Alive && !S.Broken))
    return;
  for (const Arg &A : At.Args) {
    if (S.Owners.count(A.Value)) {
      MayBeKept = true;
      return; // the caller gets it
    }
    if (auto It = S.Pointers.find(A.Value);
        It != S.Pointers.end() &&
        (F.ReturnsBorrowed || F.ReturnsTensor || F.Returns == VarType::Int))
      report(S, It->second, At);
  }
  for (const auto &[V, Borrow] : S.Carriers)
    if (outlives(V) && !F.Vars[V].IsEnclosing)
      KeptPointers.push_back(
          {S, Borrow, &At, "'" + markVariable(F, V, F.Vars[V].Context) + "'"});
  if (S.Detached)
    KeptPointers.push_back({S, S.Detached, &At, "a detached thread"});
}

bool Follower::step(State &S, const Block &B, const Stmt &At) {
  auto Pointer = [&](const Arg &A) -> const Stmt * {
    auto It = A.Value ? S.Pointers.find(A.Value) : S.Pointers.end();
    return It == S.Pointers.end() ? nullptr : It->second;
  };
  const bool TakesResult = At.O == Op::Load && F.Vars[At.Var].IsResult;
  if (!TakesResult)
    dropEnded(S, At.Context);
  switch (At.O) {
  case Op::Load:
    if (TakesResult) {
      endCall(S, At);
      // What dies in the callee is found where the callee stands for itself.
      return S.alive() || S.Pointers.empty() || !Maker || !Maker->Context;
    }
    S.Owners.erase(At.Result);
    S.Pointers.erase(At.Result);
    if (holds(S, At.Var) || holdsPointee(S, At.Var))
      S.Owners.insert(At.Result);
    // A pointer, the field of an object made with it, an object with it in a
    // field.
    for (VarId B = At.Var; B != NoId && B != ThisBase; B = F.Vars[B].Base)
      if (auto It = S.Carriers.find(B);
          It != S.Carriers.end() && mayBorrow(At.Var))
        S.Pointers[At.Result] = It->second;
    for (const auto &[V, Borrow] : S.Carriers)
      for (VarId B = V; B != NoId && B != ThisBase; B = F.Vars[B].Base)
        if (B == At.Var)
          S.Pointers[At.Result] = Borrow;
    return true;
  case Op::Store:
    store(S, At);
    return true;
  case Op::ScopeEnd: {
    bool Held = S.Holders.erase(At.Var);
    S.Carriers.erase(At.Var);
    S.Slots.erase(At.Var);
    if (Held)
      dropPointer(S, At.Var);
    if (Held && S.Holders.empty())
      S.Lost = &At;
    return true;
  }
  case Op::FullExprEnd:
    if (isTemporary() && isWithin(Maker->Context, At.Context))
      S.Immortal = false;
    for (auto It = S.Owners.begin(); It != S.Owners.end();)
      if (DefOf[*It] && isWithin(DefOf[*It]->Context, At.Context))
        It = S.Owners.erase(It);
      else
        ++It;
    return true;
  case Op::Return:
    leave(S, At);
    return false;
  case Op::Throw:
    return false;
  default:
    break;
  }
  // Uses of a dead pointer.
  const bool Passes = At.Derives || At.O == Op::Phi || At.O == Op::List ||
                      At.O == Op::Temporary;
  const bool Borrows = T == Target::Storage && borrowsOn(At);
  if (!Passes && !Borrows && !onlyCompares(At) && isDead(S) &&
      opClass(At.O) != OpClass::Integer)
    for (const Arg &A : At.Args) {
      const Stmt *B = Pointer(A);
      if (!B)
        B = usedContainer(S, A, At);
      if (B && !changesContainer(At)) {
        report(S, B, At);
        return false;
      }
    }
  // Which element an operation reads depends on what is in it before.
  bool Owner = false;
  for (const Arg &A : At.Args)
    if (At.isOpaque() && A.Var != NoId && &A == At.Args.begin() &&
        readsElement(At) && F.Vars[A.Var].IsContainer &&
        S.Holders.count(A.Var)) {
      bool Vague = false;
      Owner = isElement(S, At, A, Vague);
      S.Vague = S.Vague || Vague;
    }
  if (At.isOpaque() && !opaque(S, B, At))
    return false;
  // What the result has to do with it.
  const Stmt *Borrow = nullptr;
  for (const Arg &A : At.Args) {
    bool Mine = A.Value && S.Owners.count(A.Value);
    bool Self = A.Name == "self" || A.Name == "out";
    if (Mine && At.O == Op::ListGet) {
      bool Vague = false;
      Owner = Owner || isElement(S, At, A, Vague);
      S.Vague = S.Vague || Vague;
    } else if (Mine && (At.O == Op::ListSet || At.O == Op::ListErase) &&
               &A == At.Args.begin()) {
      const std::string Slot = slotIn(S, A.Value);
      Owner =
          Owner || Slot.empty() || S.Vague || Slot != keyOf(At.Args[1].Value);
    } else if (Mine && At.O == Op::ListOf) { // resize()
      const std::string Slot = slotIn(S, A.Value);
      const auto Size = Lengths.number(At.Args[0].Value);
      int64_t I;
      Owner = !Size || S.Vague || Slot.empty() ||
              llvm::StringRef(Slot).drop_front().getAsInteger(10, I) ||
              I < *Size;
    } else if (Mine && (Passes || At.O == Op::ListCopy ||
                        At.O == Op::ListInsert || At.O == Op::ListSet ||
                        (At.isOpaque() && !At.IsScalar && !Owner &&
                         !(A.Var != NoId && F.Vars[A.Var].IsContainer)) ||
                        (Self && (sharesSelf(At) || mayBeSelf(At)))))
      Owner = true;
    if (Mine && Self && !S.Broken) {
      if (At.O == Op::DataPtr && T == Target::Storage)
        Borrow = &At;
      if (At.O == Op::Accessor &&
          (T == Target::Object) == At.is(Attribute::BorrowsSizes))
        Borrow = &At;
      if (T == Target::Object && (At.O == Op::Sizes || At.O == Op::Strides))
        Borrow = &At;
    }
    if (Passes || (Borrows && (A.Name == "self" || A.Name == "data")))
      if (const Stmt *B = Pointer(A) ? Pointer(A) : usedContainer(S, A, At))
        Borrow = B;
    if (Mine && Self && movesMemory(At, T)) {
      if (T == Target::Storage && At.O == Op::Resize) {
        auto Site = C.Opaque.SelfSites.find(&At);
        if (Site != C.Opaque.SelfSites.end() && !Site->second.Other)
          continue; // it never grows
      }
      // Which of several handles of one tensor it moves is not followed.
      if (S.Holders.size() > 1)
        return false;
      if (!S.Carriers.empty() || !S.Pointers.empty())
        S.Broken = &At;
    }
  }
  if (!At.Result)
    return true;
  S.Owners.erase(At.Result);
  S.Pointers.erase(At.Result);
  if (&At == Maker) // in a loop: another tensor, followed by its own state
    return true;
  if (Owner)
    S.Owners.insert(At.Result);
  if (Borrow)
    S.Pointers[At.Result] = Borrow;
  return true;
}

void Follower::run() {
  std::vector<std::set<State>> Seen(F.Blocks.size());
  std::vector<std::pair<BlockId, State>> Work;
  auto Go = [&](BlockId B, State S) {
    if (B != NoId && Seen[B].size() < MaxStates && Seen[B].insert(S).second)
      Work.push_back({B, std::move(S)});
  };
  auto Walk = [&](BlockId B, size_t From, State S) {
    const Block &Blk = F.Blocks[B];
    for (size_t I = From; I < Blk.Stmts.size(); ++I)
      if (!step(S, Blk, Blk.Stmts[I]))
        return;
    if (!S.alive() && S.Carriers.empty() && S.Pointers.empty())
      return;
    for (size_t I = 0; I < Blk.Succs.size(); ++I) {
      State Next = S;
      if (!Paths.takes(B, I, Next.Known))
        continue;
      Go(Blk.Succs[I], std::move(Next));
    }
  };
  if (!Maker) {
    State S;
    S.Immortal = true;
    S.Holders.insert(Param);
    Go(F.Entry, std::move(S));
  }
  for (BlockId B = 0; Maker && B < F.Blocks.size(); ++B)
    for (size_t I = 0; I < F.Blocks[B].Stmts.size(); ++I)
      if (&F.Blocks[B].Stmts[I] == Maker) {
        State S;
        if (Maker->O == Op::Temporary)
          S.Pointers[Maker->Result] = Maker;
        else
          S.Owners.insert(Maker->Result);
        S.Immortal = isTemporary();
        S.Known = Paths.before(B);
        Walk(B, I + 1, std::move(S));
      }
  while (!Work.empty()) {
    auto [B, S] = std::move(Work.back());
    Work.pop_back();
    Walk(B, 0, std::move(S));
  }
  if (!MayBeKept)
    for (const Kept &K : KeptPointers)
      report(K.S, K.Borrow, *K.Use, K.In);
}

/// When the operation makes a tensor of its own: "; only when ...", or never.
std::string Follower::whenText(bool &Never) const {
  Never = false;
  if (!Maker || opClass(Maker->O) != OpClass::MaybeCopy ||
      (T == Target::Object && isNew(*Maker)))
    return "";
  if (auto It = C.Opaque.Contiguous.find(Maker);
      It != C.Opaque.Contiguous.end()) {
    Never = !It->second.Other && !It->second.Unknown;
  } else if (auto At = C.Opaque.Copies.find(Maker);
             Maker->O != Op::To && At != C.Opaque.Copies.end()) {
    Never = !At->second.Copies && !At->second.Unknown;
  } else {
    auto Site = C.Opaque.SelfSites.find(Maker);
    Never = Site == C.Opaque.SelfSites.end() || !Site->second.Other;
  }
  if (!mayBeSelf(*Maker))
    return "";
  const Arg *A = findArg(*Maker, "self");
  std::string Name = A ? nameOf(A->Value) : "";
  Name = Name.empty() ? "its tensor" : "'" + Name + "'";
  if (Maker->O == Op::Contiguous)
    return "; only when " + Name +
           " is not contiguous, so tests with contiguous input pass";
  if (Maker->O == Op::To)
    return "; only when " + Name + " is not of that dtype and device already";
  return "; only when " + Maker->Text + "() has to copy";
}

void Follower::report(const State &S, const Stmt *Borrow, const Stmt &Use,
                      const std::string &KeptIn) {
  bool Never = false;
  std::string When = whenText(Never);
  if (Never || Reported.count(Borrow))
    return;
  const bool Meta = T == Target::Object;
  const bool IsView = Borrow->O == Op::Temporary;
  const bool Returns = Use.O == Op::Return;
  const bool AtBorrow = !S.Broken && !S.Lost && (!Returns || !KeptIn.empty());
  const Stmt &At = AtBorrow || !KeptIn.empty() ? *Borrow : Use;
  // What happens within one callee is its own matter.
  const uint32_t Call = calledFromRoot(At.Context);
  if (Call && Call == calledFromRoot((AtBorrow ? Use : *Borrow).Context))
    return;
  Reported.insert(Borrow);
  std::string Pointer = IsView ? "the list" : Borrow->Text + "()";
  Finding Found(Check::DanglingDataPointer, 0, At);
  if (Call)
    Found.Where = Found.Point = F.Contexts[Call].Where;
  std::string Made = nameOfMaker();
  if (!Made.empty())
    Made = ", the result of " + Made + ",";
  if (IsView) {
    const bool FromHere = Returns && KeptIn.empty();
    Found.Message =
        std::string(FromHere ? "returns a view of " : "this is a view of ") +
        Borrow->Text + ", which is gone " +
        (FromHere ? "when the function returns"
                  : "at the end of this statement");
  } else if (!KeptIn.empty()) {
    Found.Message = Pointer + " is kept in " + KeptIn +
                    ", which outlives the tensor it points into" + When;
  } else if (AtBorrow) {
    Found.Message = Pointer + " points into a temporary" + Made +
                    " that is gone at the end of this statement" + When;
  } else if (Returns && !S.Broken) {
    Found.Message = "returns " + Pointer +
                    " of a tensor that is gone when the "
                    "function returns" +
                    When;
  } else if (S.Broken) {
    Found.Message =
        "used after " + S.Broken->Text + "(): " + Pointer +
        (Meta ? " points to the sizes the tensor had"
              : " points to the memory the tensor had") +
        (S.Broken->O == Op::Resize && !Meta ? "; only when it grows" : "");
  } else {
    Found.Message = std::string("used after ") + lossOf(*S.Lost) +
                    "the tensor that " + Pointer + " points into is gone" +
                    When;
  }
  if (AtBorrow || !KeptIn.empty()) {
    if (Call)
      Found.Notes.push_back({Borrow->point(), "the pointer comes from here"});
    if (KeptIn.empty())
      Found.Notes.push_back({Use.point(), "used here, after that"});
    if (AtBorrow && KeptIn.empty() && Maker) {
      const Arg *A = findArg(*Maker, "self");
      nameObject(F, *Borrow, A ? nameOf(A->Value) : "", Maker->Text, "", Found);
    }
  } else {
    Found.Notes.push_back({Borrow->point(), "the pointer comes from here"});
    if (S.Broken || (S.Lost && S.Lost->Where.Begin))
      Found.Notes.push_back({(S.Broken ? S.Broken : S.Lost)->point(),
                             S.Broken ? "changed in place here"
                                      : "the last handle is released here"});
  }
  C.Out.push_back(std::move(Found));
}

/// Makes a tensor whose memory nobody else holds.
static bool makesTensor(const Stmt &S, Target T) {
  if (!S.Result || isGgml(S.O))
    return false;
  switch (opClass(S.O)) {
  case OpClass::Copy:
  case OpClass::Compute:
    return true;
  case OpClass::MaybeCopy:
    return S.O != Op::OtherMaybeCopy &&
           S.O != Op::SameSizes; // perhaps somebody's: grad()
  case OpClass::Factory:
    return S.O != Op::FromBlob || T == Target::Object;
  case OpClass::View:
    return T == Target::Object && S.O != Op::SelfHandle && S.O != Op::OtherView;
  default:
    return false;
  }
}

} // namespace dangling

using namespace dangling;

void checkDanglingDataPointer(CheckRun &C) {
  const Function &F = C.F;
  bool Points = false, Meta = false;
  std::set<VarId> Changed;
  Definitions DefOf(F.NextValue, nullptr);
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.Result)
      DefOf[S.Result] = &S;
  });
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    Points |= S.O == Op::DataPtr || S.O == Op::Accessor;
    Meta |= S.O == Op::Sizes || S.O == Op::Strides || S.O == Op::Accessor;
    const Arg *A = findArg(S, "self");
    if (A && movesMemory(S, Target::Object))
      if (const Stmt *D = DefOf[A->Value];
          D && D->O == Op::Load &&
          (F.Vars[D->Var].IsParam || F.Vars[D->Var].IsMember))
        Changed.insert(D->Var);
  });
  checkListViews(C);
  const ListLengths Lengths(F, DefOf);
  const PathConditions &Paths = C.Flow.paths();
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.O == Op::Temporary && !S.Keeps)
      Follower(C, DefOf, Lengths, Paths, Target::Storage, &S, NoId).run();
    if (Points && makesTensor(S, Target::Storage))
      Follower(C, DefOf, Lengths, Paths, Target::Storage, &S, NoId).run();
    if (Meta && makesTensor(S, Target::Object))
      Follower(C, DefOf, Lengths, Paths, Target::Object, &S, NoId).run();
  });
  for (VarId V : Changed)
    for (Target T : {Target::Storage, Target::Object})
      if (T == Target::Storage ? Points : Meta)
        Follower(C, DefOf, Lengths, Paths, T, nullptr, V).run();
}

} // namespace tensortidy::analysis
