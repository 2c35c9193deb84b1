//===- Layout.h - sizes, strides, offset and what can go wrong -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layout<Int> maps an index to a storage element:
//
//   element(i, j, k) = offset + i*strides[0] + j*strides[1] + k*strides[2]
//
//   [2, 3] contiguous     strides [3, 1]   storage 0 1 2 | 3 4 5
//   its transpose [3, 2]  strides [1, 3]   storage 0 3 | 1 4 | 2 5
//
// All numbers count elements, never bytes. An operation answers with an
// Outcome: a value, a LayoutError (which rule, which dimensions, which values),
// or "unknown", which only symbolic arithmetic gives.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_LAYOUT_H
#define TENSORTIDY_LAYOUT_LAYOUT_H

#include "Layout/Arith.h"
#include <cassert>
#include <utility>

namespace tensortidy::layout {

template <class I> struct Layout {
  using Int = I;
  // "= default" would have Layout() zero the room for all dimensions.
  Layout() {} // NOLINT(modernize-use-equals-default)
  Dims<Int> Sizes;
  Dims<Int> Strides;
  Int Offset{};

  size_t rank() const { return Sizes.size(); }
};

enum class MemoryFormat : unsigned char {
  Contiguous,
  Preserve,
  ChannelsLast,
  ChannelsLast3d,
};
inline const char *name(MemoryFormat F) {
  switch (F) {
  case MemoryFormat::Contiguous:
    return "contiguous";
  case MemoryFormat::Preserve:
    return "preserve";
  case MemoryFormat::ChannelsLast:
    return "channels_last";
  case MemoryFormat::ChannelsLast3d:
    return "channels_last_3d";
  }
  return "";
}

/// Which rule refused. Each has one text, in Error.h.
enum class Rule : unsigned char {
  DimOutOfRange,   ///< Values: dim, lowest, highest
  ZeroDim,         ///< slice, select, narrow ... of a 0-dim tensor
  ViewStrides,     ///< Dims: the two neighbours that cannot merge, or one
                   ///< dimension spanning two; Sizes, Strides, NewSizes
  ViewCount,       ///< NewSizes; Values: numel
  ViewTwoInferred, ///< two -1
  ViewNegative,    ///< Values: the size
  ViewAmbiguous,   ///< -1 beside a 0
  PermuteLength,   ///< Values: rank, number of dims given
  PermuteRepeat,   ///< Values: the dim
  ExpandRank,      ///< Values: sizes given, rank
  ExpandSize,      ///< Values: wanted, existing, dimension
  ExpandNegative,  ///< Values: size, dimension
  NarrowRange,     ///< Values: start, length, size
  NarrowStart,     ///< Values: start, size
  SelectRange,     ///< Values: index, size, dim
  SliceStep,       ///< Values: step
  UnfoldSize,      ///< Values: dimension, its size, window
  UnfoldStep,      ///< Values: step
  DiagonalSame,    ///< Values: dim
  MoveDimRepeat,   ///< Values: dim
  MoveDimLength,   ///< Values: number of sources, of destinations
  TRank,           ///< Values: rank
  MTRank,          ///< Values: rank
  FlattenOrder,    ///< Values: start, end
  UnflattenCount,  ///< Values: product, size, dim
  SplitSize,       ///< Values: split size
  SplitSum,        ///< Values: sum, size
  ChunkCount,      ///< Values: chunks
  StridedLength,   ///< Values: sizes, strides
  StridedNegative, ///< Values: stride
  StridedStorage,  ///< Values: needed elements, storage elements
  FormatRank,      ///< Values: wanted rank, rank
  BroadcastSize,   ///< Values: size of a, size of b, dimension
  MatMulSizes,     ///< Values: rows, inner of a, inner of b, columns
  MatMulRank,      ///< Values: rank of a, rank of b
  CatRank,         ///< Values: rank of first, rank of other, position
  CatSize,         ///< Values: expected, got, dimension, position
  CatEmpty,        ///< no tensors
  StackSize,       ///< Values: expected, got, dimension, position
  RankWanted,      ///< Values: wanted rank, rank; AtDims: which operand
  RankAtMost,      ///< Values: most dimensions, rank
  RankAtLeast,     ///< Values: least dimensions, rank
  SizeWanted,      ///< Values: size, wanted size, dimension (none: elements)
  SizeAtMost,      ///< Values: size, greatest size, dimension
  SizeAtLeast,     ///< Values: size, what does not fit into it, dimension
  SizeMultiple,    ///< Values: size, of what it is no multiple, dimension
  StrideWanted,    ///< Values: stride, wanted stride, dimension
  StrideMultiple,  ///< Values: stride, of what it is no multiple, dimension
                   ///< (none: storage offset)
  WindowFits,      ///< Values: padded size, reach of the window, dimension
  WindowPadding,   ///< Values: padding, window
  DTypeWanted,     ///< elements of another type; the analysis names them
  InPlaceRank,     ///< Values: rank of the operands together, rank written
  InPlaceSize,     ///< Values: size of an operand, size written, dimension
  ConvChannels,    ///< Values: channels of the input, wanted, groups
  ManyElements,    ///< Values: numel; item() wants one
  InternalOverlap, ///< the written tensor maps two indices to one element
  PartialOverlap,  ///< an operand partly shares the written memory
};

template <class Int> struct LayoutError {
  Rule R;
  std::vector<Int> Values;
  std::vector<unsigned> AtDims;
  Dims<Int> Sizes, Strides, NewSizes;
};

/// A value, a refusal, or unknown. A refusal may hold only unless one of
/// `UnlessOne` is 1 (or, for views, the tensor is empty).
template <class A, class T> class Outcome {
public:
  using Int = typename A::Int;
  Outcome(const T &V) : Value(V) {}
  Outcome(T &&V) : Value(std::move(V)) {}
  /// An empty value, for rules that fill it in place.
  explicit Outcome(std::in_place_t) : Value(std::in_place) {}
  Outcome(LayoutError<Int> E, Conditions<Int> U = {})
      : Error(std::make_unique<LayoutError<Int>>(std::move(E))),
        UnlessOne(std::move(U)) {}
  static Outcome unknown() { return Outcome(); }

  bool ok() const { return Value.has_value(); }
  bool failed() const { return Error != nullptr; }
  bool isUnknown() const { return !ok() && !failed(); }
  const T &operator*() const { return *Value; }
  T &operator*() { return *Value; }
  const T *operator->() const { return &*Value; }
  T *operator->() { return &*Value; }
  const LayoutError<Int> &error() const { return *Error; }
  const Conditions<Int> &unlessOne() const { return UnlessOne; }
  /// The same refusal or unknown, for an outcome of another type.
  template <class U> Outcome<A, U> as() && {
    if (failed())
      return Outcome<A, U>(std::move(*Error), std::move(UnlessOne));
    return Outcome<A, U>::unknown();
  }

private:
  Outcome() = default;
  std::optional<T> Value;
  std::unique_ptr<LayoutError<Int>> Error;
  Conditions<Int> UnlessOne;
};

template <class A> using LayoutOutcome = Outcome<A, Layout<typename A::Int>>;

template <class A>
LayoutError<typename A::Int> refuse(Rule R,
                                    std::vector<typename A::Int> Values = {}) {
  LayoutError<typename A::Int> E;
  E.R = R;
  E.Values = std::move(Values);
  return E;
}

/// Wraps a dimension that may be negative into [0, Rank). A 0-dim tensor has
/// the dimensions -1 and 0 where \p ScalarOk.
template <class A>
Outcome<A, size_t> wrapDim(const A &Ar, int64_t Dim, size_t Rank,
                           bool ScalarOk = true) {
  int64_t N = static_cast<int64_t>(Rank);
  if (N == 0 && ScalarOk)
    N = 1;
  if (Dim < -N || Dim >= N)
    return refuse<A>(Rule::DimOutOfRange,
                     {Ar.constant(Dim), Ar.constant(-N), Ar.constant(N - 1)});
  return static_cast<size_t>(Dim < 0 ? Dim + N : Dim);
}

template <class A>
typename A::Int numel(const A &Ar, const Dims<typename A::Int> &Sizes) {
  typename A::Int N = Ar.constant(1);
  for (const auto &S : Sizes)
    N = Ar.mul(N, S);
  return N;
}

} // namespace tensortidy::layout

#endif
