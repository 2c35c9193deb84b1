//===- Ranks.h - dimensions of tensors of unknown rank -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_RANKS_H
#define TENSORTIDY_ANALYSIS_RANKS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

Object opaque(const Context &Ctx, State &W, const std::string &Name,
              SymbolKey Key);
Object denseUnknown(const Context &Ctx, SymbolKey Key);
void pullFront(const Context &Ctx, State &W, Object &O, unsigned Count);
void pullBack(const Context &Ctx, State &W, Object &O, unsigned Count);
bool setRank(const Context &Ctx, State &W, Object &O, unsigned Rank);
/// Turns a user's dimension into one of the pseudo layout, adding dimensions
/// out of the segment as needed. Nothing: cannot be placed.
std::optional<int64_t> place(const Context &Ctx, State &W, Object &O,
                             int64_t Dim, bool ForInsert = false);

} // namespace tensortidy::analysis

#endif
