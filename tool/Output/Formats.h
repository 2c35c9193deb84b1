//===- Formats.h - what findings are written as -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   --output-format=sarif --output=findings.sarif      to a file,
//   --output-format=github                             to standard output
//
// Each format is a row of one table and a function in a file of its own.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_FORMATS_H
#define TENSORTIDY_TOOL_OUTPUT_FORMATS_H

#include "Output/Report.h"

namespace tensortidy::tool {

struct Format {
  const char *Name;
  /// Null for text, which is printed while files are analysed.
  void (*Print)(const Report &, llvm::raw_ostream &);
};

/// The format that is called so, or null.
const Format *formatCalled(llvm::StringRef Name);
/// "text, json ..."
std::string formatNames();

void printJson(const Report &R, llvm::raw_ostream &OS);
/// SARIF 2.1.0.
void printSarif(const Report &R, llvm::raw_ostream &OS);
/// Workflow commands: the annotations that GitHub shows of one step, and the
/// other findings as a folded group of the log.
void printGithub(const Report &R, llvm::raw_ostream &OS);
/// The code quality report of GitLab.
void printGitlab(const Report &R, llvm::raw_ostream &OS);
void printCheckstyle(const Report &R, llvm::raw_ostream &OS);
/// Reviewdog's.
void printRdjson(const Report &R, llvm::raw_ostream &OS);

/// A table of all findings in Markdown, for the page of a GitHub run.
std::string githubSummary(const Report &R);

} // namespace tensortidy::tool

#endif
