//===- Reachability.cpp - which blocks lead to which ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Flow/Reachability.h"
#include "Analysis/Flow/DefUse.h"

using namespace tensortidy::program;

namespace tensortidy::analysis {

/// Reverse post order, iteratively.
Graph::Graph(const Function &F) : F(F), Preds(F.Blocks.size()) {
  const size_t N = F.Blocks.size();
  for (BlockId B = 0; B < N; ++B)
    for (BlockId Next : F.Blocks[B].Succs)
      if (Next != NoId)
        Preds[Next].push_back(B);
  std::vector<bool> Seen(N, false);
  std::vector<std::pair<BlockId, unsigned>> Stack{{F.Entry, 0}};
  std::vector<BlockId> Post;
  Seen[F.Entry] = true;
  while (!Stack.empty()) {
    auto &[B, I] = Stack.back();
    // What leaves the loop comes first here, and so last in the order: the loop
    // has come to rest by then.
    const auto &Succs = F.Blocks[B].Succs;
    const auto Leaves = [&, At = B](BlockId S) {
      return S != NoId && F.Blocks[At].InLoop != NoId &&
             !isInside(F, F.Blocks[S].InLoop, F.Blocks[At].InLoop);
    };
    if (I < 2 * Succs.size()) {
      const bool First = I < Succs.size();
      BlockId S = Succs[I++ % Succs.size()];
      if (S != NoId && !Seen[S] && (!First || Leaves(S))) {
        Seen[S] = true;
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

} // namespace tensortidy::analysis
