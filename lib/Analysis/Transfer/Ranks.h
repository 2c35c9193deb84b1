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

/// A tensor of which nothing is known but what this run assumes of all.
Object opaque(const Context &Ctx, State &W, const std::string &Name,
              SymbolKey Key);
/// Contiguous, of unknown sizes.
Object denseUnknown(const Context &Ctx, SymbolKey Key);
/// Takes \p Count dimensions out of the segment's front:
///   [..., seg n, ...]  ->  [..., d, seg n', ...]   n == d * n'
void pullFront(const Context &Ctx, State &W, Object &O, unsigned Count);
/// The same at the back:  [..., seg n', d]   n == n' * d
void pullBack(const Context &Ctx, State &W, Object &O, unsigned Count);
/// The rank is known now: the segment gives up the missing dimensions and
/// goes. False when it has too many already.
bool setRank(const Context &Ctx, State &W, Object &O, unsigned Rank);
/// Turns a user's dimension into one of the pseudo layout, adding dimensions
/// out of the segment as needed. Nothing: cannot be placed.
std::optional<int64_t> place(const Context &Ctx, State &W, Object &O,
                             int64_t Dim, bool ForInsert = false);

} // namespace tensortidy::analysis

#endif
