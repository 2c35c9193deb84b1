//===- Init.h - sets a project up for editor and CI -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tensortidy init [DIR]
//
// writes .clangd, adds the checks to .clang-tidy and the server to the settings
// of VS Code, keeping what is there, and prints what other editors have to be
// told. Running it again changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_INIT_H
#define TENSORTIDY_TOOL_INIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tensortidy::tool {

/// .clang-tidy with tensor-* among its checks. An error: it is no YAML mapping,
/// or its Checks are not text.
llvm::Expected<std::string> withChecks(llvm::StringRef ClangTidy);

/// .clangd that lets unknown checks run.
llvm::Expected<std::string> withLooseFilter(llvm::StringRef Clangd);

/// .vscode/settings.json with \p Server as its clangd. An error: it is not JSON
/// with comments, or names another server.
llvm::Expected<std::string> withServer(llvm::StringRef Settings,
                                       llvm::StringRef Server);

/// `tensortidy init` with the words behind that; its exit status. \p Server is
/// where tensortidy-clangd is, or would be.
int initMain(const std::vector<std::string> &Words, llvm::StringRef Server);

} // namespace tensortidy::tool

#endif
