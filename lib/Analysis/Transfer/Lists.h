//===- Lists.h - lists of values -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_LISTS_H
#define TENSORTIDY_ANALYSIS_LISTS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

Object *sizesOf(State &W, const Value &L);
Value rank(const Context &Ctx, State &W, ObjId T, const Object &O);
bool isEmptyLater(const Context &Ctx, const State &W, const Stmt &S);
void catenateEach(const Context &Ctx, State &W, const Stmt &S, const Value &L,
                  std::optional<int64_t> Dim);

} // namespace tensortidy::analysis

#endif
