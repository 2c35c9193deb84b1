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
// What a statement does is Transfer's; when a state describes another one, and
// what two have in common, is the domain's.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_ENGINE_H
#define TENSORTIDY_ANALYSIS_ENGINE_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Looks at the states of a run, for tests of the domain.
class StateObserver {
public:
  virtual ~StateObserver() = default;
  /// \p S enters block \p B; \p Joins can join it with others of this run.
  virtual void enters(program::BlockId B, const State &S, Joiner &Joins) = 0;
};

/// Why nothing is asked of \p F with budget \p B, or GiveUp::No.
program::GiveUp refuses(const program::Function &F, const Budget &B);

/// For a function that is not refused. Ends with GiveUp::TooSlow when
/// cpuSeconds() passes \p Deadline. What fails fails for tensors of more
/// dimensions than were counted from both ends, and for those of the least rank
/// they may have.
RunResult interpret(const FlowInfo &Flow, Hypothesis H, const Budget &B,
                    double Deadline, StateObserver *Sees = nullptr);

} // namespace tensortidy::analysis

#endif
