//===- ByteBlocks.h - blocks of bytes behind pointers -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// memcpy(), fread() and the like are told how many bytes they move. That is
// wrong where the number is one of elements, or has the size of others, or
// where either side ends before:
//
//   memcpy(out, x.data_ptr<float>(), x.numel())            one byte each
//   memcpy(out, ids.data_ptr(), ids.numel() * sizeof(int)) 4 bytes each: int64
//   memcpy(p + i * w, q + i * w, w)                        of rows of w floats
//   ggml_backend_tensor_set(half, floats.data(), 0, ggml_nbytes(half))
//   ggml_backend_tensor_set(half, floats.data(), 0, floats.size() * 4)
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_BYTEBLOCKS_H
#define TENSORTIDY_ANALYSIS_BYTEBLOCKS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Whether \p S moves other bytes between a tensor's memory and something else
/// than the elements there have; records it.
bool movesBytes(const Context &Ctx, State &W, const Stmt &S);

} // namespace tensortidy::analysis

#endif
