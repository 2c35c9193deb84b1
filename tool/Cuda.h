//===- Cuda.h - parse the host side of CUDA sources -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// clang knows few releases of CUDA, and the machine that lints may have none.
// So a .cu file is parsed for the host only, with three parts in front of it:
//
//   prelude.h         forced in: threadIdx, __shfl_sync, __global__ ...
//   toolkit/include   NVIDIA's headers as a plain host compiler sees them,
//                     where they are installed
//   include           stand-ins for those headers, searched last
//
// prelude.h and include are tool/cuda, carried inside the program: they appear
// below a directory that exists only in the file system the parser is given.
// Their installed copies serve clang-tidy and clangd.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_CUDA_H
#define TENSORTIDY_TOOL_CUDA_H

#include "Arguments.h"
#include "llvm/ADT/ArrayRef.h"
#include <utility>

namespace tensortidy::tool {

/// The files that \ref withCuda refers to: path and text.
llvm::ArrayRef<std::pair<std::string, const char *>> cudaFiles();

/// Whether \p Args compile \p File as CUDA: the last -x decides, then the
/// extension.
bool compilesCuda(const Arguments &Args, llvm::StringRef File);

/// Makes a command of clang's parse CUDA for the host. \p Compiler is the
/// program the user's command named; its toolkit is preferred.
Arguments withCuda(Arguments Args, llvm::StringRef Compiler);

/// Host sources include CUDA's headers, too.
Arguments withCudaHeaders(Arguments Args);

/// The flags for another tool of clang's that finds the files in \p Dir and
/// clang's own headers in \p ResourceDir.
Arguments cudaFlags(const std::string &Dir, llvm::StringRef ResourceDir,
                    llvm::StringRef Toolkit);

/// Where the toolkit's headers are: of \p Compiler if that is an nvcc, of
/// CUDA_HOME or CUDA_PATH, or in the usual places. Empty: nowhere.
std::string cudaToolkit(llvm::StringRef Compiler);

} // namespace tensortidy::tool

#endif
