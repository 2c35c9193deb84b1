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
// writes .clangd and adds the checks to .clang-tidy, keeping what both already
// say, and prints what the editor has to be told. Running it again changes
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_INIT_H
#define TENSORTIDY_TOOL_INIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tensortidy::tool {

/// .clang-tidy with tensor-* among its checks. An error: it is no YAML mapping,
/// or its Checks are not text.
llvm::Expected<std::string> withChecks(llvm::StringRef ClangTidy);

/// .clangd that lets unknown checks run.
llvm::Expected<std::string> withLooseFilter(llvm::StringRef Clangd);

int initMain(llvm::StringRef Dir, llvm::StringRef ServerPath);

} // namespace tensortidy::tool

#endif
