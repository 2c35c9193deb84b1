//===- PathConditions.cpp - what a path found out of variables ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Flow/PathConditions.h"

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

PathConditions::PathConditions(const DefUse &Values, const Graph &G)
    : Values(Values), Constant(keepValues(G.F)) {
  const Function &F = G.F;
  std::vector<unsigned> Count(F.Vars.size(), 0);
  for (BlockId B = 0; B < F.Blocks.size(); ++B) {
    bool Holds = true;
    if (const VarId V = tested(B, Holds); V != NoId)
      Count[V] += F.Blocks[B].InLoop == NoId ? 1 : 2;
  }
  for (VarId V = 0; V < F.Vars.size(); ++V)
    Constant[V] = Constant[V] && Count[V] > 1;
  solve(G, Tested());
}

/// The variable that \p B ends with a test of, or NoId; \p Holds is turned over
/// for each `!`.
VarId PathConditions::tested(BlockId B, bool &Holds) const {
  const Block &Blk = Values.F.Blocks[B];
  if (Blk.Succs.size() != 2 || !Blk.Condition)
    return NoId;
  const Stmt *Test = Values.Def[Blk.Condition];
  while (Test && !Test->Args.empty() &&
         (Test->O == Op::Not || Test->O == Op::Defined)) {
    Holds ^= Test->O == Op::Not;
    Test = Values.Def[Test->Args[0].Value];
  }
  return Test && Test->O == Op::Load && Constant[Test->Var] ? Test->Var : NoId;
}

/// What the test at the end of \p B always says: it is written, or given to
/// the call that it stands in.
std::optional<bool> PathConditions::decided(BlockId B) const {
  const Block &Blk = Values.F.Blocks[B];
  if (Blk.Succs.size() != 2 || !Blk.Condition || !Blk.Cases.empty())
    return std::nullopt;
  const Stmt *Test = Values.origin(Blk.Condition);
  bool Holds = true;
  for (; Test && Test->O == Op::Not && !Test->Args.empty(); Holds = !Holds)
    Test = Values.origin(Test->Args[0].Value);
  if (!Test || Test->O != Op::Const || Test->Const != ConstKind::Bool)
    return std::nullopt;
  return (Test->Imm != 0) == Holds;
}

bool PathConditions::takes(BlockId B, size_t Way, Tested &Known) const {
  bool Holds = Way == 0;
  if (const auto Always = decided(B); Always && *Always != Holds)
    return false;
  const VarId V = tested(B, Holds);
  return V == NoId || Known.try_emplace(V, Holds).first->second == Holds;
}

} // namespace tensortidy::analysis
