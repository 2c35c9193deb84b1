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
//
// Items are separated by spaces; there are none inside an item.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_PROGRAM_SIZES_H
#define TENSORTIDY_PROGRAM_SIZES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tensortidy::program {

struct SizesNode {
  enum Kind : uint8_t {
    Number,  ///< Value
    Unknown, ///< some size
    Operand, ///< Name, all of it
    Index,   ///< Name[From]
    Slice,   ///< Name[From:To]
    Numel,   ///< numel(Name)
    Add,
    Sub,
    Mul,
    Div, ///< rounded down
  } K = Number;
  int64_t Value = 0;
  std::string Name;
  std::optional<int64_t> From, To, Default;
  std::vector<SizesNode> Operands; ///< two, of the arithmetic
};

/// The items of \p Text; nothing when it is malformed.
std::optional<std::vector<SizesNode>> parseSizes(llvm::StringRef Text);

} // namespace tensortidy::program

#endif
