//===- Advice.h - what to do about an error of the set-up -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang says what is wrong with a file; here is what to do when the file is
// right and the machine is not:
//
//   error: 'Python.h' file not found
//   note: for 'Python.h' install python3-dev, or ...
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_ADVICE_H
#define TENSORTIDY_TOOL_ADVICE_H

#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tensortidy::tool {

/// The header that clang's message \p Text misses; "" for another message.
llvm::StringRef missingHeader(llvm::StringRef Text);

/// Where \p Header comes from, the same text for all headers of one library;
/// "" when that is not known. \p TorchFlags: with which libtorch would be found
/// on this machine.
std::string adviceOnHeader(llvm::StringRef Header,
                           const std::vector<std::string> &TorchFlags);

/// Of commands that were written on another machine, or before the build
/// directory was moved: a directory that is not here, in which they are to run;
/// "" when all is well.
std::string
absentDirectory(const std::vector<clang::tooling::CompileCommand> &Commands);

/// The same of the directories in which headers are to be looked for, when most
/// of those that the commands name by an absolute path are not here. A few of a
/// good command often are not, before the first build.
std::string
absentIncludes(const std::vector<clang::tooling::CompileCommand> &Commands);

/// Keeps the first compile errors of \p Errors, which the others mostly follow
/// from: who wants all has a compiler. Says how many there are when it is more.
std::string keepFirstErrors(std::vector<clang::tidy::ClangTidyError> &Errors);

} // namespace tensortidy::tool

#endif
