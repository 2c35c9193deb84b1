//===- Memory.h - where tensors' bytes come from ----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two of them: allocateBytes() for elements, from blocks in eight sizes for
// each power of two, so that a freed block fits the next request at 12 % waste;
// and Pooled<T> for the small objects a view is made of, from a list of the
// thread.
//
//   48 .. | 512 576 640 704 .. 960 | 1024 1152 .. | ... one list each
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_MEMORY_H
#define TENSORTIDY_RUNTIME_MEMORY_H

#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>
#include <thread>

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#if defined(__SANITIZE_ADDRESS__)
#define TENSORTIDY_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TENSORTIDY_ASAN 1
#endif
#endif
#ifndef TENSORTIDY_ASAN
#define TENSORTIDY_ASAN 0
#endif
// NOLINTEND(cppcoreguidelines-macro-usage)

namespace tensortidy::detail {

/// What guards all memory. It is held for moments, so that an exchange is all
/// that taking it costs, and who finds it taken lets others run.
class Latch {
public:
  void lock() noexcept {
    while (Taken.exchange(true, std::memory_order_acquire))
      std::this_thread::yield();
  }
  void unlock() noexcept { Taken.store(false, std::memory_order_release); }

private:
  std::atomic<bool> Taken{false};
};
using Held = std::lock_guard<Latch>;
Latch &memoryLatch();

/// \p Bytes of memory aligned to 64, uninitialised; null for none. Throws Error
/// when there is no memory, after emptying the cache. \p Zones more are taken
/// that do not count as a tensor's.
char *allocateBytes(const Held &, size_t Bytes, size_t Zones = 0);
/// Gives back what allocateBytes() with the same arguments gave.
void freeBytes(const Held &, char *Data, size_t Bytes,
               size_t Zones = 0) noexcept;

/// Gives T a new and a delete that reuse freed objects of the same thread.
template <class T> class Pooled {
public:
  static void *operator new(size_t Size) {
    if (Free && !TENSORTIDY_ASAN) {
      Node *N = Free;
      Free = N->Next;
      --Count;
      return N;
    }
    return ::operator new(Size);
  }
  static void operator delete(void *P) noexcept {
    if (TENSORTIDY_ASAN || Closed || Count == Most) {
      ::operator delete(P);
      return;
    }
    if (!Free)
      touch();
    Free = new (P) Node{Free};
    ++Count;
  }

private:
  struct Node {
    Node *Next;
  };
  /// Frees the list when the thread ends. Tensors that die later, as static
  /// ones do, find it closed.
  struct Closer {
    ~Closer() {
      Closed = true;
      while (Node *N = Free) {
        Free = N->Next;
        ::operator delete(N);
      }
    }
  };
  static void touch() {
    static thread_local const Closer C;
    (void)C;
  }
  static constexpr unsigned Most = 256;
  // Plain data: no guard to test at each use.
  static inline thread_local Node *Free = nullptr;
  static inline thread_local unsigned Count = 0;
  static inline thread_local bool Closed = false;
};

} // namespace tensortidy::detail

#endif
