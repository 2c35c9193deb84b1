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

/// \p S takes element \p I of a list that has \p Count.
void noElement(const Context &Ctx, State &W, const Stmt &S, int64_t I,
               int64_t Count);
/// How many elements list \p V has, if it is a parameter and nothing in the
/// function may change it.
std::optional<SymExpr> lengthOfParam(const Context &Ctx, VarId V);
/// The tensor whose sizes \p L is, where they could not be listed, or null.
Object *sizesOf(State &W, const Value &L);
/// The number of dimensions of \p O, which is \p T.
Value rank(const Context &Ctx, State &W, ObjId T, const Object &O);
/// Whether \p S joins the tensors of a list that is empty on this path,
/// as when a loop ran not once: it throws, and means to.
bool isEmptyLater(const Context &Ctx, const State &W, const Stmt &S);
/// What the return \p S gives on this path, of a function that others count
/// the results of.
void noteReturned(const Context &Ctx, const State &W, const Stmt &S);
/// cat or stack of any number of tensors that are alike.
void catenateEach(const Context &Ctx, State &W, const Stmt &S, const Value &L,
                  std::optional<int64_t> Dim);

} // namespace tensortidy::analysis

#endif
