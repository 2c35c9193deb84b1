//===- Order.cpp - sorting ----------------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines of elements in order, and where each stood.
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

namespace tensortidy {

using detail::allocate;
using detail::Ar;
using detail::call;
using detail::dimOf;
using detail::impl;
using detail::restrided;
using detail::Shape;

namespace {

/// An element as a number of the same order, and where it stands.
template <class Key> struct Item {
  Key Value, At;
  friend bool operator<(const Item &A, const Item &B) {
    return A.Value != B.Value ? A.Value < B.Value : A.At < B.At;
  }
};
template <class Key> using Items = std::vector<Item<Key>>;

/// A NaN is larger than every number, and zeros are equal.
template <class Key, class E> Key keyOf(E V) {
  if constexpr (std::is_same_v<E, bool>) {
    return V;
  } else if constexpr (std::is_integral_v<E>) {
    constexpr Key Least = static_cast<Key>(std::numeric_limits<E>::min());
    return static_cast<Key>(V) - Least;
  } else {
    using Bits = std::conditional_t<sizeof(E) == 8, uint64_t, uint32_t>;
    constexpr Bits Sign = Bits(1) << (8 * sizeof(E) - 1);
    V += E(0); // -0 becomes 0
    Bits B;
    std::memcpy(&B, &V, sizeof B);
    return V != V ? ~Bits(0) : B & Sign ? ~B : B | Sign;
  }
}

/// By one byte of the values after the other, the last of so many first; \p
/// Room is as large.
template <size_t Digits, class Key>
void sortItems(Items<Key> &All, Items<Key> &Room) {
  constexpr size_t Few = 8 + 8 * Digits;
  if (All.size() < Few) {
    std::sort(All.begin(), All.end());
    return;
  }
  auto Digit = [](const Item<Key> &I, size_t D) {
    return static_cast<uint8_t>(I.Value >> 8 * D);
  };
  size_t Counts[Digits][256] = {};
  for (const Item<Key> &I : All)
    for (size_t D = 0; D < Digits; ++D)
      ++Counts[D][Digit(I, D)];
  for (size_t D = 0; D < Digits; ++D) {
    if (Counts[D][Digit(All[0], D)] == All.size())
      continue;
    size_t Begin = 0;
    for (size_t &Count : Counts[D])
      Count = std::exchange(Begin, Begin + Count);
    for (const Item<Key> &I : All)
      Room[Counts[D][Digit(I, D)]++] = I;
    All.swap(Room);
  }
}

/// Whether the first \p Count of \p N are found without the others' order; the
/// one that is asked for is then the first of equal ones.
bool isPartial(int64_t Count, int64_t N) { return Count * 64 <= N; }
/// The first \p Count come first. Which of equal ones, and in what order, is
/// what the standard library makes of it, as in libtorch.
template <class Key>
void firstItems(Items<Key> &All, int64_t Count, bool Sorted) {
  auto Less = [](const Item<Key> &A, const Item<Key> &B) {
    return A.Value < B.Value;
  };
  if (isPartial(Count, static_cast<int64_t>(All.size()))) {
    std::partial_sort(All.begin(), All.begin() + Count, All.end(), Less);
    return;
  }
  std::nth_element(All.begin(), All.begin() + Count - 1, All.end(), Less);
  if (Sorted)
    std::sort(All.begin(), All.begin() + Count - 1, Less);
}
/// Where the first of the least of \p N keys stands; whether no other is as
/// small, and so the order of equal ones does not matter.
template <class F> bool firstOf(F KeyAt, int64_t N, int64_t &Place) {
  auto Least = KeyAt(0);
  bool IsOnly = true;
  for (int64_t J = 1; J < N; ++J) {
    const auto Key = KeyAt(J);
    if (Key > Least)
      continue;
    IsOnly = Key != Least;
    if (IsOnly) {
      Least = Key;
      Place = J;
    }
  }
  return IsOnly;
}
/// Whether equal ones stay in order, or topk() asks.
enum class Order : uint8_t { Stable, Top, TopUnsorted };

/// The first \p Count elements of each line of \p X along \p D in order, and
/// where they stood, in tensors of the layout \p L.
std::tuple<Tensor, Tensor> ordered(const Tensor &X, size_t D, int64_t Count,
                                   bool Descending, const Shape &L, Order How,
                                   const char *Op, Site Here) {
  Tensor Values = allocate(L, X.scalar_type(), Op, Here);
  Tensor Indices = allocate(L, kLong, Op, Here);
  Shape From = impl(X).L, To = L;
  const int64_t N = From.Sizes[D], Stride = From.Strides[D],
                ToStride = To.Strides[D];
  From.Sizes[D] = To.Sizes[D] = N && Count ? 1 : 0;
  const Tensor Source = restrided(X, From), V = restrided(Values, To),
               I = restrided(Indices, To);
  detail::Walk W(To.Sizes);
  W.add(V);
  W.add(I);
  W.add(Source);
  if (N == 1 && Count == 1) {
    Values.copy_(X, false, Site::none());
    Indices.zero_();
    return {Values, Indices};
  }
  auto Run = [&](auto T, auto Zero) {
    using E = typename decltype(T)::type;
    using Key = decltype(Zero);
    constexpr size_t Digits = std::is_integral_v<E> ? sizeof(E) : sizeof(Key);
    const auto Size = static_cast<size_t>(N);
    const bool IsOne = Count == 1 && How != Order::Stable,
               IsFirst = isPartial(Count, N);
    Items<Key> All(Size), Room(How == Order::Stable ? Size : 0);
    W.run([&](char **P, const int64_t *Step, int64_t Lines) {
      for (int64_t K = 0; K < Lines; ++K) {
        auto *Out = reinterpret_cast<E *>(P[0] + K * Step[0]);
        auto *At = reinterpret_cast<int64_t *>(P[1] + K * Step[1]);
        const auto *In = reinterpret_cast<const E *>(P[2] + K * Step[2]);
        const Key Flip = Descending ? ~Key(0) : Key(0);
        auto KeyAt = [&](int64_t J) {
          return keyOf<Key>(detail::load(In[J * Stride])) ^ Flip;
        };
        if (IsOne) {
          int64_t Place = 0;
          if (firstOf(KeyAt, N, Place) || IsFirst) {
            *Out = In[Place * Stride];
            *At = Place;
            continue;
          }
        }
        for (int64_t J = 0; J < N; ++J)
          All[static_cast<size_t>(J)] = {KeyAt(J), static_cast<Key>(J)};
        if (How == Order::Stable)
          sortItems<Digits>(All, Room);
        else
          firstItems(All, Count, How == Order::Top);
        for (int64_t J = 0; J < Count; ++J) {
          const auto Place =
              static_cast<int64_t>(All[static_cast<size_t>(J)].At);
          Out[J * ToStride] = In[Place * Stride];
          At[J * ToStride] = Place;
        }
      }
    });
  };
  detail::dispatch(X.scalar_type(), [&](auto T) {
    if (sizeof(detail::Compute<typename decltype(T)::type>) == 8 ||
        N > std::numeric_limits<uint32_t>::max())
      Run(T, uint64_t());
    else
      Run(T, uint32_t());
  });
  return {Values, Indices};
}

} // namespace

std::tuple<Tensor, Tensor> Tensor::sort(int64_t dim, bool descending,
                                        Site Here) const {
  detail::reads(*this, "sort", Here);
  const size_t D = dimOf(*this, dim, "sort", Here);
  if (this->dim() == 0)
    return {clone(nullopt, Here), zeros({}, kLong, Here)};
  const Shape L = *layout::preservedCopy(Ar, impl(*this).L);
  return ordered(*this, D, L.Sizes[D], descending, L, Order::Stable, "sort",
                 Here);
}
std::tuple<Tensor, Tensor> Tensor::topk(int64_t k, int64_t dim, bool largest,
                                        bool sorted, Site Here) const {
  const auto D = static_cast<int64_t>(dimOf(*this, dim, "topk", Here));
  const int64_t Size = this->dim() ? size(D) : 1;
  if (this->dim() > 0 || detail::has(detail::Change::TopkRefusesBool))
    detail::requireNotBool(*this, "topk", Here);
  if (k < 0 || k > Size)
    detail::fail(call("topk", k, dim) + ": k is out of range for size " +
                     std::to_string(Size),
                 *this, Here);
  detail::reads(*this, "topk", Here);
  if (this->dim() == 0)
    return sort(dim, largest, Here);
  detail::Dims Sizes = impl(*this).L.Sizes;
  Sizes[static_cast<size_t>(D)] = k;
  return ordered(*this, static_cast<size_t>(D), k, largest,
                 layout::denseLayout(Ar, Sizes),
                 sorted ? Order::Top : Order::TopUnsorted, "topk", Here);
}
Tensor Tensor::argsort(int64_t dim, bool descending, Site Here) const {
  return std::get<1>(sort(dim, descending, Here));
}

} // namespace tensortidy
