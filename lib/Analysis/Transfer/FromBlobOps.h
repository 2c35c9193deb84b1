//===- FromBlobOps.h - tensors over memory of others -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FROMBLOBOPS_H
#define TENSORTIDY_ANALYSIS_FROMBLOBOPS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// What from_blob() is told that the memory is not.
void checkBlob(const Context &Ctx, State &W, const Stmt &S,
               const std::optional<SymDims> &Sizes);

} // namespace tensortidy::analysis

#endif
