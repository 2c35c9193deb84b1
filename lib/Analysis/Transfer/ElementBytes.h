//===- ElementBytes.h - what elements behind pointers are taken for -------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What code takes an element for:
//
//   auto ids = scores.argmax(1);                                 int64
//   int *p = static_cast<int *>(ids.data_ptr());                 int32
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_ELEMENTBYTES_H
#define TENSORTIDY_ANALYSIS_ELEMENTBYTES_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Records where \p S, data_ptr() of \p O without a type, is given another one
/// by the cast around it.
void misreads(const Context &Ctx, State &W, const Stmt &S, const Object &O);

} // namespace tensortidy::analysis

#endif
