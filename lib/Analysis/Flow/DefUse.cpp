//===- DefUse.cpp - where values and variables are set and read -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Flow/DefUse.h"
#include <algorithm>
#include <functional>

using namespace tensortidy::program;

namespace tensortidy::analysis {

DefUse::DefUse(const Function &F)
    : F(F), Def(F.NextValue, nullptr), DefBlock(F.NextValue, NoId),
      Uses(F.NextValue), Tested(F.NextValue, false), Loads(F.Vars.size()),
      Stores(F.Vars.size()) {
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (S.Result) {
      Def[S.Result] = &S;
      DefBlock[S.Result] = B;
    }
    for (const Arg &A : S.Args) {
      if (A.Value)
        Uses[A.Value].push_back({&S, &A, B});
      if (S.isOpaque() && A.R == Role::Write && A.Var < Stores.size())
        Stores[A.Var].push_back(nullptr);
    }
    if (S.O == Op::Load && S.Var < Loads.size())
      Loads[S.Var].push_back(&S);
    if (S.O == Op::Store && S.Var < Stores.size() && !S.Args.empty())
      Stores[S.Var].push_back(&S);
  });
  for (BlockId B = 0; B < F.Blocks.size(); ++B) {
    Tested[F.Blocks[B].Condition] = F.Blocks[B].Condition != 0;
    if (!F.Blocks[B].Stmts.empty())
      Begins.emplace_back(F.Blocks[B].Stmts.data(), B);
  }
  std::sort(Begins.begin(), Begins.end(), [](const auto &A, const auto &B) {
    return std::less<>()(A.first, B.first);
  });
}

VarId DefUse::loaded(ValueId V) const {
  const Stmt *D = def(V);
  return D && D->O == Op::Load ? D->Var : NoId;
}

ValueId DefUse::onlyStored(VarId V) const {
  return Stores[V].size() == 1 && Stores[V][0] ? Stores[V][0]->Args[0].Value
                                               : 0;
}

bool DefUse::isOwn(VarId V) const {
  const Variable &Var = F.Vars[V];
  return !Var.IsParam && !Var.IsMember && !Var.IsStatic &&
         (!Var.IsReference || Var.InTemporary) && !Var.IsCaptured &&
         !Var.IsEnclosing;
}

const Stmt *DefUse::origin(ValueId V) const {
  const Stmt *S = def(V);
  for (unsigned Depth = 0; S && S->O == Op::Load && Depth < 24; ++Depth) {
    const ValueId Only = onlyValue(S->Var);
    if (!Only)
      break;
    S = def(Only);
  }
  return S;
}

BlockId DefUse::blockOf(const Stmt &S) const {
  auto After = std::upper_bound(Begins.begin(), Begins.end(), &S,
                                [](const Stmt *X, const auto &Begin) {
                                  return std::less<>()(X, Begin.first);
                                });
  if (After == Begins.begin())
    return NoId;
  const auto &[First, B] = *std::prev(After);
  return static_cast<size_t>(&S - First) < F.Blocks[B].Stmts.size() ? B : NoId;
}

bool isInside(const Function &F, LoopId Inner, LoopId L) {
  for (; Inner != NoId; Inner = F.Loops[Inner].Parent)
    if (Inner == L)
      return true;
  return false;
}

} // namespace tensortidy::analysis
