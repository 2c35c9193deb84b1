//===- Join.h - what two paths have in common -------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where paths meet, one state that describes both takes the place of two. What
// they agree on stays; where they differ, a new symbol stands for either, the
// same each time these paths meet there:
//
//   y -> [N, 4] strides [4, 1]     y -> [M, 4] strides [4, 1]
//                \                 /
//                 y -> [d, 4] strides [4, 1]         n -> k, m -> k:  n -> k
//
// The laws, which test/unit/DomainTest.cpp checks on random states:
//
//   join(A, A) == A       A.leq(join(A, B))       B.leq(join(A, B))
//   join(A, B) and join(B, A) are each leq the other
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_DOMAIN_JOIN_H
#define TENSORTIDY_ANALYSIS_DOMAIN_JOIN_H

#include "Analysis/Domain/State.h"

namespace tensortidy::analysis {

/// "x->ne[0]" for the last dimension of a layout, or "?".
std::string ggmlName(const std::string &Tensor, const char *Field, size_t Dim);

class Joiner {
public:
  Joiner(const program::Function &F, layout::Symbols &Table, Identities &Ids)
      : F(F), Table(Table), Ids(Ids) {}

  /// Where a value is kept: in a variable, or as a value; elements of lists
  /// have slots of their own.
  static SymbolKey slotOf(program::VarId V) {
    return {SymbolKey::VarSlot, program::NoId, V};
  }
  static SymbolKey slotOfValue(program::ValueId V) {
    return {SymbolKey::ValueSlot, program::NoId, V};
  }

  /// What holds in \p A and in \p B, which meet in block \p At.
  State join(const State &A, const State &B, program::BlockId At);
  /// What \p X, of \p A, and \p Y, of \p B, have in common: as many elements of
  /// any kind, or any number of tensors.
  ///   [a, b] and [a, c]   ->   [a, b or c]
  ///   [] and [a, b]       ->   each like a or b
  /// New objects go to \p Out.
  Value joinLists(State &Out, const State &A, const State &B, const Value &X,
                  const Value &Y, program::BlockId At, const SymbolKey &Slot);

  /// The same of images.
  Value joinImages(const State &A, const State &B, const Image &X,
                   const Image &Y, program::BlockId At, const SymbolKey &Slot);

  /// Keeps of \p Into what \p From assumes and knows, too; the values of both
  /// are the same.
  static void weaken(State &Into, const State &From);
  /// Whether nothing but the lengths of lists tells \p A from \p B: what a loop
  /// fills is empty before it, and the paths are the same otherwise.
  static bool sameButLists(const State &A, const State &B);
  /// In how many variables and objects \p A and \p B differ.
  static size_t distance(const State &A, const State &B);

private:
  Value joinRead(State &Out, const State &A, const State &B, const Value &X,
                 const Value &Y, program::BlockId At, const SymbolKey &Slot);
  Value joinValue(State &Out, const State &A, const State &B, const Value &X,
                  const Value &Y, program::BlockId At, const SymbolKey &Slot);
  Object joinObject(const State &A, const State &B, const Object &X,
                    const Object &Y, program::BlockId At, uint32_t Number);

  const program::Function &F;
  layout::Symbols &Table;
  Identities &Ids;
};

} // namespace tensortidy::analysis

#endif
