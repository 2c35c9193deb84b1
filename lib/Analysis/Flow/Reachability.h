//===- Reachability.h - which blocks lead to which --------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk for all questions of the form "does a path lead from here to there
// that does not pass this": who asks says of each block whether it is what is
// looked for, ends the path, or is passed.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FLOW_REACHABILITY_H
#define TENSORTIDY_ANALYSIS_FLOW_REACHABILITY_H

#include "Program/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace tensortidy::analysis {

enum class Visit : uint8_t { Pass, End, Found };

/// The edges of a function's blocks, and an order to visit them in.
class Graph {
  using BlockId = program::BlockId;

public:
  explicit Graph(const program::Function &F);

  llvm::ArrayRef<BlockId> succs(BlockId B) const { return F.Blocks[B].Succs; }
  llvm::ArrayRef<BlockId> preds(BlockId B) const { return Preds[B]; }

  /// Whether \p Of is Found for a block that a path from one of \p Start comes
  /// to, those included. A block is visited once.
  template <class Fn>
  bool reaches(llvm::ArrayRef<BlockId> Start, Fn &&Of) const {
    return walk(Start, Of, [&](BlockId B) { return succs(B); });
  }
  /// The same against the direction of the edges.
  template <class Fn>
  bool reachesBack(llvm::ArrayRef<BlockId> Start, Fn &&Of) const {
    return walk(Start, Of, [&](BlockId B) { return preds(B); });
  }

  const program::Function &F;
  /// Place in reverse post order, by block; NoId for those that nothing reaches
  /// from the entry. What leaves a loop comes after the loop.
  std::vector<BlockId> Order;

private:
  template <class Fn, class Edges>
  bool walk(llvm::ArrayRef<BlockId> Start, Fn &&Of, Edges &&Next) const {
    std::vector<bool> Seen(F.Blocks.size(), false);
    std::vector<BlockId> Work;
    auto Add = [&](llvm::ArrayRef<BlockId> Blocks) {
      for (BlockId B : Blocks)
        if (B != program::NoId && !Seen[B]) {
          Seen[B] = true;
          Work.push_back(B);
        }
    };
    for (Add(Start); !Work.empty();) {
      const BlockId B = Work.back();
      Work.pop_back();
      const Visit Is = Of(B);
      if (Is == Visit::Found)
        return true;
      if (Is == Visit::Pass)
        Add(Next(B));
    }
    return false;
  }

  std::vector<llvm::SmallVector<BlockId, 2>> Preds;
};

} // namespace tensortidy::analysis

#endif
