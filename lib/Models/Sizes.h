//===- Sizes.h - sizes of a result, written as text -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a model says of an operation whose result has simple sizes:
//
//   "self[:-1] other[-1]"        all of self but the last, then other's last
//   "batch1[:2] batch2[2]"       a batched product
//   "self num_classes"           self's sizes, then an integer operand
//   "2 numel(self)"              a matrix of two rows
//   "n*(n-1)/2"                  arithmetic on single sizes
//   "size"                       a list operand, or a tensor's sizes
//   "? self[1]"                  an unknown size, then self's second
//   "k:5"                        operand k, or 5 where it is not given
//   "self[dim:-1=k]"             self's sizes, but k at operand dim, or the
//   last
//
// Items are separated by spaces; there are none inside an item.
//
// And what an operation asks of its operands, needs joined by `;`, or by `or`
// where one of several will do (messages speak of the last):
//
//   "rank(weight)=2; dtype(indices)=int32,int64"
//   "dtype(self)=floating"         or integral, or number: any but bool
//   "dtype(self)=dtype(other)"
//   "index<=self but dim"          no size is greater but that of dimension dim
//   "rank(self)=1 or self[0]=target[0]"
//   "self with mask"               they broadcast to each other
//   "mask into self"               mask broadcasts to self's sizes
//   "self ends normalized_shape"   its last sizes are these
//   "dims in self"                 these dimensions exist
//   "groups divides self[1]"
//   "self holds value"             the number is one of self's type
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_MODELS_SIZES_H
#define TENSORTIDY_MODELS_SIZES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tensortidy::models {

struct SizesNode {
  enum Kind : uint8_t {
    Number,  ///< Value
    Unknown, ///< some size
    Operand, ///< Name, all of it; with At, the one there is Operands[0]
    Index,   ///< Name[From], or Name[At:-1]: by operand At, or -1
    Slice,   ///< Name[From:To]
    Numel,   ///< numel(Name)
    Rank,    ///< rank(Name)
    Add,
    Sub,
    Mul,
    Div, ///< rounded down
  } K = Number;
  int64_t Value = 0;
  std::string Name, At;
  std::optional<int64_t> From, To, Default;
  std::vector<SizesNode> Operands; ///< two of arithmetic, see Operand
};

/// The items of \p Text; nothing when it is malformed. Each text is read once
/// in a thread: what is returned stays as long as that runs.
const std::optional<std::vector<SizesNode>> &parseSizes(llvm::StringRef Text);

/// What a text of numbers gives: one size. \p Leaf says what operands and their
/// parts are, and how it counts dimensions, which differs between libraries;
/// where it knows nothing, nothing is known.
template <class Arith, class Leaf>
auto evaluateSize(const Arith &Ar, const SizesNode &N, Leaf &&Of)
    -> decltype(Of(N)) {
  using Result = decltype(Of(N));
  using Int = typename Result::value_type;
  switch (N.K) {
  case SizesNode::Number:
    return Result(Int(N.Value));
  case SizesNode::Add:
  case SizesNode::Sub:
  case SizesNode::Mul:
  case SizesNode::Div: {
    const Result L = evaluateSize(Ar, N.Operands[0], Of),
                 R = evaluateSize(Ar, N.Operands[1], Of);
    if (!L || !R)
      return std::nullopt;
    return Result(N.K == SizesNode::Add   ? Ar.add(*L, *R)
                  : N.K == SizesNode::Sub ? Ar.sub(*L, *R)
                  : N.K == SizesNode::Mul ? Ar.mul(*L, *R)
                                          : Ar.floorDiv(*L, *R));
  }
  default:
    return Of(N);
  }
}

struct SizesNeed {
  enum Kind : uint8_t {
    Equal,     ///< of single sizes, or of all
    AtMost,    ///< likewise
    DType,     ///< Left is one of Texts, or of Right's type
    Broadcast, ///< Left and Right to each other
    Into,      ///< Left to Right
    Ends,      ///< the last sizes of Left are Right
    Dimension, ///< Left names dimensions of Right
    Divides,   ///< Right is a multiple of Left
    Holds,     ///< the type of Left has the number Right
  } K = Equal;
  SizesNode Left, Right;
  std::string But; ///< the operand with the dimension that does not count
  std::vector<std::string> Texts;
};

/// All of these, and of each any.
using SizesNeeds = std::vector<std::vector<SizesNeed>>;
/// Likewise of needs.
const std::optional<SizesNeeds> &parseNeeds(llvm::StringRef Text);

} // namespace tensortidy::models

#endif
