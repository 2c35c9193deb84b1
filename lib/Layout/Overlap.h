//===- Overlap.h - does memory overlap -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a layout maps two indices to one element, and whether two layouts
// on one storage share elements, as far as libtorch itself decides: what is
// "too hard" to decide is accepted there (T13 of docs/semantics.md).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_OVERLAP_H
#define TENSORTIDY_LAYOUT_OVERLAP_H

#include "Layout/Contiguity.h"

namespace tensortidy::layout {

enum class Overlap : unsigned char { No, Full, Partial, TooHard };

/// has_internal_overlap: `Full` stands for "yes, by a stride of 0".
template <class A>
Overlap internalOverlap(const A &Ar, const Layout<typename A::Int> &L) {
  if (isNonOverlappingAndDense(Ar, L).yes())
    return Overlap::No;
  for (size_t D = 0; D < L.rank(); ++D)
    if (Ar.lt(Ar.constant(1), L.Sizes[D]) == Truth::Yes &&
        Ar.eq(L.Strides[D], Ar.constant(0)).yes())
      return Overlap::Full;
  return broken(Fault::OverlapTooHardRefused) ? Overlap::Full
                                              : Overlap::TooHard;
}

/// get_overlap_status of two layouts; \p SameStorage says whether they are on
/// one storage. The caller answers `Full` itself for one tensor object. The
/// bytes of an element matter where a view has another type.
template <class A>
Overlap overlap(const A &Ar, const Layout<typename A::Int> &X,
                const Layout<typename A::Int> &Y, bool SameStorage,
                int64_t BytesX = 1, int64_t BytesY = 1) {
  if (isEmpty(Ar, X.Sizes) == Truth::Yes || isEmpty(Ar, Y.Sizes) == Truth::Yes)
    return Overlap::No;
  if (!isNonOverlappingAndDense(Ar, X).yes() ||
      !isNonOverlappingAndDense(Ar, Y).yes())
    return Overlap::TooHard;
  if (!SameStorage)
    return Overlap::No;
  const auto WidthX = Ar.constant(BytesX), WidthY = Ar.constant(BytesY);
  const auto BeginX = Ar.mul(X.Offset, WidthX);
  const auto BeginY = Ar.mul(Y.Offset, WidthY);
  const auto EndX = Ar.add(BeginX, Ar.mul(numel(Ar, X.Sizes), WidthX));
  const auto EndY = Ar.add(BeginY, Ar.mul(numel(Ar, Y.Sizes), WidthY));
  if (Ar.eq(BeginX, BeginY).yes() && Ar.eq(EndX, EndY).yes()) {
    bool Same = X.rank() == Y.rank();
    for (size_t D = 0; Same && D < X.rank(); ++D)
      Same = Ar.eq(X.Strides[D], Y.Strides[D]).yes();
    return Same ? Overlap::Full : Overlap::Partial;
  }
  if (Ar.lt(BeginX, EndY) == Truth::Yes && Ar.lt(BeginY, EndX) == Truth::Yes)
    return Overlap::Partial;
  return Overlap::No;
}

} // namespace tensortidy::layout

#endif
