//===- BlobMemory.h - memory that from_blob() is given ----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much there is behind a pointer, by what made it:
//
//   float a[6], &x, std::array         the front end says so: `bytes`
//   new float[n], vector<float> v(n)   n objects of `unit` bytes
//   malloc(n * 4), calloc(n, 4)        n * 4 bytes
//
// from there on, where the pointer is p + k.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_BLOBMEMORY_H
#define TENSORTIDY_ANALYSIS_BLOBMEMORY_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

struct BlobMemory {
  SymExpr Bytes;
  const Stmt *Made = nullptr; ///< what allocates it, or null
};

/// What operand `data` of \p S points to; nothing where that is not known.
std::optional<BlobMemory> blobMemory(const Context &Ctx, State &W,
                                     const Stmt &S);
struct VectorLength {
  std::optional<SymExpr> Is;
  ValueId Given = 0; ///< the number that it was told
};

/// How many elements vector \p V has: that it was made with, or resized to, and
/// nothing else changes it.
VectorLength lengthOfVector(const Context &Ctx, State &W, VarId V);
/// What \p Pointer, to objects of \p Unit bytes, points to.
std::optional<BlobMemory> memoryBehind(const Context &Ctx, State &W,
                                       ValueId Pointer, int64_t Unit);

} // namespace tensortidy::analysis

#endif
