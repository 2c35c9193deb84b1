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
// and as a picture, with the storage as a strip of cells and an arc from each
// element to the next in index order.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_DRAWING_H
#define TENSORTIDY_TOOL_DRAWING_H

#include "Layout/Layout.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace tensortidy::tool {

struct Picture {
  layout::Layout<int64_t> L;
  bool Ggml = false; ///< indices are written innermost first
  std::string Where; ///< "B=2, T=3": what stands for names

  /// Whether it is small enough: at most 64 elements, and not none.
  bool fits() const;
  std::string grid() const;
  /// Empty if the elements lie too far apart.
  std::string svg() const;

private:
  using Index = std::vector<int64_t>;
  void
  forEach(llvm::function_ref<void(const Index &At, int64_t Place)> Visit) const;
  /// "1,0": what tells the element from the others.
  std::string label(const Index &At, size_t Dims, const char *Rest = "") const;
  /// Dimensions in front that have size 1 and that ggml always has.
  size_t padding() const;
};

} // namespace tensortidy::tool

#endif
