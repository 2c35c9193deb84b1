//===- Handles.cpp - who holds a tensor, and what they do with it ---------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Flow/Handles.h"
#include "Analysis/Flow/Closure.h"

namespace tensortidy::analysis {

using namespace program;

/// Whether \p V, or what it is part of, is an object of the caller's.
static bool isOthers(const Function &F, VarId V) {
  for (; V < F.Vars.size(); V = F.Vars[V].Base)
    if (F.Vars[V].IsReference || F.Vars[V].IsPointee)
      return true;
  return false;
}

bool Handles::isLocal(VarId V) const {
  const Variable &Var = F.Vars[V];
  return Var.Type == VarType::Tensor &&
         (Var.IsParam ? !isOthers(F, V) && !Var.IsCaptured : Values.isOwn(V));
}

std::vector<const Stmt *> Handles::origins(ValueId V) const {
  std::vector<const Stmt *> Found;
  bool Known = true;
  closure(V, [&](ValueId At, auto Add) {
    const Stmt *S = def(At);
    if (S && S->O == Op::Phi) {
      for (const Arg &A : S->Args)
        Add(A.Value);
    } else if (S && S->O == Op::Load) {
      const auto Stores = reaching(*S);
      Known = !Stores.empty();
      for (const Stmt *Store : Stores)
        Add(Store->Args[0].Value);
    } else if (S && (S->O != Op::Const || S->Const != ConstKind::None)) {
      Found.push_back(S); // and not an undefined tensor
    }
    return Known = Known && S;
  });
  return Known ? Found : std::vector<const Stmt *>();
}

std::vector<const Stmt *> Handles::reaching(const Stmt &Load) const {
  const VarId V = Load.Var;
  const Variable &Var = F.Vars[V];
  const bool IsMember = Var.IsMember;
  const BlockId Start = blockOf(Load);
  if (Start == NoId || Var.IsStatic || Var.IsReference || Var.IsCaptured ||
      Var.IsEnclosing)
    return {};
  std::vector<const Stmt *> Found;
  // Found: by a store without a value, or a call.
  auto Behind = [&](BlockId B, size_t Before) {
    while (Before-- > 0) {
      const Stmt &S = F.Blocks[B].Stmts[Before];
      if (S.O == Op::Store && S.Var == V) {
        if (!S.Args.empty() && !llvm::is_contained(Found, &S))
          Found.push_back(&S);
        return S.Args.empty() ? Visit::Found : Visit::End;
      }
      if (!S.isOpaque())
        continue;
      if (IsMember && S.Reaches >= Reach::Members)
        return Visit::Found;
      for (const Arg &A : S.Args)
        if (A.R == Role::Write && A.Var == V)
          return Visit::Found;
    }
    return B == F.Entry ? Visit::Found : Visit::Pass;
  };
  const auto First = static_cast<size_t>(&Load - F.Blocks[Start].Stmts.data());
  const Visit Here = Behind(Start, First);
  if (Here == Visit::Found ||
      (Here == Visit::Pass &&
       Blocks.reachesBack(Blocks.preds(Start), [&](BlockId B) {
         return Behind(B, F.Blocks[B].Stmts.size());
       })))
    return {};
  return Found;
}

bool Handles::mayRead(const Stmt &Load, const Stmt &Store) const {
  if (Values.Stores[Load.Var].size() < 2)
    return true;
  const std::vector<const Stmt *> From = reaching(Load);
  return From.empty() || llvm::is_contained(From, &Store);
}

const Stmt *Handles::latest(ValueId V) const {
  const Stmt *S = origin(V);
  for (unsigned Depth = 0; S && S->O == Op::Load && Depth < 24; ++Depth) {
    const std::vector<const Stmt *> From =
        isLocal(S->Var) ? reaching(*S) : std::vector<const Stmt *>();
    if (From.size() != 1)
      break;
    S = origin(From[0]->Args[0].Value);
  }
  return S;
}

const Stmt *Handles::latestList(ValueId V) const {
  const Stmt *S = latest(V);
  while (S && S->O == Op::ListCopy)
    S = latest(S->Args[0].Value);
  return S && S->O == Op::List ? S : nullptr;
}

std::optional<int64_t> Handles::number(const Arg *A) const {
  const Stmt *S = A ? origin(A->Value) : nullptr;
  if (S && S->O == Op::List && S->Args.size() == 1)
    S = origin(S->Args[0].Value);
  return writtenNumber(S);
}

std::optional<double> Handles::real(const Arg *A) const {
  if (const auto N = number(A))
    return static_cast<double>(*N);
  return A ? writtenReal(latest(A->Value)) : std::nullopt;
}

bool Handles::areSame(const Stmt *A, const Stmt *B) const {
  return A && B &&
         (A == B || (A->O == Op::Load && B->O == Op::Load && A->Var == B->Var &&
                     isFixed(A->Var)));
}

unsigned Handles::uses(ValueId V) const {
  return V < Values.Uses.size() ? static_cast<unsigned>(Values.Uses[V].size())
                                : 0;
}

bool Handles::copies(const Stmt &S) const {
  switch (opClass(S.O)) {
  case OpClass::Copy:
    return true;
  case OpClass::MaybeCopy: {
    auto It = Run.Copies.find(&S);
    return It != Run.Copies.end() && It->second.always() &&
           It->second.Unless.empty();
  }
  default:
    return false;
  }
}

bool Handles::isFresh(const Stmt &S) const {
  OpClass K = opClass(S.O);
  return copies(S) || K == OpClass::Compute ||
         (K == OpClass::Factory && S.O != Op::FromBlob);
}

Fate Handles::fate(ValueId V0, const Stmt *But) const {
  Fate R;
  std::set<ValueId> Whole{V0};
  closure(V0, [&](ValueId V, auto Add) {
    const bool IsWhole = Whole.count(V);
    auto Follow = [&](ValueId Next, bool Part = false) {
      if (IsWhole && !Part)
        Whole.insert(Next);
      if (Next)
        Add(Next);
    };
    for (const DefUse::Use &U : Values.Uses[V]) {
      const Stmt &T = *U.S;
      if (&T == But)
        continue;
      if (T.O == Op::Store) {
        if (!isLocal(T.Var)) {
          R.Escapes = R.Kept = true;
          continue;
        }
        R.Holders.insert(T.Var);
        for (const Stmt *L : Values.Loads[T.Var])
          if (mayRead(*L, T))
            Follow(L->Result);
        continue;
      }
      R.Touches.push_back({&T, U.A, IsWhole});
      const bool Target =
          U.A->Name == "self" || U.A->Name == "out" || U.A->Name.empty();
      switch (opClass(T.O)) {
      case OpClass::Structure:
        if (T.O == Op::Phi || T.O == Op::List || T.O == Op::ListGet)
          Follow(T.Result);
        else if (T.O != Op::ListSize && T.O != Op::OptionsOp &&
                 T.O != Op::Enters)
          R.Escapes = true;
        continue;
      case OpClass::Query:
        R.Asked |= T.O == Op::Stride || T.O == Op::Strides ||
                   T.O == Op::StorageOffset || T.O == Op::IsContiguous ||
                   T.O == Op::SuggestMemoryFormat;
        continue;
      case OpClass::Condition:
      case OpClass::Integer:
        continue;
      case OpClass::View:
        if (!Target)
          continue;
        R.Asked |= T.O == Op::View || T.O == Op::ViewAs ||
                   T.O == Op::ViewDtype || T.O == Op::AsStrided ||
                   T.O == Op::OtherView;
        Follow(T.Result, T.O != Op::Detach && T.O != Op::SelfHandle);
        continue;
      case OpClass::MaybeCopy:
        R.Read = true;
        if (U.A->Name != "indices" && U.A->Name != "other" && !copies(T))
          Follow(T.Result, /*Part=*/true);
        continue;
      case OpClass::Copy:
      case OpClass::Compute:
        R.Read = true;
        continue;
      case OpClass::Factory:
        R.Escapes |= T.O == Op::FromBlob;
        R.Asked = true; // empty_like() and the like keep strides
        continue;
      case OpClass::InPlaceMeta:
        R.Written = true;
        Follow(T.Result);
        continue;
      case OpClass::InPlaceData:
        if (T.O == Op::RequiresGrad) {
          R.Escapes = true;
        } else if (Target) {
          R.Written = true;
          Follow(T.Result);
        } else {
          R.Read = true;
        }
        continue;
      case OpClass::Access:
        if (T.O == Op::Item)
          R.Read = true;
        else
          R.Written = R.Escapes = true;
        continue;
      case OpClass::Graph:
        R.Escapes = true;
        continue;
      case OpClass::Effect:
        if (T.O == Op::Return || T.O == Op::Throw)
          R.Returned = true;
        else
          R.Escapes = true;
        continue;
      }
    }
    return true;
  });
  return R;
}

/// Whether \p S gives all elements one number, the same in all of the loop.
bool Handles::fillsWithSame(const Stmt &S, LoopId L) const {
  const LoopFacts &Loops = Flow.loops();
  return S.is(Attribute::OneNumber) && llvm::all_of(S.Args, [&](const Arg &A) {
           return A.Name == "self" ||
                  (Loops.isNumber(A.Value) && Loops.invariant(A.Value, L));
         });
}

bool Handles::staysInside(const Stmt &S, LoopId L, bool &Scratch,
                          const Stmt **Fill) const {
  const LoopFacts &Loops = Flow.loops();
  const Fate All = fate(S.Result);
  // A variable that also takes other tensors is not one hoistable value.
  if (All.Kept || llvm::any_of(All.Holders, [&](VarId V) {
        const LoopId In = F.Vars[V].DeclaredIn;
        return F.Vars[V].IsParam || In == NoId || !Loops.inside(In, L) ||
               !store(V);
      }))
    return false;
  // What it starts with is lost, if all of it is overwritten before it is read.
  const bool MayBeScratch = S.O == Op::Empty || S.O == Op::EmptyLike ||
                            S.O == Op::Filled || S.O == Op::FilledLike;
  const bool Uninitialised = S.O == Op::Empty || S.O == Op::EmptyLike;
  bool Overwritten = false, Read = false, Saved = false;
  unsigned Written = 0;
  // What touches it first, in the block that makes it.
  const Stmt *First = nullptr;
  bool FirstOverwrites = false;
  for (const Fate::Touch &Touch : All.Touches) {
    const Stmt &T = *Touch.S;
    const bool Whole = T.O == Op::Overwrite || T.O == Op::OutWrite;
    bool Overwrites = false;
    switch (opClass(T.O)) {
    case OpClass::Query:
    case OpClass::Condition:
      continue;
    case OpClass::Structure:
      if (T.O == Op::Phi)
        continue;
      if (T.O != Op::List) // into cat, stack, index: read there
        return false;
      Read = Saved = true;
      break;
    case OpClass::View:
      if (T.O == Op::SelfHandle || T.O == Op::Detach)
        continue;
      break;
    case OpClass::InPlaceData:
      if (T.O == Op::RequiresGrad)
        return false;
      if (Touch.A->Name != (T.O == Op::OutWrite ? "out" : "self")) {
        Read = true;
        Saved |= !Whole;
        break;
      }
      ++Written;
      Overwrites = Whole && Touch.Whole;
      break;
    case OpClass::MaybeCopy:
    case OpClass::Compute:
      Read = Saved = true;
      break;
    case OpClass::Copy:
    case OpClass::Factory:
      Read = true;
      break;
    case OpClass::Access:
      if (T.O != Op::Item)
        return false; // what is done with it is not known
      Read = true;
      break;
    default:
      if (!T.isOpaque() || Touch.A->R != Role::Read)
        return false;
      Read = Saved = true;
      break;
    }
    Overwritten |= Overwrites;
    if (blockOf(T) == blockOf(S) && &T > &S && (!First || &T < First)) {
      First = &T;
      FirstOverwrites = Overwrites;
    }
  }
  if (!Written)
    return !Uninitialised && Read;
  if (Fill && Written == 1 && FirstOverwrites && Read &&
      fillsWithSame(*First, L)) {
    *Fill = First;
    return true;
  }
  // Autograd may have saved what the next iteration would overwrite.
  if (!MayBeScratch || !Overwritten || (Saved && !Loops.NoGrad))
    return false;
  return Scratch = First && FirstOverwrites;
}

bool Handles::runsAfter(const Stmt &First, const Stmt &Then,
                        const Stmt *Anew) const {
  const BlockId Start = blockOf(First);
  return Start == NoId || blockOf(Then) == NoId ||
         reaches(Start,
                 static_cast<size_t>(&First - F.Blocks[Start].Stmts.data()) + 1,
                 Then, Anew);
}

bool Handles::endsBefore(ValueId V, const Stmt &S) const {
  bool Ends = true;
  closure(V, [&](ValueId At, auto Add) {
    for (const DefUse::Use &U : Values.Uses[At]) {
      const Stmt &T = *U.S;
      Ends = Ends && U.A->R == Role::Read && !runsAfter(S, T);
      switch (opClass(T.O)) {
      case OpClass::Query:
      case OpClass::Condition:
      case OpClass::Integer:
      case OpClass::Factory:
      case OpClass::Compute:
      case OpClass::Copy:
        continue;
      case OpClass::View:
      case OpClass::MaybeCopy:
      case OpClass::InPlaceData:
        Add(T.Result);
        continue;
      case OpClass::Access:
        if (T.O != Op::Item)
          Add(T.Result);
        continue;
      case OpClass::Structure:
        Ends = Ends && T.O == Op::Store && Values.isOwn(T.Var);
        if (!Ends)
          return false;
        for (const Stmt *L : Values.Loads[T.Var])
          Add(L->Result);
        continue;
      case OpClass::Effect:
        if (!T.IsScalar && T.Result)
          Add(T.Result); // p + i
        continue;
      case OpClass::InPlaceMeta:
      case OpClass::Graph:
        return Ends = false;
      }
    }
    return Ends;
  });
  return Ends;
}

bool Handles::always(const Stmt &First, const Stmt &Then) const {
  return !reaches(F.Entry, 0, Then, &First);
}

bool Handles::isFixed(VarId V) const {
  const Variable &Var = F.Vars[V];
  if (Var.IsStatic || Var.IsCaptured || Var.IsEnclosing)
    return false;
  // A parameter, a member: nothing here stores it, no call may.
  if (Var.IsParam || Var.IsMember)
    return Values.Stores[V].empty();
  return !Var.IsReference && store(V);
}

bool Handles::onlyHeld(ValueId V) const {
  for (const DefUse::Use &U : Values.Uses[V])
    if (U.S->O == Op::Store && !store(U.S->Var))
      return false;
  return true;
}

const Stmt *Handles::store(VarId V) const {
  return Values.Stores[V].size() == 1 ? Values.Stores[V][0] : nullptr;
}

/// Whether statement \p Offset of block \p Start or one after it leads to \p
/// Then before \p Anew.
bool Handles::reaches(BlockId Start, size_t Offset, const Stmt &Then,
                      const Stmt *Anew) const {
  auto Over = [&](BlockId B, size_t From) {
    const auto &Stmts = F.Blocks[B].Stmts;
    for (size_t I = From; I < Stmts.size(); ++I)
      if (&Stmts[I] == &Then || &Stmts[I] == Anew)
        return &Stmts[I] == &Then ? Visit::Found : Visit::End;
    return Visit::Pass;
  };
  const Visit Here = Over(Start, Offset);
  return Here == Visit::Found ||
         (Here == Visit::Pass &&
          Blocks.reaches(Blocks.succs(Start),
                         [&](BlockId B) { return Over(B, 0); }));
}

/// What makes the storage that \p V is in, or null.
const Stmt *Handles::storage(ValueId V) const {
  const Stmt *S = origin(V);
  for (unsigned Depth = 0; S && Depth < 24; ++Depth) {
    OpClass K = opClass(S->O);
    if (K != OpClass::View && K != OpClass::InPlaceData &&
        K != OpClass::InPlaceMeta && (K != OpClass::MaybeCopy || copies(*S)))
      break;
    const Arg *Self = findArg(*S, "self");
    S = Self ? origin(Self->Value) : nullptr;
  }
  return S;
}

bool Handles::mayChange(const Stmt &Holder, const Fate &Result, ValueId Of,
                        bool Latest) const {
  const Stmt *Here = storage(Of);
  // A temporary is gone when the next iteration makes another, and so is what
  // a variable holds that is given nothing else.
  bool Temporary = true;
  for (const DefUse::Use &U : Values.Uses[Holder.Result])
    Temporary = Temporary && (U.S->O != Op::Store ||
                              (isLocal(U.S->Var) && store(U.S->Var) == U.S));
  const Stmt *Anew = Temporary || Latest ? &Holder : nullptr;
  bool May = false;
  forEachStmt(F, [&](BlockId, const Stmt &T) {
    if (May)
      return;
    const OpClass K = opClass(T.O);
    bool Writes = K == OpClass::InPlaceData || K == OpClass::InPlaceMeta ||
                  T.O == Op::DataPtr || T.O == Op::Accessor ||
                  T.O == Op::Backward || K == OpClass::Graph;
    if (T.isOpaque() && !T.IsScalar) {
      Writes = T.Reaches >= Reach::Members;
      for (const Arg &A : T.Args)
        Writes = Writes || A.R != Role::Read;
    }
    if (!Writes || T.O == Op::RequiresGrad || !runsAfter(Holder, T))
      return;
    bool Between = false;
    for (const Fate::Touch &Use : Result.Touches)
      Between = Between || Use.S == &T || runsAfter(T, *Use.S, Anew);
    if (!Between)
      return;
    const Arg *Target = findArg(T, "self");
    if (!Target)
      Target = findArg(T, "out");
    if (Target && !T.isOpaque() && T.O != Op::Backward) {
      // What this function made is not what others hold.
      const Stmt *There = storage(Target->Value);
      if (There && There != Here && isFresh(*There))
        return;
    }
    May = true;
  });
  return May;
}

std::string Handles::name(ValueId V) const {
  const Stmt *S = def(V);
  return S && S->O == Op::Load ? called(F, S->Var, S->Context) : "";
}

} // namespace tensortidy::analysis
