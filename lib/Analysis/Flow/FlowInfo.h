//===- FlowInfo.h - what is known of a function before it runs -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts of one function that hold on all its paths and depend on no layout:
// where values are made, what loops change, what is read again later. They are
// computed once, for every hypothesis and every check.
//
//   b0: %1 = load $x            DefOf[1] is the load, BlockOf[1] is b0
//   b1: loop head               $y is in Stored[loop 0]
//   b2: store $y %1             %1 crosses blocks; $x is live at b0 only
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FLOW_FLOWINFO_H
#define TENSORTIDY_ANALYSIS_FLOW_FLOWINFO_H

#include "Analysis/Flow/LoopFacts.h"
#include "Analysis/Flow/PathConditions.h"
#include "llvm/ADT/SparseBitVector.h"

namespace tensortidy::analysis {

/// `p[i] = v`: an element changes, the pointer stays.
bool writesElement(const program::Function &F, const program::Stmt &S,
                   const program::Arg &A);

class FlowInfo {
  using Stmt = program::Stmt;
  using BlockId = program::BlockId;
  using VarId = program::VarId;

public:
  explicit FlowInfo(const program::Function &F);
  FlowInfo(const FlowInfo &) = delete; // its parts refer to each other

  bool insideLoop(BlockId B, program::LoopId L) const {
    return isInside(F, F.Blocks[B].InLoop, L);
  }
  /// These are computed when they are asked for first.
  const LoopFacts &loops() const;
  const std::vector<std::pair<VarId, Counter>> &counters() const;
  const PathConditions &paths() const;

  const program::Function &F;
  const DefUse Values;
  const Graph Blocks;
  const std::vector<const Stmt *> &DefOf = Values.Def;   ///< by ValueId
  const std::vector<BlockId> &BlockOf = Values.DefBlock; ///< by ValueId
  const std::vector<BlockId> &Order = Blocks.Order;      ///< by BlockId
  std::vector<bool> CrossBlock; ///< value used outside its block
  /// By VarId: whether a test of it has the same answer each time.
  std::vector<bool> StableVars;
  /// What is read at a block or after it: variables, then the values that
  /// several blocks use (at their place in CrossAt).
  std::vector<llvm::SparseBitVector<>> Live;
  std::vector<uint32_t> CrossAt;       ///< by ValueId
  std::vector<VarId> Captured;         ///< variables any opaque call may change
  std::vector<std::set<VarId>> Stored; ///< per loop: variables it stores
  std::vector<std::set<VarId>> Filled; ///< of those, lists it adds elements to
  bool SetsAutocast = false;           ///< or asks whether it is on
  std::vector<std::set<VarId>> Replaced; ///< lists whose elements it assigns

private:
  void findCrossing();
  void findStableVariables();
  void findStores();
  void findLive();

  mutable std::optional<LoopFacts> LoopsOf;
  mutable std::optional<PathConditions> Paths;
  mutable std::vector<std::pair<VarId, Counter>> Counts;
};

} // namespace tensortidy::analysis

#endif
