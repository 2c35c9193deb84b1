//===- LoopFacts.h - what iterations have in common -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checks on loops ask of the program's def-use chains. States say what
// holds on one path; these questions are about all iterations at once.
//
//   for (i ...) {             invariant in the loop: w, n, w.t(), n + 1
//     y = x[i].matmul(w);     not: i, x[i], y
//     n2 = n + 1;             n2 is: a local, set once from what is
//   }
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_LOOPFACTS_H
#define TENSORTIDY_ANALYSIS_LOOPFACTS_H

#include "Analysis/Facts/Finding.h"
#include "Analysis/Flow/DefUse.h"
#include "Analysis/Flow/Reachability.h"
#include "llvm/ADT/SetVector.h"
#include <set>
#include <vector>

namespace tensortidy::analysis {

/// `for (i = Start; i < Bound; i += Step)`: what changes i in no other way.
struct Counter {
  program::LoopId Of = program::NoId;
  int64_t Start = 0, Step = 1; ///< Start >= 0, Step > 0
  program::ValueId Bound = 0;
};

/// The parameters of a body that parallel_for() runs, between them, for all of
/// [Begin, End).
struct Shares {
  program::VarId First = program::NoId, Last = program::NoId;
  program::ValueId Begin = 0, End = 0;
};

class LoopFacts {
  using Stmt = program::Stmt;
  using ValueId = program::ValueId;
  using VarId = program::VarId;
  using BlockId = program::BlockId;
  using LoopId = program::LoopId;

public:
  LoopFacts(const DefUse &Values, const Graph &Blocks);

  /// Whether loop \p Inner is \p L or inside it.
  bool inside(LoopId Inner, LoopId L) const { return isInside(F, Inner, L); }
  bool blockInside(BlockId B, LoopId L) const {
    return inside(F.Blocks[B].InLoop, L);
  }
  /// The innermost loop at or around \p L that may run more than once.
  LoopId repeated(LoopId L) const {
    while (L != program::NoId && F.Loops[L].RunsOnce)
      L = F.Loops[L].Parent;
    return L;
  }
  /// The same around \p B.
  LoopId loopAround(BlockId B) const { return repeated(F.Blocks[B].InLoop); }
  /// Every path around the loop passes B, and B leads back to the head.
  bool everyIteration(BlockId B, LoopId L) const;
  /// Some path from \p B, past \p Avoid, leads to another iteration.
  bool comesBack(BlockId B, LoopId L, BlockId Avoid = program::NoId) const;
  /// Every path from the entry to \p To passes \p B.
  bool passes(BlockId B, BlockId To) const;
  /// Every path from \p From that returns passes \p B.
  bool comesTo(BlockId B, BlockId From) const;
  /// Whether a path leads from \p A in block \p InA to \p B in \p InB.
  bool leadsTo(const Stmt &A, BlockId InA, const Stmt &B, BlockId InB) const;
  /// Adds the edit that moves the declaration \p S initialises before the loop
  /// around it, if all it names is declared outside.
  void hoist(const Stmt &S, BlockId B, std::vector<Edit> &Edits) const;
  /// The value is the same in every iteration: the tensor, its layout and its
  /// elements. What an unknown call does to elements is not seen: see
  /// CallsUnknown.
  bool invariant(ValueId V, LoopId L) const { return fixed(V, L, true, 0); }
  /// The same of the tensor alone; its elements may change.
  bool sameTensor(ValueId V, LoopId L) const { return fixed(V, L, false, 0); }
  /// Variables whose tensor a value may share storage with.
  using Variables = llvm::SmallSetVector<VarId, 2>;
  Variables roots(ValueId V) const {
    Variables R;
    addRoots(V, R, 0);
    return R;
  }
  /// Whether no code outside the function can change the elements.
  bool ownElements(ValueId V) const;
  /// What \p V counts, in `for (i = 0; i < n; ++i)`; with \p Inclusive that is
  /// `i <= n`.
  std::optional<Counter> counter(VarId V, bool Inclusive = false,
                                 const Stmt *From = nullptr) const;
  /// Of a body that is run for a share of a range each time: what it counts in
  /// all runs together. Its start is Shares::Begin.
  std::optional<Counter> counterIn(const Shares &All, program::VarId V) const;
  bool isInteger(ValueId V) const;
  /// Whether \p V is a number of C++, and no tensor.
  bool isNumber(ValueId V) const;

  using Use = DefUse::Use;
  const program::Function &F;
  const DefUse &Values;
  const Graph &Blocks;
  const std::vector<const Stmt *> &Def;                ///< by value
  const std::vector<BlockId> &DefBlock;                ///< by value
  const std::vector<std::vector<Use>> &Uses;           ///< by value
  const std::vector<std::vector<const Stmt *>> &Loads; ///< by variable
  /// By variable: what stores it; null for a call that may.
  const std::vector<std::vector<const Stmt *>> &Stores;
  bool NoGrad = false;            ///< a guard at the top of the function
  std::vector<bool> CallsUnknown; ///< loops with opaque calls
  std::vector<bool> Reshapes;     ///< loops that change metadata in place
  /// Loops of which an iteration may leave before the test, but by a throw.
  std::vector<bool> LeavesEarly;

private:
  void findLeaving();
  void findChanges();
  bool isOnlyRead(ValueId V) const;
  void addCall(const Stmt &S, BlockId B);
  void addRoots(ValueId V, Variables &R, unsigned Depth) const;
  bool fixed(ValueId V, LoopId L, bool Elements, unsigned Depth) const;
  VarId find(VarId V) const;
  bool mutated(VarId V, LoopId L, bool Elements) const;

  std::vector<std::set<VarId>> StoredIn; ///< by loop: variables it stores
  mutable std::vector<VarId> Alias;      ///< union-find over variables
  /// Variables whose tensors' elements or metadata a loop changes.
  std::vector<std::set<VarId>> Changed;
};

} // namespace tensortidy::analysis

#endif
