//===- Identity.h - what makes two findings the same ------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Two findings of two runs are the same, in a baseline and for a server that
// compares runs, if these three are the same:
//
//   check      tensor-view-after-permute
//   function   net::Block::run
//   message    view({B, n@}) cannot merge dimensions ...
//
// Lines, columns and paths may change: code is inserted above it, functions are
// reordered, files renamed. A message that names a line, as in `n@12` for the
// `n` of line 12, is compared without.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_IDENTITY_H
#define TENSORTIDY_TOOL_OUTPUT_IDENTITY_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <tuple>

namespace tensortidy::tool {

struct FindingIdentity {
  std::string Check, Function, Message; ///< the message without lines

  /// In valid UTF-8, so that it comes back from a file as it was.
  FindingIdentity(llvm::StringRef Check, llvm::StringRef Function,
                  llvm::StringRef Message);

  /// Sixteen hexadecimal digits, the same for all time.
  std::string hash() const;

  bool operator<(const FindingIdentity &Other) const {
    return std::tie(Check, Function, Message) <
           std::tie(Other.Check, Other.Function, Other.Message);
  }
};

} // namespace tensortidy::tool

#endif
