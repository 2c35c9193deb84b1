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
//   clang++ -x cuda --cuda-host-only ... -fPIC -Wall -Iinclude -c k.cu -o k.o
//
// What clang's driver does not know is dropped, after translation. Cuda.h says
// how CUDA is parsed.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_ARGUMENTS_H
#define TENSORTIDY_TOOL_ARGUMENTS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tensortidy::tool {

using Arguments = std::vector<std::string>;

/// \p Args starts with the compiler; \p File is the source it compiles and
/// \p Directory where the command runs (for response files).
Arguments adjustArguments(const Arguments &Args, llvm::StringRef File,
                          llvm::StringRef Directory);

} // namespace tensortidy::tool

#endif
