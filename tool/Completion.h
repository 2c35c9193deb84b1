//===- Completion.h - completion of command lines ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tensortidy --completion=zsh > _tensortidy
//
// The scripts come from the table of options and from what takes the values:
// files, folders, names of checks or of formats. The build installs them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_COMPLETION_H
#define TENSORTIDY_TOOL_COMPLETION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tensortidy::tool {

/// The script for bash, zsh or fish; empty for another shell.
std::string completionScript(llvm::StringRef Shell);

} // namespace tensortidy::tool

#endif
