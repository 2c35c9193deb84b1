//===- HtmlCode.h - code in a page ------------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_HTMLCODE_H
#define TENSORTIDY_TOOL_OUTPUT_HTMLCODE_H

#include "Output/Report.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tensortidy::tool {

/// The lines of a source, coloured, with what is marked in them.
class HtmlCode {
public:
  explicit HtmlCode(llvm::StringRef Text);

  /// Marks what \p At spans.
  void mark(const Place &At);
  size_t lines() const { return Starts.size(); }
  /// Line \p Number, from 1, as HTML.
  void print(llvm::raw_ostream &OS, size_t Number) const;

private:
  std::pair<size_t, size_t> boundsOf(size_t Number) const;
  size_t offsetOf(const Place::Point &P) const;
  void colour();

  std::string Text;
  std::vector<size_t> Starts;  ///< of the lines
  std::vector<uint8_t> Styles; ///< of each byte: a letter, and whether marked
};

} // namespace tensortidy::tool

#endif
