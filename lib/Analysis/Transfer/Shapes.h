//===- Shapes.h - sizes that convolutions, pools and sums have -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_SHAPES_H
#define TENSORTIDY_ANALYSIS_SHAPES_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

void resultSized(const Context &Ctx, State &W, const Stmt &S, SymDims Sizes,
                 llvm::StringRef Strides, const Object *Of, int SegmentAt = -1);
void sized(const Context &Ctx, State &W, const Stmt &S);
void convolution(const Context &Ctx, State &W, const Stmt &S);
void pool(const Context &Ctx, State &W, const Stmt &S);
void resample(const Context &Ctx, State &W, const Stmt &S);
void pad(const Context &Ctx, State &W, const Stmt &S);
void einsum(const Context &Ctx, State &W, const Stmt &S);

} // namespace tensortidy::analysis

#endif
