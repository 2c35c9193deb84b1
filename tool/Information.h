//===- Information.h - what --help and its like print -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_INFORMATION_H
#define TENSORTIDY_TOOL_INFORMATION_H

#include "Options.h"

namespace tensortidy::tool {

/// What is asked for instead of a run: --help, --version, --completion,
/// --plugin-path, --cuda-flags, --list-checks.
llvm::Expected<std::string> information(const Options &O);

} // namespace tensortidy::tool

#endif
