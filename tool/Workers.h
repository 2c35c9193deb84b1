//===- Workers.h - run jobs in child processes ------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every job runs in a process of its own, so that one which crashes or hangs
// takes nothing else with it. They end as they like; what they say is passed on
// in the order of the jobs:
//
//   started  0 1 2      3      4
//   ended        1  0      2      ...
//   done            0 1    2                 1 has waited for 0
//
// What need not run is told first. The others start in the order of a plan,
// which may have errands in it, things that some jobs need: those wait. There
// are never more children than memory for them, as far as can be seen from
// those that have ended.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_WORKERS_H
#define TENSORTIDY_TOOL_WORKERS_H

#include "Machine.h"
#include <functional>
#include <optional>
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
  unsigned Count = 0;  ///< jobs are numbered from 0
  unsigned AtOnce = 1; ///< children at the same time, if the system has room
  /// Each but the first child takes a token of this, if there is one.
  JobServer *Tokens = nullptr;
  unsigned Timeout = 0; ///< seconds for one job; 0: no limit
  std::function<std::string(unsigned)> Run; ///< in the child

  // In the parent:
  /// The output of a job that need not run.
  std::function<std::optional<std::string>(unsigned)> Known = [](unsigned) {
    return std::nullopt;
  };
  /// The order of all jobs that must run. Numbers from Count on are errands,
  /// which run like jobs, and whose output nobody wants.
  std::function<std::vector<unsigned>(std::vector<unsigned>)> Plan =
      [](std::vector<unsigned> Jobs) { return Jobs; };
  /// Whether a job can start: it needs no errand that runs or is to come.
  std::function<bool(unsigned)> Ready = [](unsigned) { return true; };
  /// Whether a job that ended so is to run once more.
  std::function<bool(unsigned, const Outcome &)> Again =
      [](unsigned, const Outcome &) { return false; };
  std::function<void(unsigned)> Started = [](unsigned) {};
  std::function<void(unsigned)> Ended = [](unsigned) {};
  /// In the order of the jobs; false: there is no point in going on.
  std::function<bool(unsigned, const Outcome &)> Done;
  std::function<void()> Waiting = [] {}; ///< several times a second
};

/// Runs the jobs; no child is left when it returns. A signal that asks this
/// process to end stops the children, passes on what has ended, also what had
/// to wait for an earlier job, and is returned; 0 if none came.
int runAll(const Work &W);

} // namespace tensortidy::tool

#endif
