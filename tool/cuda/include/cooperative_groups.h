//===- cooperative_groups.h - stands in for CUDA's groups -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cuda_runtime.h>

namespace cooperative_groups {

struct thread_group {
  void sync() const;
  unsigned long long size() const;
  unsigned long long num_threads() const;
  unsigned long long thread_rank() const;
  dim3 group_dim() const;
  dim3 group_index() const;
  dim3 thread_index() const;
  unsigned meta_group_size() const;
  unsigned meta_group_rank() const;
  template <class T> T shfl(T, int) const;
  template <class T> T shfl_up(T, unsigned) const;
  template <class T> T shfl_down(T, unsigned) const;
  template <class T> T shfl_xor(T, unsigned) const;
  int any(int) const;
  int all(int) const;
  unsigned ballot(int) const;
};
struct grid_group : thread_group {
  bool is_valid() const;
};
struct thread_block : thread_group {};
struct cluster_group : thread_group {
  unsigned block_rank() const;
  template <class T> T *map_shared_rank(T *, int) const;
};
struct coalesced_group : thread_group {};
template <unsigned N, class Parent = void>
struct thread_block_tile : thread_group {};

grid_group this_grid();
thread_block this_thread_block();
cluster_group this_cluster();
coalesced_group coalesced_threads();
template <unsigned N, class G>
thread_block_tile<N, G> tiled_partition(const G &);
template <class G> thread_group tiled_partition(const G &, unsigned);
template <class G, class L> coalesced_group labeled_partition(const G &, L);
template <class G> void sync(const G &);

template <class T> struct plus {
  T operator()(T, T) const;
};
template <class T> struct less {
  T operator()(T, T) const;
};
template <class T> struct greater {
  T operator()(T, T) const;
};
template <class G, class T, class F> T reduce(const G &, T, F);
template <class G, class T, class F> T inclusive_scan(const G &, T, F);
template <class G, class T, class F> T exclusive_scan(const G &, T, F);
template <class G, class... Args> void memcpy_async(const G &, Args &&...);
template <class G> void wait(const G &);

} // namespace cooperative_groups
