//===- cub.cuh - stands in for CUB -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cuda_runtime.h>

#define CUB_VERSION 200300
#define CUB_NS_QUALIFIER ::cub
#ifndef CUB_NAMESPACE_BEGIN
#define CUB_NAMESPACE_BEGIN
#define CUB_NAMESPACE_END
#endif
#define CubDebug(E) (E)
#define CubDebugExit(E) (E)

namespace cub {

template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T *Current, T *Alternate) : d_buffers{Current, Alternate} {}
  T *Current() { return d_buffers[selector]; }
  T *Alternate() { return d_buffers[selector ^ 1]; }
};

template <class K, class V> struct KeyValuePair {
  K key;
  V value;
};

struct Sum {
  template <class A, class B> auto operator()(A X, B Y) const { return X + Y; }
};
struct Max {
  template <class A, class B> auto operator()(A X, B Y) const {
    return X < Y ? Y : X;
  }
};
struct Min {
  template <class A, class B> auto operator()(A X, B Y) const {
    return Y < X ? Y : X;
  }
};
struct ArgMax {};
struct ArgMin {};
struct Equality {};

// Iterators: only their types are asked for.
template <class T, class Offset = ptrdiff_t> struct CountingInputIterator {
  using value_type = T;
  CountingInputIterator(T);
  T operator[](Offset) const;
};
template <class T, class Offset = ptrdiff_t> struct ConstantInputIterator {
  using value_type = T;
  ConstantInputIterator(T, Offset = 0);
  T operator[](Offset) const;
};
template <class T, class Op, class It, class Offset = ptrdiff_t>
struct TransformInputIterator {
  using value_type = T;
  TransformInputIterator(It, Op);
  T operator[](Offset) const;
};
template <class It, class Offset = ptrdiff_t, class T = void>
struct ArgIndexInputIterator {
  ArgIndexInputIterator(It);
};

// Every algorithm of a device-wide class takes what it likes and answers with
// an error code.
#define TENSORTIDY_CUB(Name)                                                   \
  template <class... Args> static cudaError_t Name(Args &&...);
struct DeviceScan {
  TENSORTIDY_CUB(ExclusiveSum)
  TENSORTIDY_CUB(InclusiveSum)
  TENSORTIDY_CUB(ExclusiveScan)
  TENSORTIDY_CUB(InclusiveScan)
  TENSORTIDY_CUB(ExclusiveSumByKey)
  TENSORTIDY_CUB(InclusiveSumByKey)
  TENSORTIDY_CUB(InclusiveScanByKey)
};
struct DeviceReduce {
  TENSORTIDY_CUB(Reduce)
  TENSORTIDY_CUB(Sum)
  TENSORTIDY_CUB(Min)
  TENSORTIDY_CUB(Max)
  TENSORTIDY_CUB(ArgMin)
  TENSORTIDY_CUB(ArgMax)
  TENSORTIDY_CUB(ReduceByKey)
};
struct DeviceRadixSort {
  TENSORTIDY_CUB(SortPairs)
  TENSORTIDY_CUB(SortPairsDescending)
  TENSORTIDY_CUB(SortKeys)
  TENSORTIDY_CUB(SortKeysDescending)
};
struct DeviceSegmentedRadixSort : DeviceRadixSort {};
struct DeviceSegmentedSort : DeviceRadixSort {
  TENSORTIDY_CUB(StableSortPairs)
  TENSORTIDY_CUB(StableSortKeys)
};
struct DeviceMergeSort : DeviceSegmentedSort {};
struct DeviceSegmentedReduce : DeviceReduce {};
struct DeviceSelect {
  TENSORTIDY_CUB(Flagged)
  TENSORTIDY_CUB(If)
  TENSORTIDY_CUB(Unique)
  TENSORTIDY_CUB(UniqueByKey)
};
struct DevicePartition {
  TENSORTIDY_CUB(Flagged)
  TENSORTIDY_CUB(If)
};
struct DeviceRunLengthEncode {
  TENSORTIDY_CUB(Encode)
  TENSORTIDY_CUB(NonTrivialRuns)
};
struct DeviceHistogram {
  TENSORTIDY_CUB(HistogramEven)
  TENSORTIDY_CUB(HistogramRange)
};
#undef TENSORTIDY_CUB

// Block- and warp-wide classes are device code; host code names them for the
// size of their storage.
enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm {
  BLOCK_SCAN_RAKING,
  BLOCK_SCAN_RAKING_MEMOIZE,
  BLOCK_SCAN_WARP_SCANS
};
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE
};
struct NullType {};
struct BlockPrimitive {
  struct TempStorage {
    char Bytes[1];
  };
  BlockPrimitive();
  BlockPrimitive(TempStorage &);
  template <class T, class... Args> T Sum(T, Args &&...);
  template <class T, class... Args> T Reduce(T, Args &&...);
  template <class... Args> void Sort(Args &&...);
  template <class... Args> void Load(Args &&...);
  template <class... Args> void Store(Args &&...);
  template <class... Args> void ExclusiveSum(Args &&...);
  template <class... Args> void InclusiveSum(Args &&...);
  template <class... Args> void ExclusiveScan(Args &&...);
  template <class... Args> void InclusiveScan(Args &&...);
};
#define TENSORTIDY_CUB_BLOCK(Name)                                             \
  template <class T, int N, auto... Rest> struct Name : BlockPrimitive {       \
    using BlockPrimitive::BlockPrimitive;                                      \
  };
TENSORTIDY_CUB_BLOCK(BlockReduce)
TENSORTIDY_CUB_BLOCK(BlockScan)
TENSORTIDY_CUB_BLOCK(BlockLoad)
TENSORTIDY_CUB_BLOCK(BlockStore)
TENSORTIDY_CUB_BLOCK(BlockExchange)
TENSORTIDY_CUB_BLOCK(BlockHistogram)
#undef TENSORTIDY_CUB_BLOCK
template <class K, int N, int Items, class V = NullType, int... Rest>
struct BlockRadixSort : BlockPrimitive {
  using BlockPrimitive::BlockPrimitive;
};
template <class T, int... Rest> struct WarpReduce : BlockPrimitive {
  using BlockPrimitive::BlockPrimitive;
};
template <class T, int... Rest> struct WarpScan : BlockPrimitive {
  using BlockPrimitive::BlockPrimitive;
};

} // namespace cub
