//===- Database.h - find the compile commands of a file ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_DATABASE_H
#define TENSORTIDY_TOOL_DATABASE_H

#include "Arguments.h"
#include "Libtorch.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tensortidy::tool {

/// Says that the commands of \p Whose, a build directory or a file, name \p
/// Absent, which is not on this machine.
std::string absentMessage(llvm::StringRef Whose, llvm::StringRef Absent);

/// Where compile commands come from, in this order: the flags after `--`; the
/// database given with -p; compile_commands.json or compile_flags.txt in a
/// directory above the file, or compile_commands.json in a `build` directory
/// there, if it lists the file; sensible flags, with the libtorch that is
/// there. Each command comes with its
/// response files read, and only one of several that parse the same.
class Commands {
public:
  using Command = clang::tooling::CompileCommand;

  /// \p AfterDashes is what the command line has after `--`.
  explicit Commands(std::optional<Arguments> AfterDashes)
      : AfterDashes(std::move(AfterDashes)) {}

  /// Uses the database in \p Dir (or the file itself) for every file.
  llvm::Error use(const std::string &Dir);

  /// Parses every file with the libtorch in \p Dir, whatever databases say.
  llvm::Error useTorch(const std::string &Dir);

  /// The libtorch of files that have no command.
  const TorchSetup &torch();
  /// The same, if there was such a file.
  const Libtorch *usedTorch() const {
    return UsesTorch ? &*Torch->Torch : nullptr;
  }

  /// Every source of the database given with use().
  std::vector<std::string> sources() const;

  /// The commands of \p File. \p Note is set when its flags were guessed.
  llvm::Expected<std::vector<Command>> of(const std::string &File,
                                          std::string &Note);

private:
  using Database = clang::tooling::CompilationDatabase;

  llvm::Expected<Database *> above(const std::string &File);
  std::vector<std::string> sensibleFlags(llvm::StringRef File,
                                         std::string &Note);

  std::optional<Arguments> AfterDashes;
  std::unique_ptr<Database> Explicit; ///< given with -p
  bool FromDirectory = false;
  std::optional<TorchSetup> Torch; ///< once it has been looked for
  bool GivenTorch = false, UsesTorch = false;
  /// By directory looked in; null where there is none.
  std::map<std::string, std::unique_ptr<Database>> Found;
};

} // namespace tensortidy::tool

#endif
