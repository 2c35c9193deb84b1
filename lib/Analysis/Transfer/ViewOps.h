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

void view(const Context &Ctx, State &W, const Stmt &S, Object &O,
          const SymDims &New, bool IsCheckSite);
bool viewLike(const Context &Ctx, State &W, const Stmt &S, const Object &O,
              const Object *Like);
void transposeDims(const Context &Ctx, State &W, const Stmt &S, Object *Self);
void transposeMatrix(const Context &Ctx, State &W, const Stmt &S, Object *Self);
void expandAll(const Context &Ctx, State &W, const Stmt &S);

} // namespace tensortidy::analysis

#endif
