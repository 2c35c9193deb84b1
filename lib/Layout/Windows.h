//===- Windows.h - sizes of convolutions, pools, padding -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window of `kernel` elements, `dilation` apart, moves over a dimension with
// `padding` elements on both sides, `stride` at a time:
//
//   size 8, kernel 3, padding 1, stride 2:   [p0 1 2 3 4 5 6 7 p]
//                                            |---|---|---|---|    4 positions
//
// The formulas are the documented ones of torch.nn.Conv2d, ConvTranspose2d and
// MaxPool2d; test/models compares them with libtorch.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_WINDOWS_H
#define TENSORTIDY_LAYOUT_WINDOWS_H

#include "Layout/Layout.h"

namespace tensortidy::layout {

/// One spatial dimension of a window's path.
template <class Int> struct Window {
  Int Kernel, Stride, Padding, Dilation;
};

/// Number of positions: floor((n + 2p - d(k-1) - 1) / s) + 1.
template <class A>
typename A::Int windowSize(const A &Ar, const typename A::Int &Size,
                           const Window<typename A::Int> &W) {
  const auto One = Ar.constant(1), Two = Ar.constant(2);
  auto Reach = Ar.mul(W.Dilation, Ar.sub(W.Kernel, One));
  auto Free = Ar.sub(Ar.add(Size, Ar.mul(Two, W.Padding)), Ar.add(Reach, One));
  return Ar.asSize(Ar.add(Ar.floorDiv(Free, W.Stride), One));
}

/// The same with ceil_mode, where the last window may hang over but must start
/// inside the input or its left padding.
inline int64_t windowSizeCeil(int64_t Size, const Window<int64_t> &W) {
  int64_t Free =
      Size + 2 * W.Padding - W.Dilation * (W.Kernel - 1) - 1 + W.Stride - 1;
  int64_t Out = Free / W.Stride + 1;
  return (Out - 1) * W.Stride >= Size + W.Padding ? Out - 1 : Out;
}

/// What a transposed convolution gives: (n-1)s - 2p + d(k-1) + extra + 1.
template <class A>
typename A::Int transposedSize(const A &Ar, const typename A::Int &Size,
                               const Window<typename A::Int> &W,
                               const typename A::Int &Extra) {
  const auto One = Ar.constant(1), Two = Ar.constant(2);
  auto Span = Ar.mul(Ar.sub(Size, One), W.Stride);
  auto Reach = Ar.mul(W.Dilation, Ar.sub(W.Kernel, One));
  return Ar.asSize(Ar.add(Ar.sub(Ar.add(Span, Reach), Ar.mul(Two, W.Padding)),
                          Ar.add(Extra, One)));
}

/// Whether a window has a position at all: dimension \p Dim of \p Size is as
/// long as its reach, or with \p Ceil starts inside.
template <class A>
Outcome<A, bool> windowFits(const A &Ar, const typename A::Int &Size,
                            const Window<typename A::Int> &W, size_t Dim,
                            bool Ceil = false) {
  const auto One = Ar.constant(1), Two = Ar.constant(2);
  const auto Padded = Ar.add(Size, Ar.mul(Two, W.Padding));
  const auto Reach = Ar.add(Ar.mul(W.Dilation, Ar.sub(W.Kernel, One)), One);
  const auto Least = Ceil ? Ar.sub(Reach, Ar.sub(W.Stride, One)) : Reach;
  const Truth Short = Ar.lt(Padded, Least);
  if (Short == Truth::Yes)
    return refuse<A>(Rule::WindowFits,
                     {Padded, Reach, Ar.constant(static_cast<int64_t>(Dim))});
  return Short == Truth::No ? Outcome<A, bool>(true)
                            : Outcome<A, bool>::unknown();
}

/// A pool's padding is at most half of its window.
template <class A>
Outcome<A, bool> poolPadding(const A &Ar, const Window<typename A::Int> &W) {
  const Truth More = Ar.lt(W.Kernel, Ar.mul(Ar.constant(2), W.Padding));
  if (More == Truth::Yes)
    return refuse<A>(Rule::WindowPadding, {W.Padding, W.Kernel});
  return More == Truth::No ? Outcome<A, bool>(true)
                           : Outcome<A, bool>::unknown();
}

} // namespace tensortidy::layout

#endif
