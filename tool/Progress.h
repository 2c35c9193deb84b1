//===- Progress.h - how far a run has come ----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   on a terminal, rewritten in place:
//     [7/24] 5 findings, about 2 min left: src/attention.cpp
//   elsewhere, a line every tenth of the files:
//     tensortidy: 7 of 24 files, 5 findings, about 2 min left
//
// Files count when they are finished. The time left is that of the files which
// are not, if each takes as long as the finished ones did on average:
//
//     finished  10 s, 14 s            12 s on average
//     running   for 5 s               7 s left of it
//     waiting   3 files               36 s
//     two at once                     (7 + 36) / 2 s
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_PROGRESS_H
#define TENSORTIDY_TOOL_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <optional>
#include <string>

namespace tensortidy::tool {

/// "1 file", "2 files".
std::string counted(size_t N, llvm::StringRef What);

/// What is known of a run; times are seconds since any fixed moment.
class Progress {
public:
  Progress(unsigned Total, unsigned AtOnce) : Total(Total), AtOnce(AtOnce) {}

  void started(unsigned Job, llvm::StringRef File, double Now);
  void ended(unsigned Job, double Now);
  unsigned done() const { return Done; }
  unsigned total() const { return Total; }

  /// Nothing before there is enough to go by.
  std::optional<double> secondsLeft(double Now) const;

  /// For a terminal of \p Width columns; names the file that takes longest.
  std::string line(unsigned Findings, double Now, unsigned Width) const;
  /// For a log.
  std::string plain(unsigned Findings, double Now) const;

private:
  struct Running {
    std::string File;
    double Since;
  };

  std::string state(unsigned Findings, double Now) const;

  unsigned Total, AtOnce;
  unsigned Done = 0;
  double Spent = 0; ///< on the files that are done
  std::map<unsigned, Running> Jobs;
};

/// "about 40 s left", or "" for next to nothing.
std::string timeLeftText(double Seconds);

/// Shows it on standard error.
class ProgressDisplay {
public:
  ProgressDisplay(unsigned Total, unsigned AtOnce, bool Quiet);

  void started(unsigned Job, llvm::StringRef File);
  void ended(unsigned Job);
  void show(unsigned Findings);
  /// Makes room for other output.
  void clear();

private:
  enum { Nothing, Line, Plain } Kind;
  Progress State;
  unsigned TenthsSaid = 0;
  std::string Shown; ///< what stands on the terminal
};

} // namespace tensortidy::tool

#endif
