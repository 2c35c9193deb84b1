//===- Fixes.h - which fixes are applied, and how ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The fixes of all findings of a run, applied at its end, once:
//
//   finding in a.cpp --+
//   the same, seen     +-> which go together -> for each file:
//   from b.cpp         |   (one of two that       lock, compare with what was
//   finding in c.h   --+   overlap waits for      analysed, write beside it,
//                          the next run)          flush, swap the names
//
// A file gets all of its fixes or none, and so does a finding whose fix is in
// several files. A file with another text than the analysed one gets none.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_FIXES_H
#define TENSORTIDY_TOOL_FIXES_H

#include "Result.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace tensortidy::tool {

/// A change of one file, known by its real path.
struct Edit {
  std::string File;
  unsigned Offset = 0, Length = 0;
  std::string Text;

  bool operator<(const Edit &Other) const {
    return std::tie(File, Offset, Length, Text) <
           std::tie(Other.File, Other.Offset, Other.Length, Other.Text);
  }
};

class Fixes {
public:
  struct Hooks {
    /// The FormatStyle of .clang-tidy, for what was changed.
    std::function<std::string(llvm::StringRef File)> Style;
    /// Told why a file is not written.
    std::function<void(const std::string &Message)> Failed;
  };

  /// Takes what the findings of \p R, a file that compiles, suggest.
  void add(const FileResult &R);

  /// Takes the fix of one finding, in the order in which they are preferred.
  void add(std::vector<Edit> Fix);
  void addSource(const std::string &File, SourceText Source);

  /// For each file that changes, the numbers of the fixes that change it, when
  /// no fix that touches \p Without is applied.
  std::map<std::string, std::vector<unsigned>>
  plan(const std::set<std::string> &Without = {}) const;

  /// Writes the files.
  void apply(const Hooks &H);
  /// Prints a patch instead.
  void print(llvm::raw_ostream &OS, const Hooks &H);

  bool empty() const { return Wanted.empty() && Overlapping.empty(); }
  /// "applied 5 of 5 fixes in 3 files"
  std::string summary(llvm::StringRef Verb, llvm::StringRef One = "fix",
                      llvm::StringRef Many = "fixes") const;

private:
  struct NewText {
    std::string Text;
    clang::tooling::Replacements Edits; ///< that give it
  };
  llvm::Expected<NewText> rewrite(const std::string &File,
                                  const std::vector<unsigned> &Which,
                                  const Hooks &H) const;
  std::vector<std::vector<std::string>>
  groups(const std::map<std::string, std::vector<unsigned>> &Plan) const;
  std::string
  applyGroup(const std::vector<std::string> &Files,
             const std::map<std::string, std::vector<unsigned>> &Plan,
             const Hooks &H);
  /// Plans, works on each group, and plans again without the file that a group
  /// came to grief on and that the function answers.
  void forEachGroup(const Hooks &H,
                    llvm::function_ref<std::string(
                        const std::vector<std::string> &,
                        const std::map<std::string, std::vector<unsigned>> &)>
                        Work);
  void refuse(const std::string &File, llvm::Error E, const Hooks &H) const;
  void count(const std::map<std::string, std::vector<unsigned>> &Plan,
             const std::vector<std::string> &Files,
             std::set<unsigned> &Into) const;

  std::map<std::string, SourceText> Sources; ///< by real path
  std::map<std::string, std::string> Shown;  ///< the path that messages name
  std::vector<std::vector<Edit>> Wanted;
  std::set<std::vector<Edit>> Known;
  /// The places where clang-tidy has dropped a fix, within one file.
  std::set<std::tuple<std::string, unsigned, std::string>> Overlapping;
  std::set<unsigned> Applied, Already, Refused;
  unsigned FilesWritten = 0;
};

} // namespace tensortidy::tool

#endif
