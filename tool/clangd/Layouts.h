//===- Layouts.h - layouts of the open files, for hover and hints -*- C++
//-*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clangd parses a file and runs our checks on it; the same analysis leaves its
// layouts here, and the proxy adds them to clangd's answers.
//
//   auto y = x.transpose(1, 2);
//        ^     ^ hover over a name, or over the name of what is called:
//        |       [B, C, T], strides [T*C, 1, C]
//        hint behind what is stored: `: [B, C, T], strides [T*C, 1, C]`
//
// clangd answers a request about a version of a file after it parsed that
// version, so what is stored when the answer passes by belongs to it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_CLANGD_LAYOUTS_H
#define TENSORTIDY_TOOL_CLANGD_LAYOUTS_H

#include "Tidy/Tidy.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include <mutex>

namespace tensortidy::tool {

/// The unit in which a position counts characters, as the client and clangd
/// agreed.
enum class OffsetUnit { Utf8, Utf16, Utf32 };

class LayoutStore {
public:
  void put(llvm::StringRef File, llvm::StringRef Text,
           std::vector<tidy::PlacedLayout> Layouts);
  void drop(llvm::StringRef File);

  struct Answer {
    std::string Markdown;
    llvm::json::Value Range = nullptr;
  };
  /// What is known of the tensor that the word or operator at a position
  /// stands for, if it is one.
  std::optional<Answer> hover(llvm::StringRef File, unsigned Line,
                              unsigned Character, OffsetUnit Unit) const;

  /// One InlayHint for each tensor declared or assigned in the lines.
  llvm::json::Array hints(llvm::StringRef File, unsigned FirstLine,
                          unsigned LastLine, OffsetUnit Unit) const;

private:
  struct Document {
    std::string Text;
    std::vector<unsigned> LineStarts;
    std::vector<tidy::PlacedLayout> Layouts;

    std::pair<unsigned, unsigned> wordOf(const tidy::PlacedLayout &L) const;
    std::string markdown(const tidy::PlacedLayout &L) const;
  };
  mutable std::mutex Mutex;
  llvm::StringMap<Document> Documents;
};

} // namespace tensortidy::tool

#endif
