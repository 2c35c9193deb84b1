//===- ViewOps.h - operations that share storage -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_VIEWOPS_H
#define TENSORTIDY_ANALYSIS_VIEWOPS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// `O.view(New)`, or what reshape() makes of it (not \p IsCheckSite): refused
/// there, copied here.
void view(const Context &Ctx, State &W, const Stmt &S, Object &O,
          const SymDims &New, bool IsCheckSite);
/// A contiguous tensor under the sizes of one of unknown rank.
bool viewLike(const Context &Ctx, State &W, const Stmt &S, const Object &O,
              const Object *Like);
/// select(): the rule, and what its success proves.
layout::LayoutOutcome<Symbolic> selectAt(const Context &Ctx, State &W,
                                         const Stmt &S, const SymLayout &L,
                                         int64_t D, const SymExpr &Index);
/// transpose() and transpose_().
void transposeDims(const Context &Ctx, State &W, const Stmt &S, Object *Self);
/// t() and t_().
void transposeMatrix(const Context &Ctx, State &W, const Stmt &S, Object *Self);
/// broadcast_tensors() and meshgrid(): each tensor of a list, expanded to the
/// sizes of all.
void expandAll(const Context &Ctx, State &W, const Stmt &S);

} // namespace tensortidy::analysis

#endif
