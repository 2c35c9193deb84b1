//===- FlowInfo.cpp - what is known of a function before it runs -*- C++
//-*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Flow/FlowInfo.h"
#include "Analysis/Flow/Tests.h"
#include <algorithm>

namespace tensortidy::analysis {

using namespace program;

bool writesElement(const Function &F, const Stmt &S, const Arg &A) {
  return S.O == Op::Assign && A.Var < F.Vars.size() && F.Vars[A.Var].Borrows &&
         F.Vars[A.Var].Type == VarType::Other;
}

FlowInfo::FlowInfo(const Function &F) : F(F) {
  indexValues();
  findStableVariables();
  findStores();
  orderBlocks();
  findLive();
}

bool FlowInfo::insideLoop(BlockId B, LoopId L) const {
  for (LoopId I = F.Blocks[B].InLoop; I != NoId; I = F.Loops[I].Parent)
    if (I == L)
      return true;
  return false;
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

/// Where values are made, and which of them other blocks use.
void FlowInfo::indexValues() {
  DefOf.assign(F.NextValue, nullptr);
  BlockOf.assign(F.NextValue, NoId);
  CrossBlock.assign(F.NextValue, false);
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (S.Result) {
      DefOf[S.Result] = &S;
      BlockOf[S.Result] = B;
    }
  });
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    for (const Arg &A : S.Args)
      if (A.Value && BlockOf[A.Value] != B)
        CrossBlock[A.Value] = true;
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

/// Reverse post order, iteratively.
void FlowInfo::orderBlocks() {
  const size_t N = F.Blocks.size();
  std::vector<uint8_t> Seen(N, 0);
  std::vector<std::pair<BlockId, unsigned>> Stack{{F.Entry, 0}};
  std::vector<BlockId> Post;
  Seen[F.Entry] = 1;
  while (!Stack.empty()) {
    auto &[B, I] = Stack.back();
    // What leaves the loop comes first here, and so last in the order: the loop
    // has come to rest by then.
    const auto &Succs = F.Blocks[B].Succs;
    const auto Leaves = [&, At = B](BlockId S) {
      return S != NoId && F.Blocks[At].InLoop != NoId &&
             !insideLoop(S, F.Blocks[At].InLoop);
    };
    if (I < 2 * Succs.size()) {
      const bool First = I < Succs.size();
      BlockId S = Succs[I++ % Succs.size()];
      if (S != NoId && !Seen[S] && (!First || Leaves(S))) {
        Seen[S] = 1;
        Stack.push_back({S, 0});
      }
    } else {
      Post.push_back(B);
      Stack.pop_back();
    }
  }
  Order.assign(N, NoId);
  for (size_t I = 0; I < Post.size(); ++I)
    Order[Post[I]] = static_cast<BlockId>(Post.size() - 1 - I);
}

/// Backwards to a fixpoint, blocks in post order. What nobody reads again need
/// not be copied from state to state, nor keep states apart.
void FlowInfo::findLive() {
  const size_t N = F.Blocks.size();
  CrossAt.assign(F.NextValue, 0);
  auto Size = static_cast<uint32_t>(F.Vars.size());
  for (ValueId V = 0; V < F.NextValue; ++V)
    if (CrossBlock[V])
      CrossAt[V] = Size++;
  std::vector<llvm::SparseBitVector<>> Sets(N);
  Live.resize(N);
  for (BlockId B = 0; B < N; ++B) {
    auto Use = [&](ValueId V) {
      if (V && CrossBlock[V] && BlockOf[V] != B)
        Live[B].set(CrossAt[V]);
    };
    for (const Stmt &S : F.Blocks[B].Stmts) {
      for (const Arg &A : S.Args)
        Use(A.Value);
      if (S.O == Op::Load && S.Var < F.Vars.size() && !Sets[B].test(S.Var))
        Live[B].set(S.Var);
      if (S.O == Op::Store && S.Var < F.Vars.size())
        Sets[B].set(S.Var);
      if (S.Result && CrossBlock[S.Result])
        Sets[B].set(CrossAt[S.Result]);
    }
    Use(F.Blocks[B].Condition);
  }
  std::vector<BlockId> Post;
  for (BlockId B = 0; B < N; ++B)
    if (Order[B] != NoId)
      Post.push_back(B);
  std::sort(Post.begin(), Post.end(),
            [&](BlockId A, BlockId B) { return Order[A] > Order[B]; });
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BlockId B : Post) {
      llvm::SparseBitVector<> Out;
      for (BlockId S : F.Blocks[B].Succs)
        if (S != NoId)
          Out |= Live[S];
      Out.intersectWithComplement(Sets[B]);
      Out |= Live[B];
      if (Out != Live[B]) {
        Live[B] = std::move(Out);
        Changed = true;
      }
    }
  }
}

const LoopFacts &FlowInfo::loops() const {
  if (!LoopsOf) {
    LoopsOf.emplace(F);
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
