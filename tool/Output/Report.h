//===- Report.h - what a run has to say, for other programs -----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Findings as clang-tidy keeps them are offsets into texts that only this
// process has. Here they are lines and columns of files with the names that the
// outputs use, so that a format is a function from a Report to text:
//
//   FileResult ---+                       +--> SARIF, JSON (everything)
//   FileResult ---+--> Report ------------+--> GitHub, GitLab, Checkstyle
//   what failed --+                       |    (what is new)
//                                         +--> --statistics
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_REPORT_H
#define TENSORTIDY_TOOL_OUTPUT_REPORT_H

#include "Output/Project.h"
#include "Result.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tensortidy::tool {

/// A region of a file; lines and columns count from 1.
struct Place {
  std::string File; ///< as Project names it; empty: nowhere
  struct Point {
    unsigned Line = 0;
    unsigned Column = 0; ///< in bytes, as the compiler counts
    unsigned Wide = 0;   ///< in UTF-16 code units, as editors count
  };
  Point Begin, End; ///< End is behind the last character; line 0: unknown
};

struct ReportedFinding {
  struct Note {
    Place At;
    std::string Text;
  };
  struct Change {
    Place At;
    unsigned Offset = 0, Length = 0; ///< of what is replaced, in bytes
    std::string Text;
  };
  enum class Kind { New, InBaseline, Silenced };

  Kind K = Kind::New;
  std::string Check, Message, Function;
  bool IsError = false; ///< of --warnings-as-errors
  Place At;
  std::vector<Note> Notes;
  std::vector<Change> Fix;
  std::string Reason; ///< what the NOLINT comment gives as such, if it does
  std::vector<CaptionedPicture> Pictures; ///< of its tensors, where known
  /// That of the second finding with one identity ends in ":2".
  std::string Fingerprint;
};

/// What could not be analysed or done.
struct Problem {
  std::string Message;
  Place At; ///< of an error in the code
};

class Report {
public:
  explicit Report(Project P) : Where(std::move(P)) {}

  /// Takes a finding of \p R; all text becomes valid UTF-8.
  void add(ReportedFinding::Kind K, const clang::tidy::ClangTidyError &E,
           const FileResult &R);
  /// Takes an error in the code.
  void addError(const clang::tidy::ClangTidyError &E, const FileResult &R);
  void addProblem(llvm::StringRef Message);

  /// The findings in the order of their files and lines.
  void sort();
  std::vector<const ReportedFinding *> shown() const;

  const Project &project() const { return Where; }

  std::string Version;
  std::string Pages; ///< what "<check>.md" is put behind; may be empty
  std::vector<ReportedFinding> Findings;
  std::vector<Problem> Problems;
  bool HasBaseline = false;
  int ExitStatus = 0;
  /// The texts of the files with findings, notes and errors, by their names;
  /// kept where KeepsSources is set.
  std::map<std::string, std::string> Sources;
  bool KeepsSources = false;

private:
  void keepSources(const FileResult &R);
  Place placeOf(llvm::StringRef Path, llvm::StringRef Directory,
                unsigned Offset, unsigned Length, const FileResult &R) const;
  Place placeOf(const clang::tooling::DiagnosticMessage &M,
                llvm::StringRef Directory, const FileResult &R) const;

  Project Where;
};

/// The catalogue's entry of a check, or null.
const analysis::CheckInfo *checkCalled(llvm::StringRef Name);

/// The page of a check, or nothing.
std::string pageOf(const Report &R, llvm::StringRef Check);

/// How many findings each check has, most first.
void printStatistics(const Report &R, llvm::raw_ostream &OS);

} // namespace tensortidy::tool

#endif
