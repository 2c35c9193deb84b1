//===- IndexOps.h - indexing -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_INDEXOPS_H
#define TENSORTIDY_ANALYSIS_INDEXOPS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

std::vector<Value> indices(State &W, const Stmt &S);
std::optional<Object> indexed(const Context &Ctx, State &W, const Stmt &S,
                              Object &O, const std::vector<Value> &Idx);
void indexAny(const Context &Ctx, State &W, const Stmt &S, Object *Self);

} // namespace tensortidy::analysis

#endif
