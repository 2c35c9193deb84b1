//===- SourceKind.h - what the name of a file says it is --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Clang's driver has the list of extensions; which of them are sources for us
// is said here and nowhere else:
//
//   a.cpp a.cc a.cxx a.C a.c++ a.cppm   C++      a.c   C
//   a.cu                                CUDA     a.m a.mm   Objective-C(++)
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_SOURCEKIND_H
#define TENSORTIDY_TOOL_SOURCEKIND_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tensortidy::tool {

/// Whether \p File is compiled for itself, and may hold tensor code.
bool isSource(llvm::StringRef File);

/// Whether \p File is there to be included.
bool isHeader(llvm::StringRef File);

/// Whether \p File is parsed as C or Objective-C unless its command says
/// otherwise.
bool isC(llvm::StringRef File);

/// Whether \p File is CUDA unless its command says otherwise.
bool isCuda(llvm::StringRef File);

/// \p Path as it counts from \p Directory, or from the working directory.
std::string absolutePath(llvm::StringRef Path, llvm::StringRef Directory = "");

} // namespace tensortidy::tool

#endif
