//===- Reporting.h - what becomes of the findings of a run ------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   finding --> in the baseline? --yes--> counted, listed as known in SARIF
//                    |no
//                    +--> text, as it comes    (here, a file, or not at all)
//                    +--> the other formats    (at the end, each whole)
//                    +--> --fix, --add-nolint  (at the end)
//
// The command line tells this what it finds and what fails; this knows which
// of it is shown, and writes the files.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_REPORTING_H
#define TENSORTIDY_TOOL_OUTPUT_REPORTING_H

#include "Options.h"
#include "Output/Baseline.h"
#include "Output/Report.h"
#include "Output/Suppress.h"
#include "Output/Text.h"
#include "Output/Trend.h"
#include <functional>
#include <optional>
#include <set>

namespace tensortidy::tool {

class Reporting {
public:
  /// \p Failed is told what could not be written.
  Reporting(const Options &O, std::function<void(const llvm::Twine &)> Failed)
      : O(O), Failed(std::move(Failed)) {}

  /// Before files are looked at, and when it is known which: looks for what is
  /// wrong with the request and reads the baseline.
  llvm::Error begin();

  // For each file:

  /// Whether a finding is shown, and not one that the baseline has.
  bool isNew(const clang::tidy::ClangTidyError &E, const FileResult &R);
  /// Takes the findings and errors of a file that are to be shown, and what
  /// NOLINT hides.
  void add(llvm::ArrayRef<clang::tidy::ClangTidyError> New,
           const FileResult &R);
  /// Its code was analysed to the end by \p Checks, a list of globs.
  void linted(const FileResult &R, llvm::StringRef Checks);
  void problem(const llvm::Twine &Why);

  /// Prints findings as text.
  void print(const std::vector<clang::tidy::ClangTidyError> &Errors,
             const FileResult &R, TextPrinter::MakeProvider Provider,
             llvm::StringRef First);

  // At the end:

  void suggestComments(Fixes &To) const { Comments.suggest(To, *O.AddNolint); }
  /// Writes the baseline.
  void updateBaseline();
  /// Writes all else.
  void finish(int ExitStatus, llvm::StringRef Version);
  unsigned inBaseline() const { return InBaseline; }
  unsigned silenced() const { return Silenced; }
  /// The files that an interrupted run leaves alone.
  std::vector<std::string> unwritten() const;

private:
  llvm::Error check() const;
  llvm::Error checkFiles() const;
  void reportGone(llvm::ArrayRef<Baseline::Entry> Gone) const;
  bool hasLinted(llvm::StringRef File, llvm::StringRef Check) const;
  void write(const Output &To, llvm::StringRef Text);
  llvm::Error writePages();
  void writeSummary();
  const Output *textOutput() const;
  TextPrinter::To textGoes() const;

  const Options &O;
  std::function<void(const llvm::Twine &)> Failed;
  std::optional<Report> All;
  Baseline Known;
  std::optional<Trend> Since; ///< the run that the pages compare with
  Suppressions Comments;
  std::optional<TextPrinter> Text;
  std::vector<std::string> EarlyProblems;
  std::map<std::string, std::string> Names; ///< of linted files, by path
  /// The checks that looked at a file, by its name.
  std::map<std::string, std::set<std::string>> Linted;
  std::set<std::tuple<std::string, unsigned, std::string>> SeenSilenced;
  unsigned InBaseline = 0, Added = 0, Silenced = 0;
};

} // namespace tensortidy::tool

#endif
