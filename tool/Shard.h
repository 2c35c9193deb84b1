//===- Shard.h - a part of the files, the same everywhere -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   tensortidy -p build --shard=2/3      on the second of three machines
//
//   by a hash of their names   c h | a f | b e g        names are those in the
//                              1/3   2/3   3/3          project (Project.h)
//
// Whoever has the same files makes the same parts, in whatever folder the
// project is: their union is all files, no two have one in common, and their
// sizes differ by one at most. Files that stand together, and take as long as
// each other, are in different parts. A file more or less moves few others, so
// that a cache carried from run to run keeps its use.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_SHARD_H
#define TENSORTIDY_TOOL_SHARD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tensortidy::tool {

/// Which of how many parts.
struct Shard {
  unsigned Number = 1, Of = 1;

  /// Reads "2/3".
  static llvm::Expected<Shard> parse(llvm::StringRef Text);

  /// The part of \p Files that is this one, in their order.
  std::vector<std::string> take(const std::vector<std::string> &Files) const;
};

} // namespace tensortidy::tool

#endif
