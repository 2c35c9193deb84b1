//===- Needs.h - sizes that an operation needs -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_NEEDS_H
#define TENSORTIDY_ANALYSIS_NEEDS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Tensors among the indices of \p O: a mask has the sizes of the dimensions it
/// stands for, the others broadcast to each other.
void indexFits(const Context &Ctx, State &W, const Stmt &S, const Object &O,
               llvm::ArrayRef<Value> Indices);
/// Checks what the model says \p S needs (Models/Sizes.h); assumes it past \p
/// S.
void needs(const Context &Ctx, State &W, const Stmt &S);

} // namespace tensortidy::analysis

#endif
