//===- Result.h - what the analysis of one file gives -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_RESULT_H
#define TENSORTIDY_TOOL_RESULT_H

#include "SourceLayouts.h"
#include "Sources.h"
#include "Tidy/Tidy.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tensortidy::tool {

struct FileResult {
  std::vector<clang::tidy::ClangTidyError> Errors; ///< findings, compile errors
  std::vector<SourceText> Sources; ///< of the files that the errors name
  bool HasCompileErrors = false;
  std::vector<clang::tidy::ClangTidyError> Silenced; ///< by NOLINT comments
  /// The functions that the findings stand in, and what was linted.
  std::map<tidy::FindingKey, std::string> Functions;
  std::set<std::string> Files;
  /// Of findings about layouts, for a report that shows them.
  std::map<tidy::FindingKey, std::vector<CaptionedPicture>> Pictures;
  // Of this run, and not kept:
  std::vector<std::string> Read; ///< what was read, for --depfile
  unsigned WithShared = 0;       ///< commands that began with a shared header
  bool Misfit = false;           ///< one did not fit; read without
  bool HasLateErrors = false;    ///< in files with bodies that were put off
  bool MissesFile = false;       ///< that it includes, before any other error
  tidy::Statistics Stats;
  std::string Programs; ///< for --print-program

  /// The qualified name of the function around \p E, or nothing.
  std::string functionOf(const clang::tidy::ClangTidyError &E) const;
};

/// What tells a finding from the others of its file.
tidy::FindingKey keyOf(const clang::tidy::ClangTidyError &E);

/// Each file is analysed in a process of its own; this is how its result comes
/// back. read() answers nothing when the bytes are not whole.
std::string write(const FileResult &R);
std::optional<FileResult> read(llvm::StringRef Bytes);

/// Two written results have the same where they say the same.
uint64_t digestOf(llvm::StringRef Bytes);

} // namespace tensortidy::tool

#endif
