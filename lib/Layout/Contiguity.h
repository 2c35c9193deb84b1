//===- Contiguity.h - memory formats and density -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which strides a format has, and whether a layout has them. The rules are
// listed in docs/semantics.md.
//
//   [2,3,4,5]  contiguous      strides [60, 20, 5, 1]
//              channels-last   strides [60, 1, 15, 3]   (C is innermost)
//
// Strides of size-1 dimensions mean nothing, and an empty tensor is contiguous
// whatever its strides (but not channels-last: that rule has no exception).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_CONTIGUITY_H
#define TENSORTIDY_LAYOUT_CONTIGUITY_H

#include "Layout/Fault.h"
#include "Layout/Layout.h"
#include <algorithm>

namespace tensortidy::layout {

/// Row-major strides.
template <class A>
Dims<typename A::Int> denseStrides(const A &Ar,
                                   const Dims<typename A::Int> &Sizes) {
  Dims<typename A::Int> T(Sizes.size(), Ar.constant(1));
  for (size_t D = Sizes.size(); D-- > 1;)
    T[D - 1] = Ar.mul(T[D], Ar.atLeastOne(Sizes[D]));
  return T;
}

template <class A>
Layout<typename A::Int> denseLayout(const A &Ar, Dims<typename A::Int> Sizes) {
  Layout<typename A::Int> L;
  L.Strides = denseStrides(Ar, Sizes);
  L.Sizes = std::move(Sizes);
  L.Offset = Ar.constant(0);
  return L;
}

namespace detail {
/// The dimensions of a channels-last format from the innermost outwards; null
/// when \p F is not such a format.
inline const size_t *channelsLastOrder(MemoryFormat F, size_t &Rank) {
  static constexpr size_t D2[] = {1, 3, 2, 0};
  static constexpr size_t D3[] = {1, 4, 3, 2, 0};
  if (F == MemoryFormat::ChannelsLast)
    return Rank = 4, D2;
  if (F == MemoryFormat::ChannelsLast3d)
    return Rank = 5, D3;
  return nullptr;
}
} // namespace detail

/// The strides of \p Sizes in format \p F (not Preserve).
template <class A>
Outcome<A, Dims<typename A::Int>>
formatStrides(const A &Ar, const Dims<typename A::Int> &Sizes, MemoryFormat F) {
  size_t Rank = 0;
  const size_t *Order = detail::channelsLastOrder(F, Rank);
  if (!Order)
    return denseStrides(Ar, Sizes);
  if (Sizes.size() != Rank)
    return refuse<A>(Rule::FormatRank,
                     {Ar.constant(static_cast<int64_t>(Rank)),
                      Ar.constant(static_cast<int64_t>(Sizes.size()))});
  Dims<typename A::Int> T(Rank, Ar.constant(1));
  auto Z = Ar.constant(1);
  for (size_t I = 0; I < Rank; ++I) {
    T[Order[I]] = Z; // not clamped: T2
    Z = Ar.mul(Z, broken(Fault::ChannelsLastClamps)
                      ? Ar.atLeastOne(Sizes[Order[I]])
                      : Sizes[Order[I]]);
  }
  return T;
}

/// Whether some size is 0.
template <class A>
Truth isEmpty(const A &Ar, const Dims<typename A::Int> &Sizes) {
  Truth R = Truth::No;
  for (const auto &S : Sizes)
    R = R || Ar.eq(S, Ar.constant(0)).T;
  return R;
}

namespace detail {
/// Whether a dimension has one element, of a tensor that has some: what is not
/// known of its size is "no, unless it is 1".
template <class A>
Answer<typename A::Int> isOne(const A &Ar, const typename A::Int &Size) {
  auto R = Ar.eq(Size, Ar.constant(1));
  if (R.unknown()) {
    R.T = Truth::No;
    R.UnlessOne.push_back(Size);
  }
  return R;
}

/// Walks dimensions innermost first, as Order gives them for the last position
/// to the first, and demands packed strides of all that are not 1.
template <class A, class OrderFn>
Answer<typename A::Int>
packedAlong(const A &Ar, const Layout<typename A::Int> &L, OrderFn Order) {
  using Int = typename A::Int;
  Answer<Int> R(Truth::Yes);
  auto Z = Ar.constant(1);
  bool Open = false;
  // Asked once for where they are: the runtime asks this of every tensor.
  const auto *Sizes = L.Sizes.data();
  const auto *Strides = L.Strides.data();
  for (size_t I = L.rank(); I-- > 0;) {
    size_t D = Order(I);
    Answer<Int> IsOne = isOne(Ar, Sizes[D]);
    if (IsOne.yes())
      continue;
    Answer<Int> Same = Ar.eq(Strides[D], Z);
    if (Same.no() && IsOne.no()) {
      // One wrong stride settles it; its conditions are the answer's.
      for (auto &U : IsOne.UnlessOne)
        Same.UnlessOne.push_back(U);
      return Same;
    }
    if (!Same.yes())
      Open = true;
    Z = Ar.mul(Z, Sizes[D]);
  }
  return Open ? Answer<Int>(Truth::Unknown) : R;
}
} // namespace detail

/// isContiguous() of a layout that is known to have elements.
template <class A>
Answer<typename A::Int> isPacked(const A &Ar,
                                 const Layout<typename A::Int> &L) {
  return detail::packedAlong(Ar, L, [](size_t I) { return I; });
}

/// is_contiguous(F).
template <class A>
Answer<typename A::Int>
isContiguous(const A &Ar, const Layout<typename A::Int> &L,
             MemoryFormat F = MemoryFormat::Contiguous) {
  size_t Rank = 0;
  if (const size_t *Order = detail::channelsLastOrder(F, Rank)) {
    if (L.rank() != Rank)
      return Truth::No;
    if (broken(Fault::EmptyIsChannelsLast) &&
        isEmpty(Ar, L.Sizes) == Truth::Yes)
      return Truth::Yes;
    return detail::packedAlong(Ar, L,
                               [&](size_t I) { return Order[Rank - 1 - I]; });
  }
  auto Is = isPacked(Ar, L);
  if (!Is.yes() && isEmpty(Ar, L.Sizes) == Truth::Yes)
    return Truth::Yes;
  return Is;
}

/// Every element of the spanned memory belongs to exactly one index.
template <class A>
Answer<typename A::Int>
isNonOverlappingAndDense(const A &Ar, const Layout<typename A::Int> &L) {
  using Int = typename A::Int;
  if (isContiguous(Ar, L).yes() ||
      (L.rank() == 4 &&
       isContiguous(Ar, L, MemoryFormat::ChannelsLast).yes()) ||
      (L.rank() == 5 &&
       isContiguous(Ar, L, MemoryFormat::ChannelsLast3d).yes()))
    return Truth::Yes;
  // Peel the dimension whose stride is the running product until none is left:
  // a chain 1, s1, s1*s2 ... in any order.
  std::vector<size_t> Rest;
  for (size_t D = 0; D < L.rank(); ++D)
    if (Ar.lt(L.Sizes[D], Ar.constant(2)) != Truth::Yes)
      Rest.push_back(D);
  auto Z = Ar.constant(1);
  while (!Rest.empty()) {
    bool Found = false, Open = false;
    Conditions<Int> UnlessOne;
    for (size_t I = 0; I < Rest.size() && !Found; ++I) {
      const Answer<Int> Same = Ar.eq(L.Strides[Rest[I]], Z);
      Open = Open || Same.unknown();
      for (const auto &U : Same.UnlessOne)
        UnlessOne.push_back(U);
      if (Same.yes()) {
        Z = Ar.mul(Z, L.Sizes[Rest[I]]);
        Rest.erase(Rest.begin() + static_cast<long>(I));
        Found = true;
      }
    }
    if (Found)
      continue;
    if (Open)
      return Truth::Unknown;
    // A dimension of one element has any stride.
    for (const size_t D : Rest)
      if (!Ar.known(L.Sizes[D]))
        UnlessOne.push_back(L.Sizes[D]);
    return Answer<Int>(Truth::No, std::move(UnlessOne));
  }
  return Truth::Yes;
}

/// What suggest_memory_format() looks at: the order of the strides only.
template <class A>
Truth isStridesLike(const A &Ar, const Layout<typename A::Int> &L,
                    MemoryFormat F) {
  size_t Rank = 0;
  const size_t *Order = detail::channelsLastOrder(F, Rank);
  if (!Order || L.rank() != Rank)
    return Truth::No;
  const auto Zero = Ar.constant(0);
  Truth R = !Ar.eq(L.Strides[1], Zero).T;
  auto M = Zero;
  for (size_t I = 0; I < Rank && R != Truth::No; ++I) {
    size_t D = Order[I];
    R = R && !Ar.eq(L.Sizes[D], Zero).T && !Ar.lt(L.Strides[D], M);
    if (D == 0) // N111: rejects the ambiguous layout
      R = R && !Ar.eq(M, L.Strides[1]).T;
    M = Ar.mul(L.Strides[D], Ar.atLeastOne(L.Sizes[D]));
  }
  return R;
}

/// suggest_memory_format(), or nothing when it cannot be decided.
template <class A>
std::optional<MemoryFormat>
suggestMemoryFormat(const A &Ar, const Layout<typename A::Int> &L) {
  for (MemoryFormat F :
       {MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d}) {
    Truth T = isStridesLike(Ar, L, F);
    if (T == Truth::Yes)
      return F;
    if (T == Truth::Unknown)
      return std::nullopt;
  }
  return MemoryFormat::Contiguous;
}

/// The order element-wise results are laid out in: libtorch's insertion sort of
/// \p Perm by \p Compare, which gives 0 for dimensions that may stay as they
/// are. False when a comparison was left \p Open.
template <class List, class Fn>
bool sortDims(List &Perm, const Fn &Compare, const bool &Open) {
  for (size_t I = 1; I < Perm.size(); ++I) {
    size_t Moving = I;
    for (size_t J = I; J-- > 0;) {
      const int C = Compare(Perm[J], Perm[Moving]);
      if (Open)
        return false;
      if (C > 0) {
        std::swap(Perm[J], Perm[Moving]);
        Moving = J;
      } else if (C < 0) {
        break;
      }
    }
  }
  return true;
}

/// The strides a preserving copy gets (clone, empty_like, to).
template <class A>
Outcome<A, Dims<typename A::Int>>
preserveStrides(const A &Ar, const Layout<typename A::Int> &L) {
  using Out = Outcome<A, Dims<typename A::Int>>;
  const Truth Dense = isNonOverlappingAndDense(Ar, L).T;
  if (Dense == Truth::Yes)
    return Out(L.Strides);
  if (Dense == Truth::Unknown)
    return Out::unknown();
  if (L.rank() == 1)
    return Out(Dims<typename A::Int>(1, Ar.constant(1)));
  // Stable insertion sort, ascending by stride, from the last dimension; a 0
  // stride compares equal with everything; equal strides: smaller size first.
  std::vector<size_t> Perm;
  for (size_t D = L.rank(); D-- > 0;)
    Perm.push_back(D);
  bool Open = false;
  auto Compare = [&](size_t X, size_t Y) -> int {
    const auto Zero = Ar.constant(0);
    Truth ZX = Ar.eq(L.Strides[X], Zero).T, ZY = Ar.eq(L.Strides[Y], Zero).T;
    if (ZX == Truth::Unknown || ZY == Truth::Unknown)
      Open = true;
    if (ZX == Truth::Yes || ZY == Truth::Yes)
      return 0;
    Truth Less = Ar.lt(L.Strides[X], L.Strides[Y]);
    if (Less == Truth::Yes)
      return -1;
    Truth More = Ar.lt(L.Strides[Y], L.Strides[X]);
    if (More == Truth::Yes)
      return 1;
    if (Less != More) // known up to equality, which only a size of 1 allows
      return More == Truth::No ? -1 : 1;
    if (Less == Truth::Unknown)
      Open = true;
    Truth Bigger = Ar.lt(L.Sizes[Y], L.Sizes[X]);
    if (Bigger == Truth::Unknown)
      Open = true;
    return Bigger == Truth::Yes ? 1 : 0;
  };
  if (!sortDims(Perm, Compare, Open))
    return Out::unknown();
  Dims<typename A::Int> T(L.rank(), Ar.constant(1));
  auto Z = Ar.constant(1);
  for (size_t D : Perm) {
    T[D] = Z;
    Z = Ar.mul(Z, Ar.atLeastOne(L.Sizes[D]));
  }
  return Out(std::move(T));
}

/// Elements of storage the layout needs: offset + 1 + sum (S-1)*T, or 0.
/// Where that overflows, the largest number.
template <class A>
typename A::Int storageSpan(const A &Ar, const Layout<typename A::Int> &L) {
  if constexpr (std::is_same_v<A, Concrete>)
    return storageSpan(Saturating(), L);
  auto Last = Ar.add(L.Offset, Ar.constant(1));
  for (size_t D = 0; D < L.rank(); ++D) {
    if (Ar.eq(L.Sizes[D], Ar.constant(0)).yes())
      return Ar.constant(0);
    Last =
        Ar.add(Last, Ar.mul(Ar.sub(L.Sizes[D], Ar.constant(1)), L.Strides[D]));
  }
  return Last;
}

} // namespace tensortidy::layout

#endif
