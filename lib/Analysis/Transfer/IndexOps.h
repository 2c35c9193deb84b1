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

/// What the operand `indices` lists; empty where that is not known.
std::vector<Value> indices(State &W, const Stmt &S);
/// The part of \p O0 that indices name; nothing where they are not known, or
/// one of them makes a copy.
std::optional<Object> indexed(const Context &Ctx, State &W, const Stmt &S,
                              Object &O, const std::vector<Value> &Idx);
/// The sizes of what x.index(\p Idx) chooses by tensors, as far as all is known
/// of them.
std::optional<SymDims> sizesByTensors(const Context &Ctx, State &W,
                                      const program::Stmt &S, Object &Self,
                                      const std::vector<Value> &Idx);
/// index(): its layout, or at least whether it copies.
void indexAny(const Context &Ctx, State &W, const Stmt &S, Object *Self);

} // namespace tensortidy::analysis

#endif
