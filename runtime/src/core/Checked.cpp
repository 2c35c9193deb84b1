//===- Checked.cpp - memory that is watched -------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Loop.h"
#include "core/Memory.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

// AddressSanitizer's interface, where the program has it.
extern "C" {
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *,
                                                       size_t);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *,
                                                         size_t);
__attribute__((weak)) void *__asan_region_is_poisoned(void *, size_t);
}

namespace tensortidy {
namespace detail {

static bool haveAsan() { return __asan_poison_memory_region != nullptr; }
static void poison(const void *P, size_t N) {
  if (haveAsan())
    __asan_poison_memory_region(P, N);
}
static void unpoison(const void *P, size_t N) {
  if (haveAsan())
    __asan_unpoison_memory_region(P, N);
}

//===--- red zones ------------------------------------------------------===//

// The zone keeps the data aligned to 64; behind the data it also covers what
// rounding the size up adds.
static constexpr size_t Zone = 64;
static constexpr unsigned char Pattern = 0xa5, Gone = 0xff;
static size_t tail(size_t Bytes) {
  return (Bytes + 63) / 64 * 64 - Bytes + Zone;
}
static size_t whole(size_t Bytes) { return Bytes + tail(Bytes) + Zone; }

namespace {
/// Memory that is gone but whose pointer a caller may still have.
struct Quarantined {
  char *Data;
  size_t Bytes;
  const char *Op;
  Site Made;
};
/// Guarded by the memory's latch.
struct Registry {
  StorageImpl *First = nullptr;
  std::deque<Quarantined> Quarantine;
  size_t Held = 0;
};
constexpr size_t MostHeld = size_t(64) << 20;
// Never destroyed: tensors with static storage outlive other statics.
Registry &registry() {
  static auto *R = new Registry;
  return *R;
}
} // namespace

static std::string placeOf(const char *Op, Site Here) {
  return Op + place(Here);
}

static size_t firstOther(const char *P, size_t N, unsigned char Expected) {
  // Each is as the one before, and so all are as the first.
  if (static_cast<unsigned char>(*P) == Expected &&
      std::memcmp(P, P + 1, N - 1) == 0)
    return N;
  for (size_t I = 0; I < N; ++I)
    if (static_cast<unsigned char>(P[I]) != Expected)
      return I;
  return N;
}

/// What is wrong around \p S, or nothing.
static std::string damage(const StorageImpl &S) {
  if (!S.Data || S.Borrowed || haveAsan())
    return ""; // AddressSanitizer watches the zones itself
  const size_t Front = firstOther(S.Data - Zone, Zone, Pattern);
  const size_t Back = firstOther(S.Data + S.Bytes, tail(S.Bytes), Pattern);
  if (Front == Zone && Back == tail(S.Bytes))
    return "";
  const std::string Of = " memory of " + std::to_string(S.Bytes) +
                         " bytes from " + placeOf(S.Op, S.Made);
  if (Front != Zone)
    return "a write " + std::to_string(Zone - Front) + " bytes before," + Of;
  return "a write " + std::to_string(Back) + " bytes behind the end of" + Of;
}

std::string whoseMemory(const void *At) {
  if (!Checks || !At)
    return "";
  const Held Guard(memoryLatch());
  const auto *P = static_cast<const char *>(At);
  for (const StorageImpl *S = registry().First; S; S = S->Watched.Next)
    if (P >= S->Data && P <= S->Data + S->Bytes)
      return "\n  its memory is from " + placeOf(S->Op, S->Made);
  return "";
}

void verifyZones(const StorageImpl &S, Site Here) {
  if (Checks)
    if (const std::string Text = damage(S); !Text.empty())
      fail("verify: " + Text, Here);
}

/// Enters \p S into the list of what has red zones.
static void enlist(Registry &R, StorageImpl &S) {
  S.Watched.Next = R.First;
  S.Watched.Previous = nullptr;
  if (R.First)
    R.First->Watched.Previous = &S;
  R.First = &S;
}
static void delist(Registry &R, StorageImpl &S) {
  Watch &W = S.Watched;
  (W.Previous ? W.Previous->Watched.Next : R.First) = W.Next;
  if (W.Next)
    W.Next->Watched.Previous = W.Previous;
}

void adoptMemory(StorageImpl &To, StorageImpl &From) {
  if (Checks) {
    const Held Guard(memoryLatch());
    Registry &R = registry();
    if (From.Data) {
      delist(R, From);
      enlist(R, To);
    }
    // What it grows by was never written.
    if (To.Watched.Unwritten == Watch::None && From.Bytes > To.Bytes) {
      To.Watched.set(To.Bytes ? Watch::Some : Watch::All);
      if (To.Bytes) {
        To.Watched.Map.reset(new uint8_t[To.Bytes]);
        std::memset(To.Watched.Map.get(), 0, To.Bytes);
      }
    }
    if (To.Watched.Unwritten == Watch::Some) {
      std::unique_ptr<uint8_t[]> Map(new uint8_t[From.Bytes]);
      std::memset(Map.get(), 1, From.Bytes);
      std::memcpy(Map.get(), To.Watched.Map.get(), To.Bytes);
      To.Watched.Map = std::move(Map);
    }
  }
  To.Data = From.Data;
  To.Bytes = From.Bytes;
  From.Data = nullptr;
  From.Bytes = 0;
}

char *guardedAllocate(StorageImpl &S, size_t Bytes) {
  if (Bytes == 0)
    return nullptr;
  const Held Guard(memoryLatch());
  if (!Checks)
    return allocateBytes(Guard, Bytes);
  char *Raw = allocateBytes(Guard, Bytes, whole(Bytes) - Bytes);
  char *Data = Raw + Zone;
  unpoison(Raw, whole(Bytes)); // the cache may have had it
  std::memset(Raw, Pattern, Zone);
  std::memset(Data + Bytes, Pattern, tail(Bytes));
  poison(Raw, Zone);
  poison(Data + Bytes, tail(Bytes));
  enlist(registry(), S);
  return Data;
}

static void giveBack(const Held &Guard, char *Data, size_t Bytes) noexcept {
  poison(Data - Zone, whole(Bytes));
  freeBytes(Guard, Data - Zone, Bytes, whole(Bytes) - Bytes);
}

[[noreturn]] static void abortWith(const std::string &Text) noexcept {
  std::fprintf(stderr, "tensortidy: %s\n", Text.c_str());
  std::abort();
}

static std::string writtenWhenGone(const Quarantined &Q) {
  if (haveAsan() || firstOther(Q.Data, Q.Bytes, Gone) == Q.Bytes)
    return "";
  return "a write through a pointer of a temporary, whose memory from " +
         placeOf(Q.Op, Q.Made) + " is gone";
}

void guardedFree(StorageImpl &S) noexcept {
  if (!S.Data)
    return;
  const Held Guard(memoryLatch());
  if (!Checks)
    return freeBytes(Guard, S.Data, S.Bytes);
  Registry &R = registry();
  delist(R, S);
  if (const std::string Text = damage(S); !Text.empty())
    abortWith(Text);
  if (!S.Watched.Escaped) {
    giveBack(Guard, S.Data, S.Bytes);
    return;
  }
  // Reads through the stale pointer give NaN, writes are found later.
  std::memset(S.Data, Gone, S.Bytes);
  poison(S.Data, S.Bytes);
  R.Quarantine.push_back({S.Data, S.Bytes, S.Op, S.Made});
  R.Held += S.Bytes;
  while (R.Held > MostHeld) {
    const Quarantined Q = R.Quarantine.front();
    R.Quarantine.pop_front();
    R.Held -= Q.Bytes;
    if (const std::string Text = writtenWhenGone(Q); !Text.empty())
      abortWith(Text);
    giveBack(Guard, Q.Data, Q.Bytes);
  }
}

//===--- pointers of temporaries ----------------------------------------===//

void pin(const StorageImpl *S) noexcept {
  if (!S)
    return;
  retain(S);
  ++const_cast<StorageImpl *>(S)->Watched.Pins;
}
void unpin(const StorageImpl *S) noexcept {
  if (!S)
    return;
  --const_cast<StorageImpl *>(S)->Watched.Pins;
  release(S);
}
void pinAlive(const StorageImpl *S, Site Here) {
  // What is only borrowed does not die with the last tensor.
  if (!Checks || !S || (S->Borrowed && !S->Free) ||
      S->Refs.load() > S->Watched.Pins.load())
    return;
  fail("the pointer was taken from a temporary, whose memory from " +
           placeOf(S->Op, S->Made) + " is gone: give the tensor a name",
       Here);
}
void pinsMeet(const StorageImpl *A, const StorageImpl *B, Site Here) {
  if (Checks && A != B && A && B)
    fail("the range is from a pointer into the memory of " +
             placeOf(B->Op, B->Made) + " to one of " + placeOf(A->Op, A->Made) +
             ", two temporaries: give the tensor a name",
         Here);
}
void pinEscapes(const StorageImpl *S) noexcept {
  if (S)
    const_cast<StorageImpl *>(S)->Watched.Escaped = true;
}

//===--- memory never written -------------------------------------------===//

void Watch::set(State S) {
  Unwritten = S;
  OnRead = OnRead || S != None;
  if (S != Some)
    Map.reset();
}

/// Does \p X reach every byte of its storage?
static bool covers(const TensorImpl &I) {
  return static_cast<size_t>(I.numel()) * elementSize(I.Type) ==
             I.Store->Bytes &&
         layout::isNonOverlappingAndDense(Ar, I.L).yes();
}
static void makeMap(StorageImpl &S) {
  if (S.Watched.Map)
    return;
  S.Watched.Map.reset(new uint8_t[S.Bytes ? S.Bytes : 1]);
  std::memset(S.Watched.Map.get(), S.Watched.Unwritten == Watch::All, S.Bytes);
  S.Watched.Unwritten = Watch::Some;
  S.Watched.OnRead = true;
}
/// Visit(map bytes, size) of each element of \p X.
template <class F> static void visitMap(const Tensor &X, F Visit) {
  const TensorImpl &I = impl(X);
  Walk W(I.L.Sizes);
  W.add(X);
  W.Data[0] = reinterpret_cast<char *>(I.Store->Watched.Map.get()) +
              I.L.Offset * static_cast<int64_t>(elementSize(I.Type));
  W.simplify();
  const size_t Size = elementSize(I.Type);
  W.run([&](char **P, const int64_t *Step, int64_t N) {
    if (Step[0] == static_cast<int64_t>(Size)) {
      Visit(P[0], static_cast<size_t>(N) * Size);
      return;
    }
    for (int64_t K = 0; K < N; ++K)
      Visit(P[0] + K * Step[0], Size);
  });
}

void markUnwritten(const Tensor &X) {
  if (Checks && X.numel())
    impl(X).Store->Watched.set(Watch::All);
}
void markWritten(const Tensor &X) {
  TensorImpl &I = impl(X);
  if (covers(I))
    return I.Store->Watched.set(Watch::None);
  makeMap(*I.Store);
  visitMap(X, [](char *P, size_t N) { std::memset(P, 0, N); });
}

void markWrittenWhere(const Tensor &X, const Tensor &Where) {
  const TensorImpl &I = impl(X);
  makeMap(*I.Store);
  const size_t Size = elementSize(I.Type);
  Walk W(I.L.Sizes);
  W.add(X);
  W.add(Where);
  W.Data[0] = reinterpret_cast<char *>(I.Store->Watched.Map.get()) +
              I.L.Offset * static_cast<int64_t>(Size);
  W.simplify();
  W.run([&](char **P, const int64_t *Step, int64_t N) {
    for (int64_t K = 0; K < N; ++K)
      if (P[1][K * Step[1]])
        std::memset(P[0] + K * Step[0], 0, Size);
  });
}

void copyUnwritten(const Tensor &To, const Tensor &From) {
  const TensorImpl &T = impl(To), &F = impl(From);
  const Watch::State S = F.Store->Watched.Unwritten;
  if (S == Watch::None) {
    if (T.Store->Watched.Unwritten != Watch::None)
      markWritten(To);
    return;
  }
  if (S == Watch::All && covers(T))
    return T.Store->Watched.set(Watch::All);
  makeMap(*F.Store);
  makeMap(*T.Store);
  const size_t Size = elementSize(T.Type);
  Walk W(T.L.Sizes);
  W.add(To);
  W.add(From);
  const TensorImpl *Of[] = {&T, &F};
  for (size_t K = 0; K < 2; ++K)
    W.Data[K] = reinterpret_cast<char *>(Of[K]->Store->Watched.Map.get()) +
                Of[K]->L.Offset * static_cast<int64_t>(Size);
  W.simplify();
  W.run([&](char **P, const int64_t *Step, int64_t N) {
    for (int64_t K = 0; K < N; ++K)
      std::memcpy(P[0] + K * Step[0], P[1] + K * Step[1], Size);
  });
}

void checkRead(const Tensor &X, const char *Op, Site Here) {
  const TensorImpl &I = impl(X);
  if (I.numel() == 0)
    return;
  Watch &W = I.Store->Watched;
  if (I.Store->Borrowed && __asan_region_is_poisoned && I.Store->Data) {
    const auto Span = static_cast<size_t>(layout::storageSpan(Ar, I.L));
    if (__asan_region_is_poisoned(I.Store->Data, Span * elementSize(I.Type)))
      fail(std::string(Op) + ": the borrowed memory is gone", X, Here);
  }
  bool Bad = W.Unwritten == Watch::All;
  if (W.Unwritten == Watch::Some)
    visitMap(X, [&](const char *P, size_t N) {
      Bad = Bad || std::memchr(P, 1, N) != nullptr;
    });
  if (Bad)
    fail(std::string(Op) + ": reads memory that was never written, from " +
             placeOf(I.Store->Op, I.Store->Made),
         X, Here);
  if (W.Unwritten == Watch::Some && covers(I))
    W.set(Watch::None);
}

//===--- borrowed memory ------------------------------------------------===//

static std::string endOf(const StorageImpl &S, const char *Op) {
  return std::string(Op) + ": the memory was borrowed by " +
         placeOf(S.Op, S.Made) + " and its owner said it is gone" +
         placeOf("", S.Watched.EndedAt);
}
void borrowEnded(const Tensor &X, const char *Op, Site Here) {
  fail(endOf(*impl(X).Store, Op), X, Here);
}
void borrowEnded(const StorageImpl &S, const char *Op, Site Here) {
  fail(endOf(S, Op), Here);
}

} // namespace detail

using detail::impl;

void BorrowScope::end(Site Here) {
  for (const Storage &S : Lent) {
    auto &Impl = const_cast<detail::StorageImpl &>(*S.impl());
    Impl.Watched.Ended = true;
    Impl.Watched.EndedAt = Here;
  }
  Lent.clear();
}

SavedTensor::SavedTensor(const Tensor &x, Site Here)
    : X(x.detach(Here)), Version(x._version()), Made(Here) {}

Tensor SavedTensor::unpack(Site Here) const {
  const auto &S = *impl(X, "unpack", Here).Store;
  if (S.Version != Version)
    detail::fail("unpack: the tensor saved " +
                     detail::placeOf("", Made).substr(1) + " at version " +
                     std::to_string(Version) +
                     " was changed in place: it is at version " +
                     std::to_string(S.Version) + ", last written by " +
                     detail::placeOf(S.LastOp, S.LastWrite),
                 X, Here);
  return X;
}

std::string Storage::provenance() const {
  return S ? detail::placeOf(S->Op, S->Made) : "nowhere";
}
void Storage::verify(Site Here) const {
  if (S)
    detail::verifyZones(*S, Here);
}

void verify_memory(Site Here) {
  auto &R = detail::registry();
  const detail::Held Guard(detail::memoryLatch());
  for (const detail::StorageImpl *S = R.First; S; S = S->Watched.Next)
    detail::verifyZones(*S, Here);
  for (const auto &Q : R.Quarantine)
    if (const std::string Text = detail::writtenWhenGone(Q); !Text.empty())
      detail::fail("verify_memory: " + Text, Here);
}

} // namespace tensortidy
