//===- Sliding.h - windows that slide over images ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many places a window has is lib/Layout's rule (Layout/Windows.h):
//
//   size 8, kernel 3, padding 1, stride 2:   [p0 1 2 3 4 5 6 7 p]
//                                            |---|---|---|---|    4 places
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_SLIDING_H
#define TENSORTIDY_RUNTIME_SLIDING_H

#include "core/Impl.h"
#include "Layout/Windows.h"

namespace tensortidy::detail {

using Window = layout::Window<int64_t>;

inline void requirePositive(int64_t N, const char *What, const char *Op,
                            Site Here) {
  if (N <= 0)
    fail(std::string(Op) + ": the " + What + " is not positive", Here);
}
/// How many places \p W has over dimension \p Dim of \p Of, which is of \p
/// Size.
inline int64_t places(const Tensor &Of, size_t Dim, int64_t Size,
                      const Window &W, const char *Op, Site Here,
                      bool Ceil = false) {
  requirePositive(W.Kernel, "kernel size", Op, Here);
  requirePositive(W.Stride, "stride", Op, Here);
  requirePositive(W.Dilation, "dilation", Op, Here);
  if (W.Padding < 0)
    fail(std::string(Op) + ": the padding is negative", Here);
  orThrow(layout::windowFits(Ar, Size, W, Dim, Ceil), Of, Here,
          [&] { return std::string(Op); });
  return Ceil ? layout::windowSizeCeil(Size, W)
              : layout::windowSize(Ar, Size, W);
}

/// Two numbers, from one or two; \p Otherwise where there is none.
struct Pair {
  int64_t Y, X;
  Pair(int64_t Y, int64_t X) : Y(Y), X(X) {}
  Pair(IntArrayRef L, Pair Otherwise, const char *What, const char *Op,
       Site Here)
      : Pair(Otherwise) {
    if (L.size() > 2)
      fail(std::string(Op) + ": expected one or two numbers as " + What +
               ", got " + text(L),
           Here);
    if (!L.empty())
      Y = L[0], X = L[L.size() - 1];
  }
};
/// Windows over rows and columns, the dimensions \p Dim and the next of \p Of.
struct Windows {
  Pair In, Kernel, Stride, Pad, Dilation, Out{0, 0};

  Windows(const Tensor &Of, size_t Dim, Pair In, Pair Kernel, Pair Stride,
          Pair Pad, Pair Dilation, const char *Op, Site Here)
      : In(In), Kernel(Kernel), Stride(Stride), Pad(Pad), Dilation(Dilation),
        Out(places(Of, Dim, In.Y, rows(), Op, Here),
            places(Of, Dim + 1, In.X, columns(), Op, Here)) {}
  Window rows() const { return {Kernel.Y, Stride.Y, Pad.Y, Dilation.Y}; }
  Window columns() const { return {Kernel.X, Stride.X, Pad.X, Dilation.X}; }
};

} // namespace tensortidy::detail

#endif
