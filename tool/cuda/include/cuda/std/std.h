//===- std.h - stands in for libcu++ -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>
#if __cplusplus >= 201703L
#include <optional>
#include <variant>
#endif
#if __cplusplus >= 202002L
#include <bit>
#include <concepts>
#include <span>
#endif

namespace cuda {
namespace std {
using namespace ::std;
} // namespace std
enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};
template <class T, thread_scope S = thread_scope_system>
struct atomic : ::std::atomic<T> {
  using ::std::atomic<T>::atomic;
};
template <class T, thread_scope S = thread_scope_system> struct atomic_ref {
  explicit atomic_ref(T &);
  T load(::std::memory_order = ::std::memory_order_seq_cst) const;
  void store(T, ::std::memory_order = ::std::memory_order_seq_cst) const;
  T fetch_add(T, ::std::memory_order = ::std::memory_order_seq_cst) const;
};
template <thread_scope S> struct barrier {};
template <thread_scope S> struct pipeline {};
template <thread_scope S, unsigned char N> struct pipeline_shared_state {};
} // namespace cuda
