//===- ExplainWords.h - what `tensortidy explain` is given ------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of `tensortidy explain QUESTION` and `tensortidy explain
// FILE:LINE`.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_EXPLAINWORDS_H
#define TENSORTIDY_TOOL_EXPLAINWORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tensortidy::tool {

extern const char ExplainHelp[];

struct ExplainWords {
  bool Help = false;
  std::string Question, Svg;
  std::string File; ///< or empty: it is a question
  unsigned Line = 0;
  std::vector<const char *> Rest; ///< options of a lint, behind FILE:LINE

  static llvm::Expected<ExplainWords> parse(llvm::ArrayRef<const char *> Words);
};

} // namespace tensortidy::tool

#endif
