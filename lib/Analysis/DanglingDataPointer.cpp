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

#include "Analysis/CheckRun.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tensortidy::analysis {

using namespace program;

namespace {

/// What a pointer points into: the elements, or the sizes and strides that
/// belong to the tensor object.
enum class Target : uint8_t { Storage, Object };

/// One path's view of one tensor.
struct State {
  std::set<ValueId> Owners; ///< temporaries and values that hold it
  std::set<VarId> Holders;  ///< variables that do
  std::map<ValueId, const Stmt *> Pointers; ///< made by data_ptr() and others
  std::map<VarId, const Stmt *> Carriers;
  const Stmt *Lost = nullptr;   ///< took the last holder away
  const Stmt *Broken = nullptr; ///< moved the memory under a living tensor
  bool Immortal = false;        ///< a caller's

  bool alive() const { return Immortal || !Owners.empty() || !Holders.empty(); }
  bool operator<(const State &O) const {
    return std::tie(Owners, Holders, Pointers, Carriers, Lost, Broken,
                    Immortal) < std::tie(O.Owners, O.Holders, O.Pointers,
                                         O.Carriers, O.Lost, O.Broken,
                                         O.Immortal);
  }
};

constexpr size_t MaxStates = 32; ///< of one tensor at one block

using Definitions = std::vector<const Stmt *>; ///< by ValueId

class Follower {
public:
  Follower(CheckRun &C, const Definitions &DefOf, Target T, const Stmt *Maker,
           VarId Param)
      : C(C), F(C.F), DefOf(DefOf), T(T), Maker(Maker), Param(Param) {}

  void run();

private:
  bool step(State &S, const Stmt &At);
  void store(State &S, const Stmt &At);
  bool opaque(State &S, const Stmt &At);
  void leave(State &S, const Stmt &At);
  bool sharesSelf(const Stmt &At) const;
  bool mayBeSelf(const Stmt &At) const;
  void report(const State &S, const Stmt *Borrow, const Stmt &Use);
  std::string whenText(bool &Never) const;
  std::string nameOf(ValueId V) const;
  bool outlives(VarId V) const {
    const Variable &Var = F.Vars[V];
    return Var.IsMember || Var.IsStatic || (Var.IsReference && Var.IsParam);
  }

  CheckRun &C;
  const Function &F;
  const Definitions &DefOf;
  Target T;
  const Stmt *Maker; ///< null: the tensor of Param
  VarId Param;
  std::set<const Stmt *> Reported;
};

bool isIdentifier(const std::string &Name) {
  return !Name.empty() && std::all_of(Name.begin(), Name.end(), [](char Ch) {
    return llvm::isAlnum(Ch) || Ch == '_';
  });
}

bool isResize(const Stmt &S) { return S.O == Op::Resize; }

/// Changes the number of dimensions, or the memory, of self.
bool movesMemory(const Stmt &S, Target T) {
  if (S.O == Op::Resize || S.Text == "set_")
    return true;
  return T == Target::Object &&
         (S.O == Op::SqueezeInPlace || S.O == Op::UnsqueezeInPlace);
}

/// Computes with the pointer, reads nothing through it.
bool isAddressArithmetic(const Stmt &S) {
  return S.O == Op::Opaque &&
         (S.Text == "+" || S.Text == "-" || S.Text == "++" || S.Text == "--" ||
          S.Text == "+=" || S.Text == "-=" || S.Text == "aggregate");
}

bool onlyCompares(const Stmt &S) {
  if (S.O == Op::Opaque)
    return S.Text == "==" || S.Text == "!=" || S.Text == "!" || S.Text == "<" ||
           S.Text == "ImplicitCastExpr";
  return S.O == Op::ListSize || opClass(S.O) == OpClass::Condition ||
         S.O == Op::Assume;
}

} // namespace

std::string Follower::nameOf(ValueId V) const {
  const Stmt *D = DefOf[V];
  return D && D->O == Op::Load ? F.Vars[D->Var].Name : "";
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
  if (opClass(At.O) != OpClass::MaybeCopy)
    return false;
  if (C.Opaque.SureCopies.count(&At))
    return false;
  auto It = C.Opaque.Contiguous.find(&At);
  return It == C.Opaque.Contiguous.end() || It->second.Redundant ||
         It->second.Unknown;
}

/// False when the tensor need not be followed further on this path.
bool Follower::opaque(State &S, const Stmt &At) {
  for (const Arg &A : At.Args) {
    bool Held = (A.Value && S.Owners.count(A.Value)) ||
                (A.Var != NoId && A.R == Role::Write && S.Holders.count(A.Var));
    // It may be kept, assigned, or what the result is a view of.
    if (Held)
      return false;
    if (A.Var != NoId && A.R == Role::Write)
      S.Carriers.erase(A.Var);
  }
  return true;
}

void Follower::store(State &S, const Stmt &At) {
  const VarId V = At.Var;
  const bool Held = S.Holders.erase(V);
  S.Carriers.erase(V);
  const ValueId From = At.Args.empty() ? 0 : At.Args[0].Value;
  if (From && S.Owners.count(From))
    S.Holders.insert(V), S.Lost = nullptr;
  if (auto It = S.Pointers.find(From); From && It != S.Pointers.end()) {
    const Stmt *D = DefOf[From];
    bool Whole = D && D->O == Op::Opaque && D->Text == "aggregate";
    if (F.Vars[V].Borrows || Whole)
      S.Carriers[V] = It->second;
  }
  if (Held && S.Holders.empty())
    S.Lost = &At; // a temporary may hold it to the end of the statement
}

/// The function returns: what is local dies.
void Follower::leave(State &S, const Stmt &At) {
  bool Alive = S.Immortal;
  for (VarId V : S.Holders)
    Alive = Alive || outlives(V);
  if (Alive && !S.Broken)
    return;
  for (const Arg &A : At.Args)
    if (auto It = S.Pointers.find(A.Value);
        It != S.Pointers.end() && F.ReturnsBorrowed && !S.Immortal)
      report(S, It->second, At);
}

bool Follower::step(State &S, const Stmt &At) {
  auto Pointer = [&](const Arg &A) -> const Stmt * {
    auto It = A.Value ? S.Pointers.find(A.Value) : S.Pointers.end();
    return It == S.Pointers.end() ? nullptr : It->second;
  };
  switch (At.O) {
  case Op::Load:
    S.Owners.erase(At.Result);
    S.Pointers.erase(At.Result);
    if (S.Holders.count(At.Var))
      S.Owners.insert(At.Result);
    if (auto It = S.Carriers.find(At.Var); It != S.Carriers.end())
      S.Pointers[At.Result] = It->second;
    return true;
  case Op::Store:
    store(S, At);
    return true;
  case Op::ScopeEnd: {
    bool Held = S.Holders.erase(At.Var);
    S.Carriers.erase(At.Var);
    if (Held && S.Holders.empty())
      S.Lost = &At;
    return true;
  }
  case Op::FullExprEnd:
    S.Owners.clear();
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
  if (!isAddressArithmetic(At) && !onlyCompares(At) && At.O != Op::Phi &&
      At.O != Op::List && (S.Broken || !S.alive()))
    for (const Arg &A : At.Args)
      if (const Stmt *B = Pointer(A)) {
        report(S, B, At);
        return false;
      }
  if (At.O == Op::Opaque && !opaque(S, At))
    return false;
  // What the result has to do with it.
  bool Owner = false;
  const Stmt *Borrow = nullptr;
  bool Passes = At.O == Op::Phi || At.O == Op::List || At.O == Op::Temporary;
  for (const Arg &A : At.Args) {
    bool Mine = A.Value && S.Owners.count(A.Value);
    bool Self = A.Name == "self" || A.Name == "out";
    if (Mine && (Passes || At.O == Op::ListGet ||
                 (Self && (sharesSelf(At) || mayBeSelf(At)))))
      Owner = true;
    if (Mine && Self && At.O == Op::DataPtr && T == Target::Storage)
      Borrow = &At;
    if (Mine && Self && At.O == Op::Accessor &&
        (T == Target::Object) == (At.Text == "accessor"))
      Borrow = &At;
    if (Mine && Self && T == Target::Object &&
        (At.O == Op::Sizes || At.O == Op::Strides))
      Borrow = &At;
    if (const Stmt *B = Pointer(A); B && (Passes || isAddressArithmetic(At)))
      Borrow = B;
    if (Mine && Self && movesMemory(At, T)) {
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
  if (&At == Maker) {
    // A new tensor. The earlier one, if any, goes on as another state.
    if (At.O == Op::Temporary)
      S.Pointers[At.Result] = &At;
    else
      S.Owners.insert(At.Result);
    return true;
  }
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
      if (!step(S, Blk.Stmts[I]))
        return;
    if (!S.alive() && S.Carriers.empty() && S.Pointers.empty())
      return;
    for (BlockId To : Blk.Succs)
      Go(To, S);
  };
  if (!Maker) {
    State S;
    S.Immortal = true;
    S.Holders.insert(Param);
    Go(F.Entry, std::move(S));
  }
  for (BlockId B = 0; Maker && B < F.Blocks.size(); ++B)
    for (size_t I = 0; I < F.Blocks[B].Stmts.size(); ++I)
      if (&F.Blocks[B].Stmts[I] == Maker)
        Walk(B, I, State());
  while (!Work.empty()) {
    auto [B, S] = std::move(Work.back());
    Work.pop_back();
    Walk(B, 0, std::move(S));
  }
}

/// When the operation makes a tensor of its own: ", only when ...", or never.
std::string Follower::whenText(bool &Never) const {
  Never = false;
  if (!Maker || opClass(Maker->O) != OpClass::MaybeCopy)
    return "";
  auto It = C.Opaque.SelfSites.find(Maker);
  Never = It == C.Opaque.SelfSites.end() || !It->second.Other;
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

void Follower::report(const State &S, const Stmt *Borrow, const Stmt &Use) {
  bool Never = false;
  std::string When = whenText(Never);
  if (Never || !Reported.insert(Borrow).second)
    return;
  const bool Meta = T == Target::Object;
  const bool IsView = Borrow->O == Op::Temporary;
  std::string Pointer = IsView ? "the list" : Borrow->Text + "()";
  Finding Found;
  Found.Id = Check::DanglingDataPointer;
  Found.Level = 0;
  auto Point = [](const Stmt &X) {
    return X.Callee.Begin ? X.Callee : X.Where;
  };
  const bool AtBorrow = !S.Broken && !S.Lost && Use.O != Op::Return;
  const Stmt &At = AtBorrow ? *Borrow : Use;
  Found.Where = At.Where;
  Found.Point = Point(At);
  if (IsView) {
    Found.Message = std::string(Use.O == Op::Return ? "returns a view of "
                                                    : "this is a view of ") +
                    Borrow->Text + ", which is gone " +
                    (Use.O == Op::Return ? "when the function returns"
                                         : "at the end of this statement");
  } else if (AtBorrow) {
    Found.Message = Pointer + " points into a temporary" +
                    (Maker && !Maker->Text.empty()
                         ? ", the result of " + Maker->Text + "(), that"
                         : " that") +
                    " is gone at the end of this statement" + When;
  } else if (Use.O == Op::Return && !S.Broken) {
    Found.Message = "returns " + Pointer +
                    " of a tensor that is gone when the "
                    "function returns" +
                    When;
  } else if (S.Broken) {
    Found.Message =
        "used after " + S.Broken->Text + "(): " + Pointer +
        (Meta ? " points to the sizes the tensor had"
              : " points to the memory the tensor had") +
        (isResize(*S.Broken) && !Meta ? "; only when it grows" : "");
  } else {
    Found.Message = std::string("used after ") +
                    (S.Lost->O == Op::ScopeEnd ? "the end of its block: "
                                               : "it was assigned anew: ") +
                    "the tensor that " + Pointer + " points into is gone" +
                    When;
  }
  if (AtBorrow) {
    Found.Notes.push_back({Point(Use), "used here, after that"});
    // `auto x_contiguous = x.contiguous();` before the declaration.
    if ((Borrow->Edits & EditNameObject) && !Borrow->InMacro && Maker) {
      const Arg *A = findArg(*Maker, "self");
      std::string Base = A ? nameOf(A->Value) : "";
      std::string Name = (Base.empty() || !isIdentifier(Base) ? "kept" : Base) +
                         "_" + Maker->Text;
      bool Taken = !isIdentifier(Name);
      for (const Variable &V : F.Vars)
        Taken = Taken || V.Name == Name;
      const Stmt *Decl = nullptr;
      forEachStmt(F, [&](BlockId, const Stmt &X) {
        if (X.O == Op::Store && !X.Args.empty() &&
            X.Args[0].Value == Borrow->Result)
          Decl = &X;
      });
      if (Decl && !Taken)
        Found.Edits.push_back(
            {Edit::NameObject, Borrow->Object, Decl->Where, Name});
    }
  } else {
    Found.Notes.push_back({Point(*Borrow), "the pointer comes from here"});
    if (S.Broken || (S.Lost && S.Lost->Where.Begin))
      Found.Notes.push_back(
          {Point(S.Broken ? *S.Broken : *S.Lost),
           S.Broken ? "changed in place here" : "the last handle goes here"});
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
  case OpClass::MaybeCopy:
    return true;
  case OpClass::Factory:
    return S.O != Op::FromBlob || T == Target::Object;
  case OpClass::View:
    return T == Target::Object && S.O != Op::SelfHandle && S.O != Op::OtherView;
  default:
    return false;
  }
}

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
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.O == Op::Temporary)
      Follower(C, DefOf, Target::Storage, &S, NoId).run();
    if (Points && makesTensor(S, Target::Storage))
      Follower(C, DefOf, Target::Storage, &S, NoId).run();
    if (Meta && makesTensor(S, Target::Object))
      Follower(C, DefOf, Target::Object, &S, NoId).run();
  });
  for (VarId V : Changed)
    for (Target T : {Target::Storage, Target::Object})
      if (T == Target::Storage ? Points : Meta)
        Follower(C, DefOf, T, nullptr, V).run();
}

} // namespace tensortidy::analysis
