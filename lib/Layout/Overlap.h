//===- Overlap.h - does memory overlap -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a layout maps two indices to one element, and whether two layouts
// on one storage share elements, as far as libtorch itself decides (section C
// of the semantics): "too hard" is accepted there, whatever it computes.
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
  if (isNonOverlappingAndDense(Ar, L) == Truth::Yes)
    return Overlap::No;
  for (size_t D = 0; D < L.rank(); ++D)
    if (Ar.lt(Ar.constant(1), L.Sizes[D]) == Truth::Yes &&
        Ar.eq(L.Strides[D], Ar.constant(0)).yes())
      return Overlap::Full;
  return broken(Fault::OverlapTooHardRefused) ? Overlap::Full
                                              : Overlap::TooHard;
}

/// get_overlap_status of two layouts; \p SameStorage says whether they are on
/// one storage. The caller answers `Full` itself for one tensor object.
template <class A>
Overlap overlap(const A &Ar, const Layout<typename A::Int> &X,
                const Layout<typename A::Int> &Y, bool SameStorage) {
  if (isEmpty(Ar, X.Sizes) == Truth::Yes || isEmpty(Ar, Y.Sizes) == Truth::Yes)
    return Overlap::No;
  if (isNonOverlappingAndDense(Ar, X) != Truth::Yes ||
      isNonOverlappingAndDense(Ar, Y) != Truth::Yes)
    return Overlap::TooHard;
  if (!SameStorage)
    return Overlap::No;
  auto EndX = Ar.add(X.Offset, numel(Ar, X.Sizes));
  auto EndY = Ar.add(Y.Offset, numel(Ar, Y.Sizes));
  if (Ar.eq(X.Offset, Y.Offset).yes() && Ar.eq(EndX, EndY).yes()) {
    bool Same = X.rank() == Y.rank();
    for (size_t D = 0; Same && D < X.rank(); ++D)
      Same = Ar.eq(X.Strides[D], Y.Strides[D]).yes();
    return Same ? Overlap::Full : Overlap::Partial;
  }
  if (Ar.lt(X.Offset, EndY) == Truth::Yes &&
      Ar.lt(Y.Offset, EndX) == Truth::Yes)
    return Overlap::Partial;
  return Overlap::No;
}

} // namespace tensortidy::layout

#endif
