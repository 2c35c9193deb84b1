//===- CopyOps.h - operations that copy, or may -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_COPYOPS_H
#define TENSORTIDY_ANALYSIS_COPYOPS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// What is not said otherwise of a MaybeCopy operation on this path.
void noteCopy(const Context &Ctx, State &W, const Stmt &S,
              unsigned PathsBefore);
/// Whether a MaybeCopy operation gives the tensor that it is called on.
void noteSelf(const Context &Ctx, State &W, const Stmt &S);
/// A MaybeCopy operation copies, or does not, on this path.
void copies(const Context &Ctx, const Stmt &S, Truth Copies,
            const std::vector<SymExpr> &UnlessOne, const State &W);
/// clone() and the *_like factories: sizes of self, strides by format.
void freshLike(const Context &Ctx, State &W, const Stmt &S, Object *Self);
/// tril: sizes of self, packed.
void packedLike(const Context &Ctx, State &W, const Stmt &S, Object *Self);

} // namespace tensortidy::analysis

#endif
