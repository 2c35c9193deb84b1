//===- Workers.h - run jobs in child processes ------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_WORKERS_H
#define TENSORTIDY_TOOL_WORKERS_H

#include <functional>
#include <string>

namespace tensortidy::tool {

/// How a child ended.
struct Outcome {
  enum { Finished, Crashed, TimedOut, NotStarted } How = Finished;
  int Status = 0;     ///< exit status, or signal when it crashed
  std::string Output; ///< what the job returned
  std::string Stderr; ///< what it wrote there
};

struct Work {
  unsigned Count = 0;   ///< jobs are numbered from 0
  unsigned AtOnce = 1;  ///< children at the same time
  unsigned Timeout = 0; ///< seconds for one job; 0: no limit
  std::function<std::string(unsigned)> Run; ///< in the child
  std::function<void(unsigned)> Started;    ///< in the parent
  /// In the parent, in the order of the jobs.
  std::function<void(unsigned, const Outcome &)> Done;
};

/// Runs every job in a process of its own, so that one which crashes or hangs
/// takes nothing else with it.
void runAll(const Work &W);

} // namespace tensortidy::tool

#endif
