//===- Ggml.h - ggml's dimensions on Layout -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ggml tensor has four dimensions, ne[0] the innermost, and byte strides nb.
// Here it is a Layout of rank 4: dimension i of ggml is dimension 3-i of the
// layout, and strides count elements, nb[i] / type_size:
//
//   ne = {D, T}      Sizes   [1, 1, T, D]
//   nb = {4, 4*D}    Strides [T*D, T*D, D, 1]
//
// So ggml_is_contiguous is isContiguous, but for tensors without elements,
// which ggml treats like any other: an empty dimension makes the strides above
// it 0. What only ggml has stands here: destination-order permute, views with
// strides of their own, and the weaker demands of its operations on their
// operands (Packing).
//
// Elements of quantised types come in blocks; a stride inside a row means
// nothing there, and the strides above count in fractions of a block.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_GGML_H
#define TENSORTIDY_LAYOUT_GGML_H

#include "Layout/Contiguity.h"

namespace tensortidy::layout::ggml {

constexpr size_t Rank = 4;

/// ggml's dimension \p I in the layout.
constexpr size_t at(size_t I) { return Rank - 1 - I; }

/// Up to four sizes in ggml's order, the rest 1.
template <class A>
Layout<typename A::Int> packed(const A &Ar, const Dims<typename A::Int> &Ne) {
  Layout<typename A::Int> L;
  L.Sizes = L.Strides = Dims<typename A::Int>(Rank, Ar.constant(1));
  L.Offset = Ar.constant(0);
  auto Z = Ar.constant(1);
  for (size_t I = 0; I < Rank; ++I) {
    if (I < Ne.size())
      L.Sizes[at(I)] = Ne[I];
    L.Strides[at(I)] = Z;
    Z = Ar.mul(Z, L.Sizes[at(I)]);
  }
  return L;
}

/// The sizes in ggml's order.
template <class A>
Dims<typename A::Int> sizes(const A &Ar, const Layout<typename A::Int> &L) {
  Dims<typename A::Int> Ne(Rank, Ar.constant(1));
  for (size_t I = 0; I < Rank; ++I)
    Ne[I] = L.Sizes[at(I)];
  return Ne;
}

/// ggml_permute: dimension I goes to Axis[I] (the inverse of torch's order).
template <class A>
LayoutOutcome<A> permute(const A &Ar, const Layout<typename A::Int> &L,
                         const std::vector<int64_t> &Axis) {
  auto Out = L;
  unsigned Seen = 0;
  for (size_t I = 0; I < Rank; ++I) {
    if (I >= Axis.size() || Axis[I] < 0 || Axis[I] >= int64_t(Rank))
      return refuse<A>(Rule::DimOutOfRange,
                       {Ar.constant(I < Axis.size() ? Axis[I] : -1),
                        Ar.constant(0), Ar.constant(int64_t(Rank) - 1)});
    const auto To = static_cast<size_t>(Axis[I]);
    if (Seen & (1u << To))
      return refuse<A>(Rule::PermuteRepeat, {Ar.constant(Axis[I])});
    Seen |= 1u << To;
    Out.Sizes[at(To)] = L.Sizes[at(I)];
    Out.Strides[at(To)] = L.Strides[at(I)];
  }
  return Out;
}

/// ggml_view_1d .. 4d: sizes \p Ne; strides \p Nb in elements from dimension 1
/// on. The innermost stride is one element whatever \p L has, and dimensions
/// that are not named follow the last one that is.
template <class A>
Layout<typename A::Int> view(const A &Ar, const Layout<typename A::Int> &L,
                             const Dims<typename A::Int> &Ne,
                             const Dims<typename A::Int> &Nb,
                             const typename A::Int &Offset) {
  Layout<typename A::Int> Out = packed(Ar, Ne);
  for (size_t I = 1; I < Rank; ++I)
    Out.Strides[at(I)] =
        I <= Nb.size() ? Nb[I - 1]
                       : Ar.mul(Out.Strides[at(I - 1)], Out.Sizes[at(I - 1)]);
  Out.Offset = Ar.add(L.Offset, Offset);
  return Out;
}

/// What an operation asks of an operand.
enum class Packing : unsigned char {
  Contiguous,    ///< ggml_is_contiguous
  Contiguous1,   ///< _1: rows are dense, dimension 1 may have any stride
  Rows,          ///< ggml_is_contiguous_rows: the innermost stride is 1
  Padded,        ///< ggml_is_padded_1d: rows dense, 2 and 3 packed over 1
  NotTransposed, ///< nb[0] <= nb[1], whatever the sizes
};

/// Whether \p L is packed so. The walk of ggml_is_contiguous_n restarts above
/// a dimension that may have any stride, even where its size is 1.
template <class A>
Answer<typename A::Int> isPacked(const A &Ar, const Layout<typename A::Int> &L,
                                 Packing P) {
  using Ans = Answer<typename A::Int>;
  const auto One = Ar.constant(1);
  if (P == Packing::Contiguous)
    return detail::packedAlong(Ar, L,
                               [&](size_t I) { return at(L.rank() - 1 - I); });
  if (P == Packing::NotTransposed) {
    const auto &Inner = L.Strides[at(0)], &Outer = L.Strides[at(1)];
    if (Ar.lt(Outer, Inner) != Truth::Unknown)
      return Ans(!Ar.lt(Outer, Inner));
    Ans Same = Ar.eq(Inner, Outer);
    return Same.no() && Ar.lt(Inner, Outer) == Truth::No ? Same : Ans();
  }
  // One dimension: its stride, where its size makes that matter.
  auto Dim = [&](size_t I, const typename A::Int &Want, bool OneIsFree) {
    Ans Same = Ar.eq(L.Strides[at(I)], Want);
    if (Same.yes() || !OneIsFree)
      return Same;
    Ans IsOne = Ar.eq(L.Sizes[at(I)], One);
    if (IsOne.yes())
      return Ans(Truth::Yes);
    if (!Same.no() || !IsOne.no())
      return Ans(Truth::Unknown);
    for (auto &U : IsOne.UnlessOne)
      Same.UnlessOne.push_back(U);
    return Same;
  };
  Ans R = Dim(0, One, P != Packing::Padded);
  if (P == Packing::Rows)
    return R;
  auto Z = L.Strides[at(1)];
  for (size_t I = 2; I < Rank; ++I) {
    Z = Ar.mul(Z, L.Sizes[at(I - 1)]);
    Ans More = Dim(I, Z, P != Packing::Padded);
    if (!R.no() && !More.yes())
      R = More;
  }
  return R;
}

} // namespace tensortidy::layout::ggml

#endif
