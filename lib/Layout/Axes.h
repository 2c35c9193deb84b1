//===- Axes.h - which sizes are equal by chance -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sizes with names of their own that stand in one tensor are two axes of
// what the code computes, and so are a size and a number. Nothing says that
// they differ, but code that is right only where they are equal is not meant
// so:
//
//   q = zeros({b, heads, n, d})     heads and n, heads and d, n and d
//   q.view({b, n, n, d})            throws, unless heads is n
//
// What a function has as axes is known when all of it was seen; a first run
// asks in vain, and what it asked says whether a second is worth its time.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_AXES_H
#define TENSORTIDY_LAYOUT_AXES_H

#include "Layout/Polynomial.h"
#include <set>
#include <utility>

namespace tensortidy::layout {

/// Which symbols are different axes. Pairs of symbols, the lesser first.
struct Axes {
  using Pair = std::pair<SymbolId, SymbolId>;
  std::set<Pair> Strangers; ///< equal by chance only
  /// Both in the sizes of one tensor, in different dimensions: a size is equal
  /// to a product only by chance if it stands beside all of its factors.
  std::set<Pair> Beside;

  bool empty() const { return Strangers.empty() && Beside.empty(); }
};
    return In(Strangers, O.Strangers) || In(Numbers, O.Numbers) ||
           In(Beside, O.Beside);
  }
};

/// What questions without an answer were about: who knows more of it may ask
/// again.
struct OpenQuestions {
  Axes Apart;              ///< axes that would have to be different ones
  std::set<SymbolId> Size; ///< sizes of which more would have to be known
};

} // namespace tensortidy::layout

#endif
