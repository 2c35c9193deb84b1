//===- ElementBytes.h - the bytes of elements behind pointers ---*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What code takes an element for, and how many bytes that is:
//
//   auto ids = scores.argmax(1);                                 int64
//   memcpy(out, ids.data_ptr(), ids.numel() * sizeof(int));      4 bytes each
//   int *p = static_cast<int *>(ids.data_ptr());                 int32
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_ELEMENTBYTES_H
#define TENSORTIDY_ANALYSIS_ELEMENTBYTES_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Whether \p S, which copies \p Bytes from \p From elements behind the start
/// of \p P on, counts other bytes for each of all elements than they have;
/// records it.
bool countsOtherBytes(const Context &Ctx, State &W, const Stmt &S,
                      const Pointee &P, const SymExpr &From, ValueId Bytes);
/// Records where \p S, data_ptr() of \p O without a type, is given another one
/// by the cast around it.
void misreads(const Context &Ctx, State &W, const Stmt &S, const Object &O);

} // namespace tensortidy::analysis

#endif
