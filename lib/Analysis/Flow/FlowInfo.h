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

  bool insideLoop(BlockId B, program::LoopId L) const;
  /// Both are computed when they are asked for first.
  const LoopFacts &loops() const;
  const std::vector<std::pair<VarId, Counter>> &counters() const;

  const program::Function &F;
  std::vector<const Stmt *> DefOf; ///< by ValueId
  std::vector<BlockId> BlockOf;    ///< of the defining statement, by ValueId
  std::vector<bool> CrossBlock;    ///< value used outside its block
  /// By VarId: whether a test of it has the same answer each time.
  std::vector<bool> StableVars;
  /// What is read at a block or after it: variables, then the values that
  /// several blocks use (at their place in CrossAt).
  std::vector<llvm::SparseBitVector<>> Live;
  std::vector<uint32_t> CrossAt;       ///< by ValueId
  std::vector<VarId> Captured;         ///< variables any opaque call may change
  std::vector<std::set<VarId>> Stored; ///< per loop: variables it stores
  std::vector<std::set<VarId>> Filled; ///< of those, lists it adds elements to
  std::vector<std::set<VarId>> Replaced; ///< lists whose elements it assigns
  std::vector<BlockId> Order; ///< reverse post order position by block

private:
  void indexValues();
  void findStableVariables();
  void findStores();
  void orderBlocks();
  void findLive();

  mutable std::optional<LoopFacts> LoopsOf;
  mutable std::vector<std::pair<VarId, Counter>> Counts;
};

} // namespace tensortidy::analysis

#endif
