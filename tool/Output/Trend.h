//===- Trend.h - findings of two runs, compared -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   old.sarif     a1 a2 b1 b2             by their fingerprints (Identity.h)
//   this run      a1    b1    c1
//                 |  |  |  |  +---> new
//                 |  |  |  +------> not looked at: its file was not linted
//                 |  +--|---------> gone
//                 +-----+---------> unchanged
//
// What NOLINT silences counts as not there, in either run; what a baseline has
// is there.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_TREND_H
#define TENSORTIDY_TOOL_OUTPUT_TREND_H

#include "Output/Report.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace tensortidy::tool {

class Trend {
public:
  enum class State { Unchanged, Gone, Silenced, NotLookedAt };
  struct OldFinding {
    std::string Fingerprint, Check, Message, File;
    int64_t Line = 0; ///< 0: unknown
    State S = State::NotLookedAt;
  };
  struct Counts {
    unsigned Before = 0, Gone = 0, New = 0, Now = 0;
  };

  /// The findings of the SARIF log at \p Path.
  static llvm::Expected<Trend> read(llvm::StringRef Path);

  /// Compares them with those of \p R, sorted. \p Linted says whether this run
  /// has looked at a file with a check.
  void
  compare(const Report &R,
          llvm::function_ref<bool(llvm::StringRef File, llvm::StringRef Check)>
              Linted);

  /// Whether \p F was not there.
  bool isNew(const ReportedFinding &F) const;
  const std::vector<OldFinding> &old() const { return Old; }
  /// What is not looked at is before and now.
  const std::map<std::string, Counts> &byCheck() const { return Checks; }
  Counts total() const;
  unsigned count(State S) const;
  const std::string &name() const { return Name; }

private:
  std::string Name; ///< of the log, without its folder
  std::vector<OldFinding> Old;
  std::map<std::string, size_t> ByFingerprint;
  std::map<std::string, Counts> Checks;
};

} // namespace tensortidy::tool

#endif
