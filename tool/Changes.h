//===- Changes.h - what a branch changed ------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//       main  A---B---C            --since main, and the branch began at A:
//              \                   what D, E, edits and new files changed is a
//      branch   D---E  + edits     change, what B and C changed is not
//
// Lines are those of the files as they are now. Where lines were only removed,
// the two beside the gap have changed.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_CHANGES_H
#define TENSORTIDY_TOOL_CHANGES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace tensortidy::tool {

class Changes {
public:
  /// Asks git, in the repository of the working directory.
  static llvm::Expected<Changes> since(llvm::StringRef Revision);

  /// What `git diff -U0` printed; the names count from \p Top.
  static Changes ofDiff(llvm::StringRef Diff, llvm::StringRef Top);
  /// All of \p File is new.
  void addFile(llvm::StringRef File);

  bool has(llvm::StringRef File) const { return !!linesOf(File); }
  bool has(llvm::StringRef File, unsigned Line) const;
  std::vector<std::string> files() const;
  /// Whether there is a header, or a configuration, among them.
  bool mayConcernOthers() const;
  /// A regular expression for the names of the headers; empty: there are none.
  std::string headerFilter() const;

private:
  using Lines = std::vector<std::pair<unsigned, unsigned>>; ///< first and last
  const Lines *linesOf(llvm::StringRef File) const;

  std::map<std::string, Lines> ByFile; ///< by absolute path
  llvm::StringSet<> Names;             ///< of the files, without folders
};

} // namespace tensortidy::tool

#endif
