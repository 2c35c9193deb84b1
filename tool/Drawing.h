//===- Drawing.h - a small tensor and its storage, drawn --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// sizes [3, 2], strides [1, 3]: each element by its place in the storage, as
// text
//
//   [0,:]   0 3
//   [1,:]   1 4
//   [2,:]   2 5
//
// and as a picture, with the storage as rows of cells and an arrow from each
// element to the next in index order:
//
//   +---+---+---+---+---+---+        dimension 0: stride 1; from the end of
//   | 0 | 1 | 2 | 3 | 4 | 5 |        the dimensions behind it -2
//   |0,0|1,0|2,0|0,1|1,1|2,1|        dimension 1: stride 3
//   +---+---+---+---+---+---+
//
// Of a large tensor only the first indices of each dimension are drawn, and of
// its storage the places of these; "..." stands for the rest.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_DRAWING_H
#define TENSORTIDY_TOOL_DRAWING_H

#include "Layout/Layout.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace tensortidy::tool {

/// A picture and how large it is; empty if there is nothing to draw.
struct Svg {
  std::string Text;
  int64_t Width = 0, Height = 0;
};

struct Picture {
  layout::Layout<int64_t> L;
  bool Ggml = false; ///< indices are written innermost first
  std::string What;  ///< the expression that is drawn, or empty
  std::string Where; ///< "B=2, T=3": what stands for names

  /// Whether all of it is drawn: at most 64 elements, and not none.
  bool fits() const;
  std::string grid() const;
  /// Empty if there are no elements or no dimensions.
  Svg draw() const;
  std::string svg() const { return draw().Text; }
  /// "sizes [2, 3], strides [1, 2], offset 0".
  std::string title() const;
  /// "dimension 1: stride 6; ...": what the picture says of each dimension that
  /// has a step, in the order of L, with its place there.
  std::vector<std::pair<size_t, std::string>> legend() const;

private:
  using Index = std::vector<int64_t>;
  class Sketch;
  /// How many indices of each dimension are drawn.
  std::vector<int64_t> shown() const;
  /// The elements that are drawn, in index order.
  void
  forEach(llvm::function_ref<void(const Index &At, int64_t Place)> Visit) const;
  /// "1,0": what tells the element from the others.
  std::string label(const Index &At, size_t Dims, const char *Rest = "") const;
  /// Dimensions in front that have size 1 and that ggml always has.
  size_t padding() const;
};

} // namespace tensortidy::tool

#endif
