//===- Programs.h - run another program and read what it says ---*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What --since and a file without a compile command need: git, and the active
// Python. Neither is named by what is linted.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_PROGRAMS_H
#define TENSORTIDY_TOOL_PROGRAMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tensortidy::tool {

struct ProgramResult {
  int Status = 0; ///< with which it ended
  std::string Out, Err;
};

/// Runs \p Program, a path, with nothing to read. Fails where it could not be
/// run, or not ended within \p Seconds (0: any time).
llvm::Expected<ProgramResult> runProgram(llvm::StringRef Program,
                                         llvm::ArrayRef<llvm::StringRef> Args,
                                         unsigned Seconds = 0);

} // namespace tensortidy::tool

#endif
