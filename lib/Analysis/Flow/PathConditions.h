//===- PathConditions.h - what a path found out of variables ----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who follows single paths needs to know which paths there are:
//
//   if (own) p = copy.data_ptr<float>();     own: true
//   ...
//   if (!own) use(p);                        this way it is not taken
//
// Only of variables that keep their value while the function runs, and that are
// tested more than once or in a loop; and of tests that a constant decides:
//
//   wrap(rows, false)                        if (own) of wrap() is not taken
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FLOW_PATHCONDITIONS_H
#define TENSORTIDY_ANALYSIS_FLOW_PATHCONDITIONS_H

#include "Analysis/Flow/Dataflow.h"
#include "Analysis/Flow/DefUse.h"

namespace tensortidy::analysis {

/// By VarId: whether a variable keeps its value while the function runs. It is
/// a parameter that is never set, or is set once, and not in a loop.
std::vector<bool> keepValues(const program::Function &F);

/// The tests of a path so far, by variable.
using Tested = std::map<program::VarId, bool>;

class PathConditions
    : public Dataflow<PathConditions, Tested, Direction::Forward> {
public:
  PathConditions(const DefUse &Values, const Graph &G);

  /// Whether a path that knows \p Known may leave block \p B by successor
  /// \p Way; if so, what it knows then.
  bool takes(program::BlockId B, size_t Way, Tested &Known) const;

  /// What every path from the entry knows that comes to block \p B.
  Tested before(program::BlockId B) const { return at(B) ? *at(B) : Tested(); }

  void transfer(program::BlockId, Tested &) {}
  bool join(Tested &Into, const Tested &From) { return keepCommon(Into, From); }

private:
  std::optional<bool> decided(program::BlockId B) const;
  program::VarId tested(program::BlockId B, bool &Holds) const;

  const DefUse &Values;
  std::vector<bool> Constant; ///< by VarId
};

} // namespace tensortidy::analysis

#endif
