//===- Suppress.h - comments that silence findings --------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What --add-nolint writes above the line of a finding:
//
//     // NOLINTNEXTLINE(tensor-hidden-copy,tensor-redundant-clone): old code
//     y = x.clone().reshape(-1);
//
// The checks of one line share a comment, also one that stands there already.
// A line may begin or end in the middle of what is no code, or of a macro's
// definition, where a new line would change the program:
//
//   auto text = R"(first           the line cannot have one above it, so
//   second)", y = x.view(-1); // NOLINT(tensor-view-after-permute): old code
//
//   // NOLINTBEGIN(tensor-view-after-permute): old code
//   each = x.view(-1) + \          neither above it nor behind it
//          y.view(-1) + \          (this is the one)
//          z;
//   // NOLINTEND(tensor-view-after-permute)
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_SUPPRESS_H
#define TENSORTIDY_TOOL_OUTPUT_SUPPRESS_H

#include "Fixes.h"
#include "Result.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tensortidy::tool {

/// What is wrong with a reason for a comment; empty: nothing.
std::string badReason(llvm::StringRef Why);

/// By line, which counts from 1, the checks to be silenced there.
using SilencedLines = std::map<unsigned, std::set<std::string>>;

/// The insertions that do so in \p Text, each a change of its own but for the
/// two of NOLINTBEGIN and NOLINTEND. Their File is left empty.
std::vector<std::vector<Edit>> suppressions(llvm::StringRef Text,
                                            const SilencedLines &Lines,
                                            llvm::StringRef Why);

/// Collects the findings of a run.
class Suppressions {
public:
  void add(llvm::ArrayRef<clang::tidy::ClangTidyError> Findings,
           const FileResult &R);
  void suggest(Fixes &To, llvm::StringRef Why) const;

private:
  struct Lines {
    SourceText Source;
    SilencedLines Checks;
  };
  std::map<std::string, Lines> Files; ///< by real path
};

} // namespace tensortidy::tool

#endif
