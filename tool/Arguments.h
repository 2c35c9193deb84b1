//===- Arguments.h - make a compile command clang's -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Compile databases are written for whichever compiler builds the project.
// A command for g++ or nvcc becomes one that clang can parse with:
//
//   nvcc -forward-unknown-to-host-compiler -gencode arch=compute_80,code=sm_80
//        -Xcompiler -fPIC,-Wall -I=include -x cu -c k.cu -o k.o
//     ->
//   clang++ -fPIC -Wall -Iinclude -c k.cu -o k.o -w -x cuda --cuda-host-only
//   ...
//
// What clang's driver does not know is dropped, after translation.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_ARGUMENTS_H
#define TENSORTIDY_TOOL_ARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace tensortidy::tool {

using Arguments = std::vector<std::string>;

/// \p Args starts with the compiler; \p File is the source it compiles and
/// \p Directory where the command runs (for response files).
Arguments adjustArguments(const Arguments &Args, llvm::StringRef File,
                          llvm::StringRef Directory);

/// Files that stand in for a CUDA toolkit, by path; adjusted commands for CUDA
/// sources refer to them.
llvm::ArrayRef<std::pair<const char *, const char *>> cudaStandIns();

} // namespace tensortidy::tool

#endif
