//===- Dataflow.h - fixpoints over the blocks of a function -----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two drivers. An analysis says what a block or a statement does, and never how
// blocks follow each other.
//
//   Dataflow      one fact a block, joined where paths meet: what is live, how
//                 long lists are. An analysis has transfer() and join().
//   PathDataflow  facts that paths do not share, each followed by itself: the
//                 set of them is what a block has, and it is bounded. An
//                 analysis has step() and matters().
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FLOW_DATAFLOW_H
#define TENSORTIDY_ANALYSIS_FLOW_DATAFLOW_H

#include "Analysis/Flow/Reachability.h"
#include <map>
#include <optional>
#include <set>

namespace tensortidy::analysis {

enum class Direction : uint8_t { Forward, Backward };

/// `Derived` has, and this class calls:
///   void transfer(BlockId, Lattice &);         what a block does
///   bool join(Lattice &, const Lattice &);     whether the first has changed
///   bool takes(BlockId, size_t Way, Lattice &) forward: whether an edge is
///                                              taken, and what that says
template <class Derived, class Lattice, Direction D> class Dataflow {
  friend Derived;
  Dataflow() = default;

public:
  using BlockId = program::BlockId;

  /// What holds where \p B begins (forward) or ends (backward); null for a
  /// block that nothing leads to.
  const Lattice *at(BlockId B) const { return At[B] ? &*At[B] : nullptr; }

protected:
  bool takes(BlockId, size_t, Lattice &) { return true; }

  /// \p Start holds at the entry; backward, at the end of each block.
  void solve(const Graph &G, const Lattice &Start) {
    const program::Function &F = G.F;
    At.assign(F.Blocks.size(), std::nullopt);
    std::set<std::pair<BlockId, BlockId>> Work;
    auto Add = [&](BlockId B) {
      const BlockId Place = G.Order[B];
      Work.insert({D == Direction::Forward ? Place : ~Place, B});
    };
    auto Arrive = [&](BlockId B, const Lattice &X) {
      if (!At[B])
        At[B] = X;
      else if (!derived().join(*At[B], X))
        return;
      Add(B);
    };
    if constexpr (D == Direction::Forward)
      Arrive(F.Entry, Start);
    for (BlockId B = 0; D == Direction::Backward && B < At.size(); ++B)
      Arrive(B, Start);
    while (!Work.empty()) {
      const BlockId B = Work.begin()->second;
      Work.erase(Work.begin());
      Lattice X = *At[B];
      derived().transfer(B, X);
      if constexpr (D == Direction::Backward) {
        for (BlockId P : G.preds(B))
          Arrive(P, X);
        continue;
      }
      for (size_t Way = 0; Way < G.succs(B).size(); ++Way) {
        Lattice Next = X;
        if (const BlockId To = G.succs(B)[Way];
            To != program::NoId && derived().takes(B, Way, Next))
          Arrive(To, Next);
      }
    }
  }

private:
  Derived &derived() { return static_cast<Derived &>(*this); }

  std::vector<std::optional<Lattice>> At;
};

/// Of two maps what both say: the join of facts that hold on all paths.
template <class K, class V>
bool keepCommon(std::map<K, V> &Into, const std::map<K, V> &From) {
  const size_t Before = Into.size();
  for (auto It = Into.begin(); It != Into.end();) {
    auto Same = From.find(It->first);
    It = Same != From.end() && Same->second == It->second ? std::next(It)
                                                          : Into.erase(It);
  }
  return Into.size() != Before;
}

/// `Derived` has, and this class calls:
///   bool step(State &, const Block &, const Stmt &); false: followed no
///   further bool matters(const State &);                     asked at ends of
///   blocks bool takes(BlockId, size_t Way, State &);        as above
template <class Derived, class State> class PathDataflow {
  friend Derived;
  PathDataflow() = default;

public:
  using BlockId = program::BlockId;

protected:
  /// Follows \p S from the statement \p From of \p Start on. A block has at
  /// most \p MaxStates.
  void follow(const program::Function &F, BlockId Start, size_t From, State S,
              size_t MaxStates) {
    std::vector<std::set<State>> Seen(F.Blocks.size());
    std::vector<std::pair<BlockId, State>> Work;
    auto Walk = [&](BlockId B, size_t I, State Now) {
      const program::Block &Blk = F.Blocks[B];
      for (; I < Blk.Stmts.size(); ++I)
        if (!derived().step(Now, Blk, Blk.Stmts[I]))
          return;
      for (size_t Way = 0; derived().matters(Now) && Way < Blk.Succs.size();
           ++Way) {
        const BlockId To = Blk.Succs[Way];
        State Next = Now;
        if (To != program::NoId && derived().takes(B, Way, Next) &&
            Seen[To].size() < MaxStates && Seen[To].insert(Next).second)
          Work.push_back({To, std::move(Next)});
      }
    };
    for (Walk(Start, From, std::move(S)); !Work.empty();) {
      auto [B, Now] = std::move(Work.back());
      Work.pop_back();
      Walk(B, 0, std::move(Now));
    }
  }

private:
  Derived &derived() { return static_cast<Derived &>(*this); }
};

} // namespace tensortidy::analysis

#endif
