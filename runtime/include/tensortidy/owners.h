//===- owners.h - how many handles a tensor has -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counted where handles are copied, without a call: a handle that comes and
// goes should cost no more than its count.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_OWNERS_H
#define TENSORTIDY_OWNERS_H

#include <atomic>
#include <cstdint>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace tensortidy::detail {

/// A count of owners, which begins at one. An exchange between processors costs
/// as much as the rest of a view, and is left out while there is one thread.
class Owners {
public:
  int64_t load() const { return Count.load(std::memory_order_acquire); }
  void add() {
    if (oneThread())
      Count.store(Count.load(std::memory_order_relaxed) + 1,
                  std::memory_order_relaxed);
    else
      Count.fetch_add(1, std::memory_order_relaxed);
  }
  /// Whether it was the last.
  bool drop() {
    if (!oneThread())
      return Count.fetch_sub(1, std::memory_order_acq_rel) == 1;
    const int64_t N = Count.load(std::memory_order_relaxed) - 1;
    Count.store(N, std::memory_order_relaxed);
    return N == 0;
  }
  /// The same of what most often has one owner, who needs no exchange; of
  /// another, it only waits for one more read.
  bool dropOnly() { return load() == 1 || drop(); }

private:
  static bool oneThread() {
#if __has_include(<sys/single_threaded.h>)
    // An exchange waits for all reads before it: this one is nearer.
    if (Several.load(std::memory_order_relaxed))
      return false;
    if (__libc_single_threaded)
      return true;
    Several.store(true, std::memory_order_relaxed);
#endif
    return false;
  }
  /// Whether there was more than one thread.
  __attribute__((visibility("hidden"))) static inline std::atomic<bool> Several{
      false};
  std::atomic<int64_t> Count{1};
};

} // namespace tensortidy::detail

#endif
