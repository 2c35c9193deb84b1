//===- Fault.h - layout rules broken on purpose -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test of the differential test: of each rule that is easy to get wrong, it
// must notice a wrong implementation. Its own copy of the runtime is
// compiled with TENSORTIDY_FAULTS, and `tensortidy-differential --fault T9`
// makes one of these true:
//
//   R.Strides[D] = broken(Fault::SliceOfOneKeepsStride) && ... ? ... : ...;
//
// Everywhere else broken() is a constant false and nothing remains of it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_FAULT_H
#define TENSORTIDY_LAYOUT_FAULT_H

namespace tensortidy::layout {

/// The number is that of the rule in docs/semantics.md.
enum class Fault : int {
  EmptyIsChannelsLast = 1,
  ChannelsLastClamps,
  ToAsksIsContiguous,
  ChannelsLastBeforeContiguous,
  WhereConditionLast,
  PowOfNumberKeepsOrder,
  NonzeroRowMajor,
  ExpandOfNumber,
  SliceOfOneKeepsStride,
  ChunkGivesAll,
  ResizeToSameSizes,
  RavelIsFlatten,
  OverlapTooHardRefused,
  ProductMayNotAlias,
  ReductionKeepsOrder,
};

#ifdef TENSORTIDY_FAULTS
inline int SeededFault = 0;
inline bool broken(Fault F) { return static_cast<int>(F) == SeededFault; }
#else
constexpr bool broken(Fault) { return false; }
#endif

} // namespace tensortidy::layout

#endif
