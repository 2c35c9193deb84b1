//===- Handles.cpp - who holds a tensor, and what they do with it ---------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Flow/Handles.h"
#include <set>

namespace tensortidy::analysis {

using namespace program;

Handles::Handles(const Function &F, const RunResult &Run) : F(F), Run(Run) {
  Def.assign(F.NextValue, nullptr);
  Uses.resize(F.NextValue);
  Loads.resize(F.Vars.size());
  Stores.resize(F.Vars.size());
  Preds.resize(F.Blocks.size());
  for (BlockId B = 0; B < F.Blocks.size(); ++B) {
    for (BlockId Next : F.Blocks[B].Succs)
      if (Next != NoId)
        Preds[Next].push_back(B);
    const auto &Stmts = F.Blocks[B].Stmts;
    for (size_t I = 0; I < Stmts.size(); ++I) {
      const Stmt &S = Stmts[I];
      At[&S] = {B, I};
      if (S.Result)
        Def[S.Result] = &S;
      for (const Arg &A : S.Args) {
        if (A.Value)
          Uses[A.Value].push_back({&S, &A});
        if (S.isOpaque() && A.R == Role::Write && A.Var < Stores.size())
          Stores[A.Var].push_back(nullptr);
      }
      if (S.O == Op::Load && S.Var < Loads.size())
        Loads[S.Var].push_back(&S);
      if (S.O == Op::Store && S.Var < Stores.size() && !S.Args.empty())
        Stores[S.Var].push_back(&S);
    }
  }
}

bool Handles::isLocal(VarId V) const {
  const Variable &Var = F.Vars[V];
  return Var.Type == VarType::Tensor && !Var.IsMember && !Var.IsStatic &&
         !Var.IsReference && !Var.IsCaptured && !Var.IsEnclosing;
}

const Stmt *Handles::origin(ValueId V) const {
  const Stmt *S = def(V);
  for (unsigned Depth = 0; S && S->O == Op::Load && Depth < 24; ++Depth) {
    if (!isLocal(S->Var) || F.Vars[S->Var].IsParam ||
        Stores[S->Var].size() != 1 || !Stores[S->Var][0])
      break;
    S = def(Stores[S->Var][0]->Args[0].Value);
  }
  return S;
}

std::vector<const Stmt *> Handles::origins(ValueId V) const {
  std::vector<const Stmt *> Found;
  std::set<ValueId> Seen{V};
  std::vector<ValueId> Work{V};
  while (!Work.empty()) {
    const Stmt *S = def(Work.back());
    Work.pop_back();
    llvm::SmallVector<ValueId, 4> From;
    if (!S)
      return {};
    if (S->O == Op::Load) {
      if (!isLocal(S->Var) || F.Vars[S->Var].IsParam)
        return {};
      for (const Stmt *Store : Stores[S->Var]) {
        if (!Store)
          return {};
        From.push_back(Store->Args[0].Value);
      }
    } else if (S->O == Op::Phi) {
      for (const Arg &A : S->Args)
        From.push_back(A.Value);
    } else if (S->O != Op::Const || S->Const != ConstKind::None) {
      Found.push_back(S); // and not an undefined tensor
    }
    for (ValueId N : From)
      if (Seen.insert(N).second)
        Work.push_back(N);
  }
  return Found;
}

std::vector<const Stmt *> Handles::reaching(const Stmt &Load) const {
  const VarId V = Load.Var;
  const Variable &Var = F.Vars[V];
  const bool IsMember = Var.IsMember;
  auto Start = At.find(&Load);
  if (Start == At.end() || Var.IsStatic || Var.IsReference || Var.IsCaptured ||
      Var.IsEnclosing)
    return {};
  std::vector<const Stmt *> Found;
  std::set<BlockId> Seen;
  std::vector<std::pair<BlockId, size_t>> Work{Start->second};
  while (!Work.empty()) {
    auto [B, Before] = Work.back();
    Work.pop_back();
    bool Goes = true;
    while (Goes && Before-- > 0) {
      const Stmt &S = F.Blocks[B].Stmts[Before];
      if (S.O == Op::Store && S.Var == V) {
        if (S.Args.empty())
          return {};
        if (!llvm::is_contained(Found, &S))
          Found.push_back(&S);
        Goes = false;
      } else if (S.isOpaque()) {
        if (IsMember && S.Reaches >= Reach::Members)
          return {};
        for (const Arg &A : S.Args)
          if (A.R == Role::Write && A.Var == V)
            return {};
      }
    }
    if (!Goes)
      continue;
    if (B == F.Entry)
      return {};
    for (BlockId P : Preds[B])
      if (Seen.insert(P).second)
        Work.push_back({P, F.Blocks[P].Stmts.size()});
  }
  return Found;
}

bool Handles::mayRead(const Stmt &Load, const Stmt &Store) const {
  if (Stores[Load.Var].size() < 2)
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

unsigned Handles::uses(ValueId V) const {
  return V < Uses.size() ? static_cast<unsigned>(Uses[V].size()) : 0;
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
  std::set<ValueId> Seen{V0};
  std::vector<ValueId> Work{V0};
  auto Follow = [&](ValueId V) {
    if (V && Seen.insert(V).second)
      Work.push_back(V);
  };
  while (!Work.empty()) {
    ValueId V = Work.back();
    Work.pop_back();
    for (const Use &U : Uses[V]) {
      const Stmt &T = *U.S;
      if (&T == But)
        continue;
      if (T.O == Op::Store) {
        if (isLocal(T.Var))
          for (const Stmt *L : Loads[T.Var]) {
            if (mayRead(*L, T))
              Follow(L->Result);
          }
        else
          R.Escapes = true;
        continue;
      }
      R.Touches.push_back(&T);
      const bool Target =
          U.A->Name == "self" || U.A->Name == "out" || U.A->Name.empty();
      switch (opClass(T.O)) {
      case OpClass::Structure:
        if (T.O == Op::Phi || T.O == Op::List || T.O == Op::ListGet)
          Follow(T.Result);
        else if (T.O != Op::ListSize && T.O != Op::OptionsOp)
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
        Follow(T.Result);
        continue;
      case OpClass::MaybeCopy:
        R.Read = true;
        if (U.A->Name != "indices" && U.A->Name != "other" && !copies(T))
          Follow(T.Result);
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
  }
  return R;
}

bool Handles::runsAfter(const Stmt &First, const Stmt &Then,
                        const Stmt *Anew) const {
  auto Start = At.find(&First);
  return Start == At.end() || !At.count(&Then) ||
         reaches(Start->second.first, Start->second.second + 1, Then, Anew);
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
    return Stores[V].empty();
  return !Var.IsReference && store(V);
}

bool Handles::onlyHeld(ValueId V) const {
  for (const Use &U : Uses[V])
    if (U.S->O == Op::Store && !store(U.S->Var))
      return false;
  return true;
}

const Stmt *Handles::store(VarId V) const {
  return Stores[V].size() == 1 ? Stores[V][0] : nullptr;
}

/// Whether statement \p Offset of block \p Start or one after it leads to \p
/// Then before \p Anew.
bool Handles::reaches(BlockId Start, size_t Offset, const Stmt &Then,
                      const Stmt *Anew) const {
  std::set<BlockId> Seen;
  std::vector<std::pair<BlockId, size_t>> Work{{Start, Offset}};
  while (!Work.empty()) {
    auto [B, From] = Work.back();
    Work.pop_back();
    const Block &Here = F.Blocks[B];
    bool Goes = true;
    for (size_t I = From; Goes && I < Here.Stmts.size(); ++I) {
      if (&Here.Stmts[I] == &Then)
        return true;
      Goes = &Here.Stmts[I] != Anew;
    }
    if (Goes)
      for (BlockId Next : Here.Succs)
        if (Next != NoId && Seen.insert(Next).second)
          Work.push_back({Next, 0});
  }
  return false;
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
  // A temporary is gone when the next iteration makes another.
  bool Temporary = true;
  for (const Use &U : Uses[Holder.Result])
    Temporary = Temporary && U.S->O != Op::Store;
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
    for (const Stmt *Use : Result.Touches)
      Between = Between || Use == &T || runsAfter(T, *Use, Anew);
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
  return S && S->O == Op::Load && !F.Vars[S->Var].Name.empty()
             ? "'" + markVariable(F, S->Var, S->Context) + "'"
             : "its operand";
}

} // namespace tensortidy::analysis
