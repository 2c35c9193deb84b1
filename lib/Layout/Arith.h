//===- Arith.h - integers the layout rules compute with -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every layout rule is a template over an arithmetic `A`: what an integer is,
// and what can be said about two of them. The runtime uses `Concrete` (int64_t,
// every question has an answer); the analyzer uses `Symbolic` (Symbolic.h),
// whose questions may stay open.
//
//   eq(T*D, D)   Concrete T=4: No      Symbolic: No, unless T is 1
//   eq(T, H)     Concrete: yes or no   Symbolic: Unknown
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_ARITH_H
#define TENSORTIDY_LAYOUT_ARITH_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tensortidy::layout {

enum class Truth : unsigned char { No, Yes, Unknown };

inline Truth operator!(Truth T) {
  return T == Truth::Unknown ? T : T == Truth::Yes ? Truth::No : Truth::Yes;
}
inline Truth operator&&(Truth A, Truth B) {
  if (A == Truth::No || B == Truth::No)
    return Truth::No;
  return A == Truth::Yes ? B : A;
}
inline Truth operator||(Truth A, Truth B) { return !(!A && !B); }
inline Truth truth(bool B) { return B ? Truth::Yes : Truth::No; }

/// What an answer about numbers depends on.
struct NoConditions {
  static bool empty() { return true; }
  static const int64_t *begin() { return nullptr; }
  static const int64_t *end() { return nullptr; }
  static void insert(const int64_t *, const int64_t *, const int64_t *) {}
  static void push_back(int64_t) {}
};
template <class Int>
using Conditions = std::conditional_t<std::is_same_v<Int, int64_t>,
                                      NoConditions, std::vector<Int>>;

/// An answer that may hold only under a condition: a `No` with `UnlessOne`
/// {T*H, D} means "no, unless T*H is 1 or D is 1 (or the tensor is empty)", and
/// {q + 1} "no, unless q is 0". A `Yes` holds without condition.
template <class Int> struct Answer {
  Truth T = Truth::Unknown;
  Conditions<Int> UnlessOne;

  Answer(Truth T = Truth::Unknown) : T(T) {}
  Answer(Truth T, Conditions<Int> U) : T(T), UnlessOne(std::move(U)) {}
  bool yes() const { return T == Truth::Yes; }
  bool no() const { return T == Truth::No; }
  bool unknown() const { return T == Truth::Unknown; }
};

/// A short vector of trivially copyable integers that lives inline up to six
/// elements: views must not allocate.
class InlineDims {
public:
  using value_type = int64_t;
  InlineDims() = default;
  InlineDims(std::initializer_list<int64_t> L)
      : InlineDims(L.begin(), L.end()) {}
  explicit InlineDims(size_t N, int64_t V = 0) { assign(N, V); }
  template <class It,
            class = typename std::iterator_traits<It>::iterator_category>
  InlineDims(It B, It E) {
    assign(B, E);
  }
  InlineDims(const InlineDims &O) { *this = O; }
  // Copies all inline elements, whatever their number: no loop and no call.
  InlineDims(InlineDims &&O) noexcept
      : Size(O.Size), Capacity(O.Capacity), Heap(std::move(O.Heap)) {
    std::memcpy(Inline, O.Inline, sizeof Inline);
    O.Size = 0;
    O.Capacity = N;
  }
  InlineDims &operator=(const InlineDims &O) {
    if (this == &O)
      return *this;
    Size = 0;
    reserve(O.Size);
    if (O.Heap)
      std::memcpy(ptr(), O.Heap.get(), O.Size * sizeof(int64_t));
    else
      std::memcpy(ptr(), O.Inline, sizeof Inline);
    Size = O.Size;
    return *this;
  }
  InlineDims &operator=(InlineDims &&O) noexcept {
    if (this == &O)
      return *this;
    Heap = std::move(O.Heap);
    Capacity = O.Capacity;
    Size = O.Size;
    std::memcpy(Inline, O.Inline, sizeof Inline);
    O.Size = 0;
    O.Capacity = N;
    return *this;
  }
  size_t size() const { return Size; }
  bool empty() const { return Size == 0; }
  int64_t *data() { return ptr(); }
  const int64_t *data() const { return ptr(); }
  int64_t *begin() { return ptr(); }
  int64_t *end() { return ptr() + Size; }
  const int64_t *begin() const { return ptr(); }
  const int64_t *end() const { return ptr() + Size; }
  int64_t &operator[](size_t I) { return ptr()[I]; }
  int64_t operator[](size_t I) const { return ptr()[I]; }
  int64_t &back() { return ptr()[Size - 1]; }
  int64_t back() const { return ptr()[Size - 1]; }
  void clear() { Size = 0; }
  void push_back(int64_t V) {
    if (Size == Capacity)
      reserve(Capacity * 2);
    ptr()[Size++] = V;
  }
  template <class It,
            class = typename std::iterator_traits<It>::iterator_category>
  void assign(It B, It E) {
    Size = 0;
    const auto Count = static_cast<size_t>(std::distance(B, E));
    reserve(Count);
    int64_t *To = ptr();
    for (; B != E; ++B)
      *To++ = static_cast<int64_t>(*B);
    Size = Count;
  }
  void assign(size_t Count, int64_t V) {
    reserve(Count);
    for (size_t I = 0; I < Count; ++I)
      ptr()[I] = V;
    Size = Count;
  }
  void resize(size_t Count, int64_t V = 0) {
    reserve(Count);
    for (size_t I = Size; I < Count; ++I)
      ptr()[I] = V;
    Size = Count;
  }
  void insert(int64_t *Pos, int64_t V) {
    size_t At = static_cast<size_t>(Pos - ptr());
    push_back(V);
    for (size_t I = Size - 1; I > At; --I)
      ptr()[I] = ptr()[I - 1];
    ptr()[At] = V;
  }
  void erase(int64_t *Pos) {
    for (int64_t *E = end() - 1; Pos < E; ++Pos)
      *Pos = Pos[1];
    --Size;
  }
  friend bool operator==(const InlineDims &A, const InlineDims &B) {
    if (A.Size != B.Size)
      return false;
    for (size_t I = 0; I < A.Size; ++I)
      if (A[I] != B[I])
        return false;
    return true;
  }
  friend bool operator!=(const InlineDims &A, const InlineDims &B) {
    return !(A == B);
  }

private:
  static constexpr size_t N = 6;
  // The empty statement keeps this a branch, which is predicted: a conditional
  // move would make every access wait for the pointer.
  int64_t *ptr() {
    if (__builtin_expect(Heap == nullptr, true))
      return Inline;
    asm("");
    return Heap.get();
  }
  const int64_t *ptr() const { return const_cast<InlineDims *>(this)->ptr(); }
  void reserve(size_t Count) {
    if (Count <= Capacity)
      return;
    std::unique_ptr<int64_t[]> Bigger(new int64_t[Count]);
    for (size_t I = 0; I < Size; ++I)
      Bigger[I] = ptr()[I];
    Heap = std::move(Bigger);
    Capacity = Count;
  }
  size_t Size = 0;
  size_t Capacity = N;
  int64_t Inline[N];
  std::unique_ptr<int64_t[]> Heap;
};

template <class Int>
using Dims = std::conditional_t<std::is_same_v<Int, int64_t>, InlineDims,
                                std::vector<Int>>;

/// Arithmetic on int64_t: every question is decided.
struct Concrete {
  using Int = int64_t;
  Int constant(int64_t V) const { return V; }
  std::optional<int64_t> known(Int A) const { return A; }
  Int add(Int A, Int B) const { return A + B; }
  Int sub(Int A, Int B) const { return A - B; }
  Int mul(Int A, Int B) const { return A * B; }
  Answer<Int> eq(Int A, Int B) const { return truth(A == B); }
  Truth lt(Int A, Int B) const { return truth(A < B); }
  /// A / B when the division is known to be exact.
  std::optional<Int> divExact(Int A, Int B) const {
    if (B == 0 || A % B != 0)
      return std::nullopt;
    return A / B;
  }
  /// True when A / B is known to leave a remainder.
  bool neverDivides(Int A, Int B) const { return B == 0 || A % B != 0; }
  Int ceilDiv(Int A, Int B) const { return (A + B - 1) / B; }
  Int floorDiv(Int A, Int B) const {
    Int Q = A / B;
    return A % B != 0 && (A < 0) != (B < 0) ? Q - 1 : Q;
  }
  Int min(Int A, Int B) const { return A < B ? A : B; }
  Int max(Int A, Int B) const { return A < B ? B : A; }
  /// max(size, 1), as contiguous strides count an empty dimension.
  Int atLeastOne(Int A) const { return A < 1 ? 1 : A; }
  /// A computed size, in the form products of sizes are made of.
  Int asSize(Int A) const { return A; }
  std::string str(Int A) const { return std::to_string(A); }
};
/// As much of it as storageSpan() needs, for sums and products that may be too
/// large: then they are the largest number there is.
struct Saturating {
  using Int = int64_t;
  Int constant(int64_t V) const { return V; }
  Int add(Int A, Int B) const {
    Int R = 0;
    return __builtin_add_overflow(A, B, &R) ? limit() : R;
  }
  Int sub(Int A, Int B) const { return A - B; }
  Int mul(Int A, Int B) const {
    Int R = 0;
    return __builtin_mul_overflow(A, B, &R) ? limit() : R;
  }
  Answer<Int> eq(Int A, Int B) const { return truth(A == B); }

private:
  static constexpr Int limit() { return std::numeric_limits<Int>::max(); }
};

} // namespace tensortidy::layout

#endif
