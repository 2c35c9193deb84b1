//===- FlowInfo.cpp - what is known of a function before it runs ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Flow/FlowInfo.h"

namespace tensortidy::analysis {

using namespace program;

bool writesElement(const Function &F, const Stmt &S, const Arg &A) {
  return S.O == Op::Assign && A.Var < F.Vars.size() && F.Vars[A.Var].Borrows &&
         F.Vars[A.Var].Type == VarType::Other;
}

FlowInfo::FlowInfo(const Function &F) : F(F), Values(F), Blocks(F) {
  findCrossing();
  findStableVariables();
  findStores();
  findLive();
}

/// Of which variables a test has the same answer each time. A tensor keeps its
/// elements, too: nothing is written in place, nor by a pointer or a call that
/// is made for what it does.
void FlowInfo::findStableVariables() {
  StableVars = keepValues(F);
  const auto IsTensor = [&](VarId V) {
    return F.Vars[V].Type == VarType::Tensor;
  };
  bool Writes = false;
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    const OpClass K = opClass(S.O);
    Writes = Writes || K == OpClass::InPlaceMeta || K == OpClass::InPlaceData;
    const bool Exposes = K == OpClass::Access && S.O != Op::Item;
    if (Exposes || (S.isOpaque() && (!S.Result || S.Discarded)))
      for (const Arg &A : S.Args)
        if (const Stmt *D = A.Value ? DefOf[A.Value] : nullptr;
            D && D->O == Op::Load && IsTensor(D->Var))
          StableVars[D->Var] = false;
  });
  for (VarId V = 0; Writes && V < F.Vars.size(); ++V)
    StableVars[V] = StableVars[V] && !IsTensor(V);
}

/// Which values other blocks use.
void FlowInfo::findCrossing() {
  CrossBlock.assign(F.NextValue, false);
  for (ValueId V = 0; V < F.NextValue; ++V)
    CrossBlock[V] = llvm::any_of(Values.Uses[V], [&](const DefUse::Use &U) {
      return BlockOf[V] != U.B;
    });
  for (BlockId B = 0; B < F.Blocks.size(); ++B)
    if (ValueId C = F.Blocks[B].Condition)
      if (BlockOf[C] != B)
        CrossBlock[C] = true;
}

/// What each loop changes.
void FlowInfo::findStores() {
  Stored.resize(F.Loops.size());
  Filled.resize(F.Loops.size());
  Replaced.resize(F.Loops.size());
  for (VarId V = 0; V < F.Vars.size(); ++V)
    if (F.Vars[V].IsCaptured)
      Captured.push_back(V);
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    SetsAutocast |= S.is(Attribute::SetsAutocast);
    for (const Arg &A : S.Args)
      if (A.R != Role::Read && A.Var != NoId && !writesElement(F, S, A))
        for (LoopId L = F.Blocks[B].InLoop; L != NoId; L = F.Loops[L].Parent)
          Stored[L].insert(A.Var);
    if (S.O != Op::Store)
      return;
    const Stmt *From =
        S.Args.empty() || !S.Args[0].Value ? nullptr : DefOf[S.Args[0].Value];
    const bool Fills =
        From && (From->O == Op::ListInsert || From->O == Op::ListSet);
    for (LoopId L = F.Blocks[B].InLoop; L != NoId; L = F.Loops[L].Parent) {
      Stored[L].insert(S.Var);
      if (Fills)
        Filled[L].insert(S.Var);
      if (Fills && From->O == Op::ListSet)
        Replaced[L].insert(S.Var);
    }
  });
}

namespace {

using BlockSets = std::vector<llvm::SparseBitVector<>>;

/// What a block reads before it sets it, and what it sets.
struct Liveness
    : Dataflow<Liveness, llvm::SparseBitVector<>, Direction::Backward> {
  Liveness(const Graph &G, BlockSets Reads, BlockSets Sets)
      : Reads(std::move(Reads)), Sets(std::move(Sets)) {
    solve(G, {});
  }
  void transfer(BlockId B, llvm::SparseBitVector<> &Live) const {
    Live.intersectWithComplement(Sets[B]);
    Live |= Reads[B];
  }
  static bool join(llvm::SparseBitVector<> &Into,
                   const llvm::SparseBitVector<> &From) {
    return Into |= From;
  }
  const BlockSets Reads, Sets;
};

} // namespace

/// What nobody reads again need not be copied from state to state, nor keep
/// states apart.
void FlowInfo::findLive() {
  const size_t N = F.Blocks.size();
  CrossAt.assign(F.NextValue, 0);
  auto Size = static_cast<uint32_t>(F.Vars.size());
  for (ValueId V = 0; V < F.NextValue; ++V)
    if (CrossBlock[V])
      CrossAt[V] = Size++;
  BlockSets Reads(N), Sets(N);
  for (BlockId B = 0; B < N; ++B) {
    auto Use = [&](ValueId V) {
      if (V && CrossBlock[V] && BlockOf[V] != B)
        Reads[B].set(CrossAt[V]);
    };
    for (const Stmt &S : F.Blocks[B].Stmts) {
      for (const Arg &A : S.Args)
        Use(A.Value);
      if (S.O == Op::Load && S.Var < F.Vars.size() && !Sets[B].test(S.Var))
        Reads[B].set(S.Var);
      if (S.is(Attribute::Subscript)) // a[i], of an accessor
        for (const Arg &A : S.Args)
          if (A.Var < F.Vars.size() && !A.Value && !Sets[B].test(A.Var))
            Reads[B].set(A.Var);
      if (S.O == Op::Store && S.Var < F.Vars.size())
        Sets[B].set(S.Var);
      if (S.Result && CrossBlock[S.Result])
        Sets[B].set(CrossAt[S.Result]);
    }
    Use(F.Blocks[B].Condition);
  }
  const Liveness Found(Blocks, std::move(Reads), std::move(Sets));
  for (BlockId B = 0; B < N; ++B) {
    Live.push_back(*Found.at(B));
    Found.transfer(B, Live.back());
  }
}

const PathConditions &FlowInfo::paths() const {
  if (!Paths)
    Paths.emplace(Values, Blocks);
  return *Paths;
}

const LoopFacts &FlowInfo::loops() const {
  if (!LoopsOf) {
    LoopsOf.emplace(Values, Blocks);
    std::vector<Shares> Parallel;
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.O != Op::Runs || S.Args.size() != 2)
        return;
      const Stmt *Begin = DefOf[S.Args[0].Value];
      if (Begin && Begin->Const == ConstKind::Int && Begin->Imm == 0)
        Parallel.push_back(
            {S.Args[0].Var, S.Args[1].Var, S.Args[0].Value, S.Args[1].Value});
    });
    for (VarId V = 0; V < F.Vars.size(); ++V) {
      auto C = LoopsOf->counter(V);
      for (const Shares &All : Parallel)
        if (!C)
          C = LoopsOf->counterIn(All, V);
      if (C)
        Counts.emplace_back(V, *C);
    }
  }
  return *LoopsOf;
}

const std::vector<std::pair<VarId, Counter>> &FlowInfo::counters() const {
  loops();
  return Counts;
}

} // namespace tensortidy::analysis
