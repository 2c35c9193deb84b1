//===- Memory.cpp - the caching allocator ---------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Memory.h"
#include "tensortidy/memory.h"
#include "tensortidy/types.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tensortidy {
namespace {

constexpr size_t Alignment = 64;
constexpr size_t HugePage = size_t(2) << 20;

size_t rounded(size_t Bytes, size_t To) { return (Bytes + To - 1) / To * To; }

/// The list a request belongs to, and the size of the blocks in it. Up to 512
/// bytes there is one for each multiple of 64.
struct SizeClass {
  size_t Index, Bytes;
};
constexpr size_t SmallClasses = 512 / Alignment;
constexpr size_t Classes = SmallClasses + 8 * 48;
SizeClass sizeClass(size_t Bytes) {
  if (Bytes <= 512) {
    const size_t N = (Bytes + Alignment - 1) / Alignment;
    return {N - 1, N * Alignment};
  }
  const auto Power = 63 - static_cast<size_t>(__builtin_clzll(Bytes - 1));
  const size_t Step = size_t(1) << (Power - 3);
  const size_t N = (Bytes + Step - 1) / Step; // 9 .. 16
  return {SmallClasses + 8 * (Power - 9) + N - 9, N * Step};
}

class Allocator {
public:
  static Allocator &get() { // never destroyed: static tensors die late
    static auto *A = new Allocator;
    return *A;
  }

  char *take(size_t Bytes, size_t Zones) {
    const SizeClass C = sizeClass(Bytes + Zones);
    char *Data = nullptr;
    if (C.Index < Classes && Lists[C.Index]) {
      Block *B = Lists[C.Index];
      Lists[C.Index] = B->Next;
      Data = reinterpret_cast<char *>(B);
    } else {
      Data = fromSystem(Bytes + Zones, C.Bytes);
      if (!Data) {
        empty();
        Data = fromSystem(Bytes + Zones, C.Bytes);
      }
      if (!Data)
        return nullptr;
      Reserved += C.Bytes;
      MostReserved = Reserved > MostReserved ? Reserved : MostReserved;
    }
    Allocated += rounded(Bytes, Alignment);
    MostAllocated = Allocated > MostAllocated ? Allocated : MostAllocated;
    return Data;
  }

  void give(char *Data, size_t Bytes, size_t Zones) noexcept {
    const SizeClass C = sizeClass(Bytes + Zones);
    Allocated -= rounded(Bytes, Alignment);
    if (Caching && C.Index < Classes) {
      Lists[C.Index] = new (Data) Block{Lists[C.Index]};
      return;
    }
    Reserved -= C.Bytes;
    toSystem(Data, C.Bytes);
  }

  void empty() noexcept {
    for (size_t I = 0; I < Classes; ++I)
      while (Block *B = Lists[I]) {
        Lists[I] = B->Next;
        Reserved -= classBytes(I);
        toSystem(reinterpret_cast<char *>(B), classBytes(I));
      }
  }

  detail::Latch Lock;
  size_t Allocated = 0, MostAllocated = 0, Reserved = 0, MostReserved = 0;
  bool Caching = false;

private:
  struct Block {
    Block *Next;
  };

  Allocator() {
    const char *Asked = std::getenv("TENSORTIDY_CACHE");
    Caching = !TENSORTIDY_ASAN && !(Asked && std::strcmp(Asked, "0") == 0);
  }
  static size_t classBytes(size_t Index) {
    if (Index < SmallClasses)
      return (Index + 1) * Alignment;
    const size_t K = Index - SmallClasses;
    return (9 + K % 8) << (K / 8 + 6);
  }
  /// Transposed walks touch a page for each element.
  static bool isHuge(size_t ClassBytes) {
    return !TENSORTIDY_ASAN && ClassBytes >= 2 * HugePage;
  }
  char *fromSystem(size_t Bytes, size_t ClassBytes) {
    // Exactly what was asked for where AddressSanitizer watches its end.
    if (!isHuge(ClassBytes)) {
      void *Data = nullptr;
      const size_t Size = TENSORTIDY_ASAN ? Bytes : ClassBytes;
      return posix_memalign(&Data, Alignment, Size) == 0
                 ? static_cast<char *>(Data)
                 : nullptr;
    }
    // Each begins elsewhere in its first page: elements at the same place of
    // several tensors, which are used together, would otherwise compete for the
    // same lines of the caches.
    static constexpr size_t Places = 16, Apart = 4096 + 9 * Alignment;
    const size_t Place = Turn++ % Places * Apart;
    void *Data = nullptr;
    if (posix_memalign(&Data, HugePage, ClassBytes + Places * Apart) != 0)
      return nullptr;
#if defined(__linux__)
    madvise(Data, ClassBytes + Places * Apart, MADV_HUGEPAGE);
#endif
    return static_cast<char *>(Data) + Place;
  }
  static void toSystem(char *Data, size_t ClassBytes) {
    std::free(isHuge(ClassBytes)
                  ? Data - reinterpret_cast<uintptr_t>(Data) % HugePage
                  : Data);
  }

  size_t Turn = 0;
  Block *Lists[Classes] = {};
};

template <class F> auto locked(F Function) {
  Allocator &A = Allocator::get();
  const detail::Held Guard(A.Lock);
  return Function(A);
}

} // namespace

detail::Latch &detail::memoryLatch() { return Allocator::get().Lock; }
char *detail::allocateBytes(const Held &, size_t Bytes, size_t Zones) {
  if (Bytes + Zones == 0)
    return nullptr;
  constexpr size_t Most = SIZE_MAX / 4;
  char *Data = Bytes > Most ? nullptr : Allocator::get().take(Bytes, Zones);
  if (!Data)
    throw Error("cannot allocate " + std::to_string(Bytes) + " bytes; " +
                std::to_string(Allocator::get().Allocated) + " are in use");
  return Data;
}
void detail::freeBytes(const Held &, char *Data, size_t Bytes,
                       size_t Zones) noexcept {
  if (Data)
    Allocator::get().give(Data, Bytes, Zones);
}

size_t memory_allocated() {
  return locked([](Allocator &A) { return A.Allocated; });
}
size_t max_memory_allocated() {
  return locked([](Allocator &A) { return A.MostAllocated; });
}
size_t memory_reserved() {
  return locked([](Allocator &A) { return A.Reserved; });
}
size_t max_memory_reserved() {
  return locked([](Allocator &A) { return A.MostReserved; });
}
void reset_peak_memory_stats() {
  locked([](Allocator &A) {
    A.MostAllocated = A.Allocated;
    A.MostReserved = A.Reserved;
  });
}
void empty_cache() {
  locked([](Allocator &A) { A.empty(); });
}
bool caching_allocator_enabled() {
  return locked([](Allocator &A) { return A.Caching; });
}
void set_caching_allocator_enabled(bool enabled) {
  locked([enabled](Allocator &A) {
    A.Caching = enabled && !TENSORTIDY_ASAN;
    if (!A.Caching)
      A.empty();
  });
}

} // namespace tensortidy
