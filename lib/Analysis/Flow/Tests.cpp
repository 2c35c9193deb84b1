//===- Tests.cpp - what a path has found out about variables --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Flow/Tests.h"

using namespace tensortidy::program;

namespace tensortidy::analysis {

std::vector<bool> keepValues(const Function &F) {
  std::vector<unsigned> Changes(F.Vars.size(), 0);
  for (VarId V = 0; V < F.Vars.size(); ++V) {
    const Variable &Var = F.Vars[V];
    if (Var.IsMember || Var.IsStatic || Var.IsCaptured || Var.Context ||
        (Var.IsReference && !(Var.IsParam && Var.IsConst)))
      Changes[V] = 2;
    else if (Var.IsParam)
      Changes[V] = 1;
  }
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (S.O == Op::Store)
      Changes[S.Var] += F.Blocks[B].InLoop == NoId ? 1 : 2;
    for (const Arg &A : S.Args)
      if (A.Var != NoId && A.R == Role::Write)
        Changes[A.Var] += 2;
  });
  std::vector<bool> Keeps;
  for (unsigned N : Changes)
    Keeps.push_back(N <= 1);
  return Keeps;
}

Tests::Tests(const Function &F)
    : F(F), DefOf(F.NextValue, nullptr), Constant(keepValues(F)) {
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.Result)
      DefOf[S.Result] = &S;
  });
  std::vector<unsigned> Count(F.Vars.size(), 0);
  for (BlockId B = 0; B < F.Blocks.size(); ++B) {
    bool Holds = true;
    if (const VarId V = tested(B, Holds); V != NoId)
      Count[V] += F.Blocks[B].InLoop == NoId ? 1 : 2;
  }
  for (VarId V = 0; V < F.Vars.size(); ++V)
    Constant[V] = Constant[V] && Count[V] > 1;

  // What holds on all ways to a block: less each time a way is added.
  Before.resize(F.Blocks.size());
  std::vector<bool> Reached(F.Blocks.size(), false);
  std::vector<BlockId> Work{F.Entry};
  Reached[F.Entry] = true;
  while (!Work.empty()) {
    const BlockId B = Work.back();
    Work.pop_back();
    for (size_t Way = 0; Way < F.Blocks[B].Succs.size(); ++Way) {
      const BlockId To = F.Blocks[B].Succs[Way];
      Tested Known = Before[B];
      if (To == NoId || !mayTake(B, Way, Known))
        continue;
      bool Changed = !Reached[To];
      if (!Reached[To]) {
        Before[To] = std::move(Known);
        Reached[To] = true;
      } else {
        for (auto It = Before[To].begin(); It != Before[To].end();) {
          auto Same = Known.find(It->first);
          const bool Holds = Same != Known.end() && Same->second == It->second;
          Changed |= !Holds;
          It = Holds ? std::next(It) : Before[To].erase(It);
        }
      }
      if (Changed)
        Work.push_back(To);
    }
  }
}

/// The variable that \p B ends with a test of, or NoId; \p Holds is turned over
/// for each `!`.
VarId Tests::tested(BlockId B, bool &Holds) const {
  const Block &Blk = F.Blocks[B];
  if (Blk.Succs.size() != 2 || !Blk.Condition)
    return NoId;
  const Stmt *Test = DefOf[Blk.Condition];
  while (Test && !Test->Args.empty() &&
         (Test->O == Op::Not || Test->O == Op::Defined)) {
    Holds ^= Test->O == Op::Not;
    Test = DefOf[Test->Args[0].Value];
  }
  return Test && Test->O == Op::Load && Constant[Test->Var] ? Test->Var : NoId;
}

bool Tests::mayTake(BlockId B, size_t Way, Tested &Known) const {
  bool Holds = Way == 0;
  const VarId V = tested(B, Holds);
  return V == NoId || Known.try_emplace(V, Holds).first->second == Holds;
}

} // namespace tensortidy::analysis
