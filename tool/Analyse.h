//===- Analyse.h - analyse one file in this process -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_ANALYSE_H
#define TENSORTIDY_TOOL_ANALYSE_H

#include "Accesses.h"
#include "Models/ApiModel.h"
#include "Result.h"
#include "SharedHeader.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "clang/Tooling/CompilationDatabase.h"

namespace tensortidy::tool {

struct Job {
  std::string File;
  std::vector<clang::tooling::CompileCommand> Commands;
  clang::tidy::ClangTidyOptions Options; ///< when the run began
};

/// What is the same for all files of a run.
struct Request {
  std::string ResourceDir; ///< clang's own headers
  bool PrintProgram = false, PrintLayouts = false;
  bool ReadEverything =
      false;             ///< bodies that no analysis needs, too (Bodies.h)
  bool Pictures = false; ///< of the tensors that findings are about
};

/// The model that the analysis of \p File uses; of one that cannot be read it
/// says so itself.
std::unique_ptr<models::ApiModel>
modelOf(llvm::StringRef File, const clang::tidy::ClangTidyOptions &Options,
        llvm::vfs::FileSystem &FS);

/// The compiler, and what it takes from the environment.
std::vector<std::string> environment();

/// All that the result for \p J depends on under \p Options, but for what the
/// analysis itself asks of the disk; nothing when that cannot be said.
std::vector<std::string> inputsOf(const Job &J,
                                  const clang::tidy::ClangTidyOptions &Options,
                                  const Request &Asked);

/// Parses \p J's file with each of its commands and runs the checks, on a
/// thread with a large stack. What it asks of the disk is noted in \p Disk, if
/// that is given. A command that has one in \p Headers begins with that, and
/// what it says is to be forgotten where there are errors.
FileResult
analyse(const Job &J,
        std::unique_ptr<clang::tidy::ClangTidyOptionsProvider> Provider,
        const Request &Asked, Accesses *Disk = nullptr,
        llvm::ArrayRef<const SharedHeader *> Headers = {});

} // namespace tensortidy::tool

#endif
