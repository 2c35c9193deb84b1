//===- Options.h - the command line's options -------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Spelled as clang-tidy spells them where it has them. Parsed by a table of our
// own: libLLVM registers options of the same names with its parser.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OPTIONS_H
#define TENSORTIDY_TOOL_OPTIONS_H

#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace tensortidy::tool {

/// What findings are written as, and where.
struct Output {
  std::string Format;
  std::string File; ///< empty: standard output
};

struct Options {
  std::vector<std::string> Files;
  /// The words before `--`: options by name and value, files without a name.
  std::vector<std::pair<std::string, std::string>> Given;
  /// The compiler flags after `--`.
  std::optional<std::vector<std::string>> AfterDashes;

  std::string BuildDir, Torch;
  std::optional<std::string> Checks, Config, ConfigFile, HeaderFilter,
      ExcludeHeaderFilter, WarningsAsErrors;
  std::optional<bool> SystemHeaders, UseColor;
  std::string LineFilter, ExportFixes, Model, CacheDir;
  std::string Shard, Depfile;
  std::optional<std::string> EmitNinja;
  std::vector<std::string> ExtraArgs, ExtraArgsBefore;
  std::vector<Output> Outputs;
  std::string Baseline;
  std::string Html, HtmlCompare;        ///< a folder for pages; an older SARIF
  std::optional<std::string> AddNolint; ///< the reason
  bool UpdateBaseline = false, Statistics = false;
  bool Fix = false, Diff = false, Quiet = false;
  bool PrintProgram = false, PrintLayouts = false, Stats = false;
  bool VerifyConfig = false, ReadEverything = false, NoCache = false;
  bool NoPrecompiled = false, AllLines = false, Watch = false;
  bool ListChanged = false;         ///< what --since finds, and nothing else
  std::optional<std::string> Since; ///< a revision
  bool ListChecks = false, PluginPath = false, CudaFlags = false;
  bool Version = false, Help = false;
  std::optional<std::string> Completion; ///< the shell
  /// `explain FILE:LINE`: print the layouts of this line instead of findings.
  unsigned ExplainLine = 0;
  std::string ExplainSvg; ///< draw the last tensor of that line there
  unsigned Jobs = 0;      ///< 0: as many as there are cores
  unsigned Timeout = 600;
};

llvm::Expected<Options> parseOptions(int Argc, const char *const *Argv);

/// The text of --help.
std::string helpText();

/// An option as a shell is told of it.
struct OptionInfo {
  std::string Spelling;   ///< "--checks"
  const char *Value;      ///< what it takes, in capitals; empty: nothing
  const char *Help;       ///< one line
  bool CanRepeat = false; ///< each one counts, not only the last
};
std::vector<OptionInfo> optionTable();

} // namespace tensortidy::tool

#endif
