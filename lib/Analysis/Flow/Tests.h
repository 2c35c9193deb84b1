//===- Tests.h - what a path has found out about variables ------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that follow single paths need to know which paths there are:
//
//   if (own) p = copy.data_ptr<float>();     own: true
//   ...
//   if (!own) use(p);                        this way it is not taken
//
// Only of variables that keep their value while the function runs, and that are
// tested more than once or in a loop.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_TESTS_H
#define TENSORTIDY_ANALYSIS_TESTS_H

#include "Analysis/Flow/Handles.h"
#include <map>
#include <vector>

namespace tensortidy::analysis {

/// By VarId: whether a variable keeps its value while the function runs. It is
/// a parameter that is never set, or is set once, and not in a loop.
std::vector<bool> keepValues(const program::Function &F);

/// The tests of a path so far, by variable.
using Tested = std::map<program::VarId, bool>;

class Tests {
public:
  explicit Tests(const program::Function &F);

  /// Whether a path that knows \p Known may leave block \p B by successor
  /// \p Way; if so, what it knows then.
  bool mayTake(program::BlockId B, size_t Way, Tested &Known) const;
  /// What every path from the entry knows that comes to block \p B.
  const Tested &before(program::BlockId B) const { return Before[B]; }

private:
  program::VarId tested(program::BlockId B, bool &Holds) const;

  const program::Function &F;
  std::vector<const program::Stmt *> DefOf; ///< by ValueId
  std::vector<bool> Constant;               ///< by VarId
  std::vector<Tested> Before;               ///< by BlockId
};

} // namespace tensortidy::analysis

#endif
