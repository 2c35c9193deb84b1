//===- Baseline.h - the findings that old code is known to have -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A baseline is a file beside the code, sorted, an entry a line, so that it
// merges and its history can be read:
//
//   {"version": 1, "tool": "tensortidy", "findings": [
//   {"check": "tensor-hidden-copy", "file": "src/a.cpp", "function":
//   "net::run",
//    "message": "...", "count": 2},                            (on one line)
//   ]}
//
// An entry covers so many findings of the same identity (Identity.h) in its
// file; and in any other, once its file is gone: it was renamed.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_BASELINE_H
#define TENSORTIDY_TOOL_OUTPUT_BASELINE_H

#include "Output/Identity.h"
#include "Output/Project.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tensortidy::tool {

class Baseline {
public:
  /// Reads the file at \p Path. None there is an error unless \p MayBeNew.
  llvm::Error read(llvm::StringRef Path, bool MayBeNew);

  /// Whether an entry covers a finding in \p File; each does so count times.
  bool covers(const FindingIdentity &Finding, llvm::StringRef File,
              const Project &P);

  struct Entry {
    std::string File;
    FindingIdentity Finding;
    unsigned Count = 0;
  };
  /// The entries that covered nothing although they could have. \p Linted says
  /// whether a check has looked at a file. Those of a file that is gone may
  /// belong to one of a new name that was not looked at: they are gone, too, if
  /// the run is \p Whole, nothing has failed, and looked at all other entries.
  std::vector<Entry>
  gone(const Project &P, bool Whole,
       llvm::function_ref<bool(llvm::StringRef File, llvm::StringRef Check)>
           Linted) const;

  /// Adds a finding that no entry covers.
  void add(const FindingIdentity &Finding, llvm::StringRef File);
  /// Takes out what gone() has named, and gives entries of files that are gone
  /// the name of the file they covered findings in.
  void prune(const std::vector<Entry> &Gone);

  /// Writes the file, unless it has another text by now than was read.
  llvm::Error write(llvm::StringRef Path) const;
  /// How many findings it has.
  unsigned size() const;

private:
  struct Counts {
    unsigned Count = 0, Left = 0;
    std::map<std::string, unsigned> Moved; ///< covered, of other files
  };
  using ByFile = std::map<std::string, Counts>;

  llvm::Error parse(llvm::StringRef Text);
  std::string text() const;

  std::map<FindingIdentity, ByFile> Entries;
  std::string Read; ///< the file's text
  bool WasThere = false;
};

} // namespace tensortidy::tool

#endif
