//===- FromBlobLifetime.cpp - tensor-from-blob-lifetime -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one path. from_blob() borrows: the tensor, its views and what
// calls return that make no copy are followed until the memory dies.
//
//   %2 = opaque "data" write $buf       where the pointer comes from
//   %5 = from_blob data=%2 sizes=%4     borrowers {%5}, memory $buf
//   %6 = contiguous self=%5             proved to be %5: borrowers {%5, %6}
//   return %6                           a finding: $buf is a local
//
// What the call itself gets wrong (dtype, strides, size) the interpreter has
// found out: see RunResult::Blobs.
//
//===----------------------------------------------------------------------===//

#include "Analysis/CheckRun.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace tensortidy::analysis {

using namespace program;

namespace {

using Definitions = std::vector<const Stmt *>; ///< by ValueId

/// One path's view of one call of from_blob().
struct State {
  std::set<ValueId> Values; ///< that borrow
  std::set<VarId> Holders;
  std::set<VarId> Keepers;      ///< containers with it, of any kind
  const Stmt *NoCopy = nullptr; ///< a call that looks like a copy
  const Stmt *Moved = nullptr;  ///< may have moved the memory
  bool Dead = false;            ///< the memory is gone

  bool operator<(const State &O) const {
    return std::tie(Values, Holders, Keepers, NoCopy, Moved, Dead) <
           std::tie(O.Values, O.Holders, O.Keepers, O.NoCopy, O.Moved, O.Dead);
  }
};

constexpr size_t MaxStates = 16; ///< of one call at one block

class Borrower {
public:
  Borrower(CheckRun &C, const Definitions &DefOf, const Stmt &Maker,
           VarId Memory)
      : C(C), F(C.F), DefOf(DefOf), Maker(Maker), Memory(Memory) {}

  void run();

private:
  bool step(State &S, const Stmt &At);
  bool opaque(State &S, const Stmt &At);
  bool isMemory(const Arg &A) const {
    const Stmt *D = A.Value ? DefOf[A.Value] : nullptr;
    return D && D->O == Op::Load && D->Var == Memory;
  }
  bool isSelf(const Stmt &At) const;
  bool outlives(VarId V) const;
  void report(const State &S, const Stmt &At, bool Leaving,
              const std::string &Message);

  CheckRun &C;
  const Function &F;
  const Definitions &DefOf;
  const Stmt &Maker;
  VarId Memory;
  bool Reserved = false; ///< somebody saw to it that it does not grow
  /// On some path a holder is changed in a way that is not followed.
  bool HolderChanges = false;
  std::optional<Finding> Leaves; ///< the function with a holder
  bool Reported = false;
};

/// Methods that leave a container's memory where it is.
bool leavesMemory(const Stmt &S) {
  for (llvm::StringRef Name :
       {"data", "begin", "end", "cbegin", "cend", "operator[]", "at", "front",
        "back", "size", "fill", "more", "index"})
    if (S.Text == Name)
      return true;
  return false;
}

/// Methods that put an element into a container.
bool fillsContainer(const Stmt &S) {
  for (llvm::StringRef Name :
       {"push_back", "emplace_back", "push_front", "insert", "emplace",
        "insert_or_assign", "try_emplace"})
    if (S.Text == Name)
      return true;
  return false;
}

/// Methods that move a container's memory when it grows.
bool growsMemory(const Stmt &S) {
  return fillsContainer(S) || S.Text == "resize" || S.Text == "reserve" ||
         S.Text == "shrink_to_fit";
}

} // namespace

/// Whether the result is the tensor it is called on, or a view of it, for
/// certain.
bool Borrower::isSelf(const Stmt &At) const {
  switch (opClass(At.O)) {
  case OpClass::InPlaceMeta:
  case OpClass::InPlaceData:
  case OpClass::View:
    return true;
  case OpClass::MaybeCopy:
    break;
  default:
    return false;
  }
  if (auto It = C.Opaque.Contiguous.find(&At); It != C.Opaque.Contiguous.end())
    return !It->second.Other && !It->second.Unknown;
  if (auto It = C.Opaque.Copies.find(&At);
      At.O != Op::To && It != C.Opaque.Copies.end())
    return !It->second.Copies && !It->second.Unknown;
  auto It = C.Opaque.SelfSites.find(&At);
  return It != C.Opaque.SelfSites.end() && !It->second.Other;
}

bool Borrower::outlives(VarId V) const {
  const Variable &Var = F.Vars[V];
  if (Var.Base != NoId && Var.Base != ThisBase)
    return outlives(Var.Base);
  return (Var.IsMember && !Var.IsEnclosing) || Var.IsStatic ||
         (Var.IsReference && Var.IsParam);
}

/// False when the memory may have moved on, or may live longer than we see.
bool Borrower::opaque(State &S, const Stmt &At) {
  const bool Fills = fillsContainer(At);
  bool Keeps = false;
  for (const Arg &A : At.Args) {
    const bool Own = A.Var == Memory || isMemory(A);
    // The object of the call, and not what is moved into another.
    if (Own && A.R == Role::Write && &A == At.Args.begin() && growsMemory(At) &&
        !Reserved)
      S.Moved = &At;
    else if ((A.Var == Memory && A.R == Role::Write && !leavesMemory(At)) ||
             (A.R != Role::Read && isMemory(A)))
      return false;
    Keeps |= A.R == Role::Keep && A.Value && S.Values.count(A.Value);
  }
  for (const Arg &A : At.Args) {
    if (A.Var == NoId || A.R != Role::Write || A.Var == Memory)
      continue;
    // What a list of tensors becomes is stored next.
    if (S.Holders.count(A.Var) && !Fills) {
      HolderChanges = true;
      return false;
    }
    if (Keeps && (Fills || At.Text == "="))
      S.Keepers.insert(A.Var);
    else if (!Fills && !leavesMemory(At))
      S.Keepers.erase(A.Var);
  }
  return true;
}

bool Borrower::step(State &S, const Stmt &At) {
  auto Borrows = [&](const Arg &A) {
    return A.Value && S.Values.count(A.Value);
  };
  switch (At.O) {
  case Op::Load:
    S.Values.erase(At.Result);
    if (S.Holders.count(At.Var))
      S.Values.insert(At.Result);
    return true;
  case Op::Store: {
    const Arg *From = At.Args.empty() ? nullptr : &At.Args[0];
    if (At.Var == Memory && From) {
      const Stmt *New = DefOf[From->Value];
      const bool Changed =
          New && (New->O == Op::ListInsert || New->O == Op::ListSet);
      if (!Changed && !Reserved)
        S.Moved = &At;
      return Changed || !Reserved;
    }
    if (At.Var == Memory || (From && isMemory(*From)))
      return false; // declared again, or something else holds it
    S.Holders.erase(At.Var);
    S.Keepers.erase(At.Var);
    if (From && Borrows(*From))
      S.Holders.insert(At.Var);
    return true;
  }
  case Op::ScopeEnd:
    S.Dead |= At.Var == Memory;
    S.Holders.erase(At.Var);
    S.Keepers.erase(At.Var);
    return true;
  case Op::Return: {
    const std::string Name = "'" + F.Vars[Memory].Name + "'";
    for (const Arg &A : At.Args)
      if (isMemory(A))
        return false;
    for (const Arg &A : At.Args)
      if (Borrows(A))
        report(S, At, true,
               "returns a tensor that borrows the memory of " + Name +
                   ", which is gone when the function returns");
    S.Keepers.insert(S.Holders.begin(), S.Holders.end());
    for (VarId V : S.Keepers)
      if (outlives(V))
        report(S, Maker, true,
               "'" + F.Vars[V].Name + "' keeps a tensor that borrows the " +
                   "memory of " + Name +
                   ", which is gone when the function returns");
    return false;
  }
  case Op::Throw:
    return false;
  case Op::List:
  case Op::Phi:
    for (const Arg &A : At.Args)
      if (isMemory(A))
        return false;
    break;
  default:
    break;
  }
  if (&At == &Maker) {
    S.Values.insert(At.Result);
    S.Dead = false;
    S.Moved = nullptr;
    return true;
  }
  if (At.O == Op::Opaque && !opaque(S, At))
    return false;
  bool Takes = false;
  for (const Arg &A : At.Args) {
    if (!Borrows(A))
      continue;
    const bool Structure = opClass(At.O) == OpClass::Structure;
    if ((S.Dead || S.Moved) && !Structure && &At != S.Moved) {
      report(S, At, false,
             "the tensor borrows the memory of '" + F.Vars[Memory].Name +
                 "', which " +
                 (S.Dead ? "went with its block"
                  : S.Moved->O == Op::Opaque
                      ? S.Moved->Text + "() moves when it grows"
                      : "was assigned anew"));
      return false;
    }
    const bool Self = A.Name == "self" || A.Name == "out";
    Takes |=
        (Structure && At.O != Op::ListSize) || (Self && isSelf(At)) ||
        (At.O == Op::Opaque && (At.Text == "lambda" || At.Text == "function" ||
                                At.Text == "aggregate"));
    if (Self && opClass(At.O) == OpClass::MaybeCopy && isSelf(At))
      S.NoCopy = &At;
  }
  if (At.Result) {
    S.Values.erase(At.Result);
    if (Takes)
      S.Values.insert(At.Result);
  }
  return true;
}

void Borrower::report(const State &S, const Stmt &At, bool Leaving,
                      const std::string &Message) {
  if (Reported || (Leaving && Leaves))
    return;
  Reported = !Leaving;
  Finding Found(Check::FromBlobLifetime, 0, At);
  Found.Message = Message;
  if (At.Context) // used in a call that is followed
    Found.At = &At;
  if (&At != &Maker)
    Found.Notes.push_back(
        {Maker.point(),
         "from_blob() makes no copy; clone() its result to have one"});
  if (S.NoCopy)
    Found.Notes.push_back({S.NoCopy->Callee, S.NoCopy->Text +
                                                 "() copies nothing here: the "
                                                 "tensor is so already"});
  if (Leaving)
    Leaves = std::move(Found);
  else
    C.Out.push_back(std::move(Found));
}

void Borrower::run() {
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.O == Op::Opaque && S.Text == "reserve")
      for (const Arg &A : S.Args)
        Reserved |= A.Var == Memory || isMemory(A);
  });
  std::vector<std::set<State>> Seen(F.Blocks.size());
  std::vector<std::pair<BlockId, State>> Work;
  auto Walk = [&](BlockId B, size_t From, State S) {
    const Block &Blk = F.Blocks[B];
    for (size_t I = From; I < Blk.Stmts.size(); ++I)
      if (!step(S, Blk.Stmts[I]))
        return;
    if (S.Values.empty() && S.Holders.empty() && S.Keepers.empty())
      return;
    for (BlockId To : Blk.Succs)
      if (To != NoId && Seen[To].size() < MaxStates &&
          Seen[To].insert(S).second)
        Work.push_back({To, S});
  };
  for (BlockId B = 0; B < F.Blocks.size(); ++B)
    for (size_t I = 0; I < F.Blocks[B].Stmts.size(); ++I)
      if (&F.Blocks[B].Stmts[I] == &Maker)
        Walk(B, I, State());
  while (!Work.empty()) {
    auto [B, S] = std::move(Work.back());
    Work.pop_back();
    Walk(B, 0, std::move(S));
  }
  if (Leaves && !Reported && !HolderChanges)
    C.Out.push_back(std::move(*Leaves));
}

namespace {

/// Finds the variable whose own memory a pointer points into.
class MemoryOf {
public:
  MemoryOf(const Function &F, const Definitions &DefOf) : F(F), DefOf(DefOf) {
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.O == Op::Store && !S.Args.empty()) {
        const Stmt *From = DefOf[S.Args[0].Value];
        if (From && (From->O == Op::ListGet || From->O == Op::Load))
          Bound.insert(S.Var);
        auto [It, New] = OnlyStore.try_emplace(S.Var, &S);
        if (!New)
          It->second = nullptr;
      }
      if (S.O == Op::Opaque)
        for (const Arg &A : S.Args)
          if (A.R == Role::Write && A.Var != NoId && F.Vars[A.Var].Borrows)
            OnlyStore[A.Var] = nullptr;
    });
  }

  VarId find(ValueId V, unsigned Depth = 0) const {
    const Stmt *D = V ? DefOf[V] : nullptr;
    if (!D || Depth > 6)
      return NoId;
    if (D->O == Op::Load) {
      const Variable &Var = F.Vars[D->Var];
      if (!Var.Borrows) // an array
        return Var.Type == VarType::List ? local(D->Var) : NoId;
      auto It = OnlyStore.find(D->Var);
      return It != OnlyStore.end() && It->second && !Var.IsMember &&
                     !Var.IsParam
                 ? find(It->second->Args[0].Value, Depth + 1)
                 : NoId;
    }
    if (D->O != Op::Opaque || D->Args.empty())
      return NoId;
    const Arg &A = D->Args[0];
    if (D->Derives)
      return find(A.Value, Depth + 1);
    if (D->Text == "data" || D->Text == "begin") {
      const Stmt *Of = A.Value ? DefOf[A.Value] : nullptr;
      VarId V = A.Var != NoId             ? A.Var
                : Of && Of->O == Op::Load ? Of->Var
                                          : NoId;
      return V != NoId && F.Vars[V].Type == VarType::List ? local(V) : NoId;
    }
    if (D->Text == "get") {
      const Stmt *Of = A.Value ? DefOf[A.Value] : nullptr;
      auto It =
          Of && Of->O == Op::Load ? OnlyStore.find(Of->Var) : OnlyStore.end();
      const Stmt *Made = It != OnlyStore.end() && It->second
                             ? DefOf[It->second->Args[0].Value]
                             : nullptr;
      return Made && (Made->Text == "unique_ptr" || Made->Text == "make_unique")
                 ? local(Of->Var)
                 : NoId;
    }
    if (D->Text == "&") {
      const Stmt *Of = A.Value ? DefOf[A.Value] : nullptr;
      if (Of && Of->O == Op::ListGet && !Of->Args.empty())
        Of = DefOf[Of->Args[0].Value];
      return Of && Of->O == Op::Load && !F.Vars[Of->Var].Borrows
                 ? local(Of->Var)
                 : NoId;
    }
    return NoId;
  }

private:
  /// Variables whose memory goes when their block does.
  VarId local(VarId V) const {
    const Variable &Var = F.Vars[V];
    return Var.IsMember || Var.IsStatic || Var.IsReference || Var.Borrows ||
                   Var.IsResult || Var.Context || Bound.count(V)
               ? NoId
               : V;
  }

  const Function &F;
  const Definitions &DefOf;
  std::map<VarId, const Stmt *> OnlyStore;
  std::set<VarId> Bound; ///< to memory of something else, or moved from it
};

} // namespace

void checkFromBlobLifetime(CheckRun &C) {
  const Function &F = C.F;
  std::vector<const Stmt *> Blobs;
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.O == Op::FromBlob && !S.Context && S.Result)
      Blobs.push_back(&S);
  });
  if (Blobs.empty())
    return;
  for (const auto &[S, Site] : C.Opaque.Blobs) {
    if (Site.Message.empty() || S->InTry)
      continue;
    Finding Found(Check::FromBlobLifetime, 0, *S);
    Found.Message = Site.Message;
    Found.At = S;
    C.Out.push_back(std::move(Found));
  }
  Definitions DefOf(F.NextValue, nullptr);
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.Result)
      DefOf[S.Result] = &S;
  });
  const MemoryOf Memory(F, DefOf);
  for (const Stmt *S : Blobs) {
    const Arg *Data = findArg(*S, "data");
    if (!Data || findArg(*S, "deleter")) // that may own it
      continue;
    if (VarId V = Memory.find(Data->Value); V != NoId)
      Borrower(C, DefOf, *S, V).run();
  }
}

} // namespace tensortidy::analysis
