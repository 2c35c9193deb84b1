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
// What clang's driver does not know is dropped, after translation, and so are
// other inputs than the file. Cuda.h says how CUDA is parsed.
//
// Then come the user's extra arguments, and last what must not happen goes,
// whoever asked for it: an analysis writes no files and runs no programs.
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

/// The command of \p File when the user wrote \p AfterDashes: flags, or a whole
/// command, as CMake hands to a linter:
///
///   -std=c++17 -Iinc            ->  clang-tool -std=c++17 -Iinc a.cpp
///   /usr/bin/c++ -O2 -c a.cpp   ->  /usr/bin/c++ -O2 -c a.cpp a.cpp
Arguments commandAfterDashes(const Arguments &AfterDashes,
                             llvm::StringRef File);

/// Without what would make clang's driver write a file, load a plugin or run a
/// program while it only looks at the command.
Arguments withoutEffects(const Arguments &Args);

} // namespace tensortidy::tool

#endif
