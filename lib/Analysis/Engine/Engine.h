//===- Engine.h - states through blocks -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward worklist over the blocks of a function. Each block has a small set
// of states; a state that arrives is dropped if one there describes it, joined
// with the closest where there is no room, or runs.
//
//            b0
//           /  \       b3 gets a state of each arm; they are joined only when
//         b1    b2     it has MaxStates of them, or when they differ in nothing
//           \  /       that anybody reads later.
//            b3
//
// When a state describes another one, and what two have in common, is the
// domain's. What a statement does is handed in (Steps): this part knows nothing
// of tensors.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_ENGINE_H
#define TENSORTIDY_ANALYSIS_ENGINE_H

#include "Analysis/Domain/Join.h"
#include "Analysis/Facts/Budget.h"
#include "Analysis/Flow/FlowInfo.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tensortidy::analysis {

/// Looks at the states of a run, for tests of the domain.
class StateObserver {
public:
  virtual ~StateObserver() = default;
  /// \p S enters block \p B; \p Joins can join it with others of this run.
  virtual void enters(program::BlockId B, const State &S, Joiner &Joins) = 0;
};

/// What blocks do to states.
class Steps {
public:
  virtual ~Steps() = default;
  /// What is known where the function begins.
  virtual State entry() = 0;
  /// Runs the statements of block \p B; false when the path ends in it.
  virtual bool run(program::BlockId B, State &W) = 0;
  /// Gives \p Next what is known on each edge out of \p B that \p W can take.
  virtual void
  leave(program::BlockId B, State W,
        llvm::function_ref<void(State, program::BlockId)> Next) = 0;
  /// In a loop variable \p V, which is \p Was before it, is \p Now.
  virtual void changesInLoop(program::VarId V, const Value &Was,
                             const Value &Now) = 0;
  /// Runs block \p B on trial; the outcome of the test that ends it.
  virtual Truth test(program::BlockId B, State &Trial) = 0;
};

/// Who names what the states of a run are about.
struct RunNames {
  layout::Symbols &Table;
  Identities &Ids;
  Joiner &Join;
};

/// Why nothing is asked of \p F with budget \p B, or GiveUp::No.
program::GiveUp refuses(const program::Function &F, const Budget &B);

/// For a function that is not refused: \p Rules run until no state is new. Ends
/// with GiveUp::TooSlow when cpuSeconds() passes \p Deadline.
program::GiveUp runToFixpoint(const FlowInfo &Flow, const Budget &B,
                              double Deadline, RunNames Names, Steps &Rules,
                              StateObserver *Sees);

} // namespace tensortidy::analysis

#endif
