//===- Pointers.h - what raw pointers into tensors do -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_POINTERS_H
#define TENSORTIDY_ANALYSIS_POINTERS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

Value pointerTo(const Stmt &S, const Object &O);
void blobOf(const Context &Ctx, State &W, const Stmt &S, const SymDims &Sizes);
std::optional<SymExpr> again(const Context &Ctx, const State &W, ValueId V,
                             unsigned Depth);
void noteNarrow(const Context &Ctx, const State &W, const Stmt &S);
/// Records what \p S does with the raw pointers it is given; gives the
/// pointer it makes of them, if one.
Value usePointers(const Context &Ctx, State &W, const Stmt &S);

} // namespace tensortidy::analysis

#endif
