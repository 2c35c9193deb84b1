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

/// A fresh tensor of known sizes. \p Strides is
///   dense         contiguous
///   format        in \p Of's channels-last format, if it suggests one
///   column_major  the last two dimensions transposed
///   unknown       whatever the backend chose
/// and \p SegmentAt the place of the segment, or -1.
void resultSized(const Context &Ctx, State &W, const Stmt &S, SymDims Sizes,
                 llvm::StringRef Strides, const Object *Of, int SegmentAt = -1);
/// `sized`: sizes= strides=, see Models/Sizes.h.
void sized(const Context &Ctx, State &W, const Stmt &S);
/// conv1d..3d and their transposes. Sizes only: which strides oneDNN and its
/// like give differs between builds.
void convolution(const Context &Ctx, State &W, const Stmt &S);
/// max_pool, avg_pool: windows over the last dimensions.
void pool(const Context &Ctx, State &W, const Stmt &S);
/// Adaptive pools and upsampling: the last dimensions get the sizes asked for,
/// or theirs times a factor.
void resample(const Context &Ctx, State &W, const Stmt &S);
/// pad: pairs (before, after) from the last dimension on.
void pad(const Context &Ctx, State &W, const Stmt &S);
/// einsum with a constant equation. Its result may be a view of an operand, of
/// sizes read off the equation; the strides are those of a permuted product.
void einsum(const Context &Ctx, State &W, const Stmt &S);
/// Whether \p Size is one that the code has a name for, `n` or `2*heads`.
bool isNamed(const State &W, const SymExpr &Size);
/// The size \p Is of what \p P broadcasts to with another size, which nobody
/// has a name for: code that is right for every number has that number here.
/// \p Q: that other one, or null.
void broadcastsTo(State &W, const SymExpr &Is, const SymExpr &P,
                  const SymExpr *Q);

} // namespace tensortidy::analysis

#endif
