//===- Views.h - operations that only change metadata -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// permute, transpose, select, slice, expand ... : the result shares storage
// with its operand. The rules are listed in docs/semantics.md.
//
//   x [2,3,4] strides [12,4,1]
//   x.select(1, 2)    [2,4]  strides [12,1]  offset 8
//   x.slice(2,0,4,2)  [2,3,2] strides [12,4,2]
//
// Dimensions are plain integers that may be negative; sizes, starts and
// lengths are the arithmetic's integers.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_VIEWS_H
#define TENSORTIDY_LAYOUT_VIEWS_H

#include "Layout/Contiguity.h"

namespace tensortidy::layout {

template <class A, class Ints>
LayoutOutcome<A> permute(const A &Ar, const Layout<typename A::Int> &L,
                         const Ints &P) {
  if (P.size() != L.rank())
    return refuse<A>(Rule::PermuteLength,
                     {Ar.constant(static_cast<int64_t>(L.rank())),
                      Ar.constant(static_cast<int64_t>(P.size()))});
  Layout<typename A::Int> R;
  R.Offset = L.Offset;
  uint64_t Seen = 0;
  for (int64_t Dim : P) {
    auto D = wrapDim(Ar, Dim, L.rank());
    if (!D.ok())
      return std::move(D).template as<Layout<typename A::Int>>();
    if (Seen >> *D & 1)
      return refuse<A>(Rule::PermuteRepeat, {Ar.constant(Dim)});
    Seen |= uint64_t(1) << *D;
    R.Sizes.push_back(L.Sizes[*D]);
    R.Strides.push_back(L.Strides[*D]);
  }
  return R;
}

/// Sizes packed in the order \p Order of dimensions, outermost first, as
/// empty_permuted() makes them (libtorch 2.1): permute(Order) of the result is
/// contiguous.
///   [2, 3, 4] in order {0, 2, 1}   ->   strides [12, 1, 3]
template <class A, class Ints>
LayoutOutcome<A> packedInOrder(const A &Ar, const Dims<typename A::Int> &Sizes,
                               const Ints &Order) {
  Layout<typename A::Int> Given;
  Given.Sizes = Given.Strides = Sizes;
  Given.Offset = Ar.constant(0);
  auto Memory = permute(Ar, Given, Order);
  if (!Memory.ok())
    return Memory;
  const auto Dense = denseLayout(Ar, Memory->Sizes);
  for (size_t I = 0; I < Order.size(); ++I)
    Given.Strides[*wrapDim(Ar, Order[I], Sizes.size())] = Dense.Strides[I];
  return Given;
}

template <class A>
LayoutOutcome<A> transpose(const A &Ar, const Layout<typename A::Int> &L,
                           int64_t Dim0, int64_t Dim1) {
  auto D0 = wrapDim(Ar, Dim0, L.rank()), D1 = wrapDim(Ar, Dim1, L.rank());
  if (!D0.ok())
    return std::move(D0).template as<Layout<typename A::Int>>();
  if (!D1.ok())
    return std::move(D1).template as<Layout<typename A::Int>>();
  auto R = L;
  if (*D0 != *D1) {
    std::swap(R.Sizes[*D0], R.Sizes[*D1]);
    std::swap(R.Strides[*D0], R.Strides[*D1]);
  }
  return R;
}

/// t(): rank 0 and 1 unchanged, rank 2 transposed.
template <class A>
LayoutOutcome<A> t(const A &Ar, const Layout<typename A::Int> &L) {
  if (L.rank() > 2)
    return refuse<A>(Rule::TRank,
                     {Ar.constant(static_cast<int64_t>(L.rank()))});
  return L.rank() < 2 ? LayoutOutcome<A>(L) : transpose(Ar, L, 0, 1);
}

/// mT: the last two dimensions swapped.
template <class A>
LayoutOutcome<A> mT(const A &Ar, const Layout<typename A::Int> &L) {
  if (L.rank() == 0)
    return L;
  if (L.rank() == 1)
    return refuse<A>(Rule::MTRank, {Ar.constant(1)});
  return transpose(Ar, L, -2, -1);
}

/// numpy_T: all dimensions reversed.
template <class A>
LayoutOutcome<A> reverseDims(const A &, const Layout<typename A::Int> &L) {
  auto R = L;
  std::reverse(R.Sizes.begin(), R.Sizes.end());
  std::reverse(R.Strides.begin(), R.Strides.end());
  return R;
}

template <class A, class Ints>
LayoutOutcome<A> movedim(const A &Ar, const Layout<typename A::Int> &L,
                         const Ints &Source, const Ints &Destination) {
  using Out = LayoutOutcome<A>;
  if (Source.size() != Destination.size())
    return refuse<A>(Rule::MoveDimLength,
                     {Ar.constant(static_cast<int64_t>(Source.size())),
                      Ar.constant(static_cast<int64_t>(Destination.size()))});
  std::vector<int64_t> Order(L.rank(), -1);
  std::vector<bool> Taken(L.rank(), false);
  for (size_t I = 0; I < Source.size(); ++I) {
    auto S = wrapDim(Ar, Source[I], L.rank());
    auto D = wrapDim(Ar, Destination[I], L.rank());
    if (!S.ok())
      return std::move(S).template as<Layout<typename A::Int>>();
    if (!D.ok())
      return std::move(D).template as<Layout<typename A::Int>>();
    if (L.rank() == 0)
      return Out(L);
    if (Taken[*S] || Order[*D] >= 0)
      return refuse<A>(Rule::MoveDimRepeat, {Ar.constant(Source[I])});
    Taken[*S] = true;
    Order[*D] = static_cast<int64_t>(*S);
  }
  size_t Next = 0;
  for (auto &O : Order)
    if (O < 0) {
      while (Taken[Next])
        ++Next;
      O = static_cast<int64_t>(Next++);
    }
  return permute(Ar, L, Order);
}

template <class A>
LayoutOutcome<A> unsqueeze(const A &Ar, const Layout<typename A::Int> &L,
                           int64_t Dim) {
  auto D = wrapDim(Ar, Dim, L.rank() + 1);
  if (!D.ok())
    return std::move(D).template as<Layout<typename A::Int>>();
  auto R = L;
  auto Stride =
      *D < L.rank() ? Ar.mul(L.Sizes[*D], L.Strides[*D]) : Ar.constant(1);
  R.Sizes.insert(R.Sizes.begin() + static_cast<long>(*D), Ar.constant(1));
  R.Strides.insert(R.Strides.begin() + static_cast<long>(*D), Stride);
  return R;
}

/// squeeze(): unknown when some size may or may not be 1.
template <class A>
LayoutOutcome<A> squeeze(const A &Ar, const Layout<typename A::Int> &L) {
  Layout<typename A::Int> R;
  R.Offset = L.Offset;
  for (size_t D = 0; D < L.rank(); ++D) {
    auto IsOne = Ar.eq(L.Sizes[D], Ar.constant(1));
    if (IsOne.unknown() || !IsOne.UnlessOne.empty())
      return LayoutOutcome<A>::unknown();
    if (IsOne.yes())
      continue;
    R.Sizes.push_back(L.Sizes[D]);
    R.Strides.push_back(L.Strides[D]);
  }
  return R;
}

template <class A>
LayoutOutcome<A> squeeze(const A &Ar, const Layout<typename A::Int> &L,
                         int64_t Dim) {
  auto D = wrapDim(Ar, Dim, L.rank());
  if (!D.ok())
    return std::move(D).template as<Layout<typename A::Int>>();
  if (L.rank() == 0)
    return L;
  auto IsOne = Ar.eq(L.Sizes[*D], Ar.constant(1));
  if (IsOne.unknown() || !IsOne.UnlessOne.empty())
    return LayoutOutcome<A>::unknown();
  auto R = L;
  if (IsOne.yes()) {
    R.Sizes.erase(R.Sizes.begin() + static_cast<long>(*D));
    R.Strides.erase(R.Strides.begin() + static_cast<long>(*D));
  }
  return R;
}

template <class A>
LayoutOutcome<A> select(const A &Ar, const Layout<typename A::Int> &L,
                        int64_t Dim, typename A::Int Index) {
  if (L.rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  auto D = wrapDim(Ar, Dim, L.rank());
  if (!D.ok())
    return std::move(D).template as<Layout<typename A::Int>>();
  const auto &Size = L.Sizes[*D];
  Truth Negative = Ar.lt(Index, Ar.constant(0));
  if ((Negative != Truth::No &&
       Ar.lt(Index, Ar.sub(Ar.constant(0), Size)) == Truth::Yes) ||
      Ar.lt(Index, Size) == Truth::No)
    return refuse<A>(Rule::SelectRange,
                     {Index, Size, Ar.constant(static_cast<int64_t>(*D))});
  auto R = L;
  if (Negative == Truth::Yes)
    Index = Ar.add(Index, Size);
  R.Offset = Ar.add(L.Offset, Ar.mul(Index, L.Strides[*D]));
  R.Sizes.erase(R.Sizes.begin() + static_cast<long>(*D));
  R.Strides.erase(R.Strides.begin() + static_cast<long>(*D));
  return R;
}

/// narrow(): start may be negative, the range must fit. \p AnyOfNothing: -1 is
/// a start of a dimension without elements, too (Change::NarrowOfNothing).
template <class A>
LayoutOutcome<A> narrow(const A &Ar, const Layout<typename A::Int> &L,
                        int64_t Dim, typename A::Int Start,
                        const typename A::Int &Length,
                        bool AnyOfNothing = true) {
  if (L.rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  auto D = wrapDim(Ar, Dim, L.rank());
  if (!D.ok())
    return std::move(D).template as<Layout<typename A::Int>>();
  const auto &Size = L.Sizes[*D];
  const auto Zero = Ar.constant(0);
  const auto Most = AnyOfNothing ? Ar.atLeastOne(Size) : Size;
  if (Ar.lt(Size, Start) == Truth::Yes ||
      Ar.lt(Start, Ar.sub(Zero, Most)) == Truth::Yes)
    return refuse<A>(Rule::NarrowStart, {Start, Size});
  if (Ar.eq(Size, Zero).yes())
    Start = Zero;
  if (Ar.lt(Start, Zero) == Truth::Yes)
    Start = Ar.add(Start, Size);
  if (Ar.lt(Length, Zero) == Truth::Yes ||
      Ar.lt(Size, Ar.add(Start, Length)) == Truth::Yes)
    return refuse<A>(Rule::NarrowRange, {Start, Length, Size});
  auto R = L;
  R.Sizes[*D] = Ar.asSize(Length);
  R.Offset = Ar.add(L.Offset, Ar.mul(Start, L.Strides[*D]));
  return R;
}

/// slice(): start and end wrap and clamp, so it never leaves the range. No
/// `End` means to the end.
template <class A>
LayoutOutcome<A> slice(const A &Ar, const Layout<typename A::Int> &L,
                       int64_t Dim, typename A::Int Start,
                       const std::optional<typename A::Int> &End,
                       const typename A::Int &Step) {
  if (L.rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  auto D = wrapDim(Ar, Dim, L.rank());
  if (!D.ok())
    return std::move(D).template as<Layout<typename A::Int>>();
  const auto Zero = Ar.constant(0);
  if (Ar.lt(Zero, Step) == Truth::No)
    return refuse<A>(Rule::SliceStep, {Step});
  const auto Size = L.Sizes[*D];
  auto Clamp = [&](typename A::Int V) -> typename A::Int {
    // -k counts from the end: nobody takes the last 0 elements.
    if (Ar.lt(V, Zero) == Truth::Yes ||
        (!Ar.known(V) && Ar.lt(Zero, V) == Truth::No))
      V = Ar.add(V, Size);
    if (Ar.lt(V, Zero) == Truth::Yes)
      return Ar.constant(0);
    return Ar.min(V, Size);
  };
  auto B = Clamp(std::move(Start));
  auto E = End ? Clamp(*End) : Size;
  typename A::Int Len = Ar.lt(E, B) == Truth::Yes ? Zero : Ar.sub(E, B);
  auto R = L;
  R.Sizes[*D] = Ar.asSize(Ar.ceilDiv(Len, Step));
  if (!(broken(Fault::SliceOfOneKeepsStride) &&
        Ar.eq(R.Sizes[*D], Ar.constant(1)).yes()))
    R.Strides[*D] = Ar.mul(L.Strides[*D], Step);
  R.Offset = Ar.add(L.Offset, Ar.mul(B, L.Strides[*D]));
  return R;
}

/// expand(): -1 keeps a dimension; a size-1 dimension grows with stride 0.
template <class A>
LayoutOutcome<A> expand(const A &Ar, const Layout<typename A::Int> &L,
                        const Dims<typename A::Int> &Sizes) {
  if (Sizes.size() < L.rank())
    return refuse<A>(Rule::ExpandRank,
                     {Ar.constant(static_cast<int64_t>(Sizes.size())),
                      Ar.constant(static_cast<int64_t>(L.rank()))});
  const auto Zero = Ar.constant(0), One = Ar.constant(1);
  Layout<typename A::Int> R;
  R.Offset = L.Offset;
  R.Sizes = Sizes;
  R.Strides = Sizes;
  size_t Lead = Sizes.size() - L.rank();
  for (size_t I = Sizes.size(); I-- > 0;) {
    auto Want = Sizes[I];
    bool Keep = Ar.known(Want) && *Ar.known(Want) == -1;
    if (I < Lead) {
      if (Ar.lt(Want, Zero) == Truth::Yes)
        return refuse<A>(Rule::ExpandNegative,
                         {Want, Ar.constant(static_cast<int64_t>(I))});
      // A 0-dim source has only stride 0; otherwise a leading 1 gets the
      // stride a packed dimension would have.
      bool One1 = Ar.eq(Want, One).yes() &&
                  (L.rank() > 0 || broken(Fault::ExpandOfNumber));
      R.Strides[I] = One1 && I + 1 < Sizes.size()
                         ? Ar.mul(R.Sizes[I + 1], R.Strides[I + 1])
                     : broken(Fault::ExpandOfNumber) && One1 ? One
                                                             : Zero;
      continue;
    }
    const auto &Have = L.Sizes[I - Lead];
    const auto &Stride = L.Strides[I - Lead];
    if (Keep)
      Want = Have;
    else if (Ar.lt(Want, Zero) == Truth::Yes)
      return refuse<A>(Rule::ExpandNegative,
                       {Want, Ar.constant(static_cast<int64_t>(I))});
    auto Same = Ar.eq(Want, Have);
    auto HaveOne = Ar.eq(Have, One);
    R.Sizes[I] = Want;
    if (Same.yes())
      R.Strides[I] = Stride;
    else if (HaveOne.yes() && (Same.no() || Ar.known(Want)))
      R.Strides[I] = Zero;
    else if (HaveOne.yes())
      // Growing to an unknown size: stride 0, or a size-1 dimension whose
      // stride means nothing.
      R.Strides[I] = Zero;
    else if (HaveOne.no() && Same.no()) {
      auto Unless = std::move(Same.UnlessOne);
      Unless.insert(Unless.end(), HaveOne.UnlessOne.begin(),
                    HaveOne.UnlessOne.end());
      return LayoutOutcome<A>(
          refuse<A>(Rule::ExpandSize,
                    {Want, Have, Ar.constant(static_cast<int64_t>(I))}),
          std::move(Unless));
    } else
      return LayoutOutcome<A>::unknown();
  }
  return R;
}

template <class A>
LayoutOutcome<A> unfold(const A &Ar, const Layout<typename A::Int> &L,
                        int64_t Dim, const typename A::Int &Size,
                        const typename A::Int &Step) {
  auto D = wrapDim(Ar, Dim, L.rank());
  if (!D.ok())
    return std::move(D).template as<Layout<typename A::Int>>();
  const auto Zero = Ar.constant(0), One = Ar.constant(1);
  auto R = L;
  auto Have = L.rank() ? L.Sizes[*D] : One;
  auto Stride = L.rank() ? L.Strides[*D] : One;
  if (Ar.lt(Have, Size) == Truth::Yes || Ar.lt(Size, Zero) == Truth::Yes)
    return refuse<A>(Rule::UnfoldSize,
                     {Ar.constant(static_cast<int64_t>(*D)), Have, Size});
  if (Ar.lt(Zero, Step) == Truth::No)
    return refuse<A>(Rule::UnfoldStep, {Step});
  if (L.rank()) {
    R.Sizes[*D] = Ar.asSize(Ar.add(Ar.floorDiv(Ar.sub(Have, Size), Step), One));
    R.Strides[*D] = Ar.mul(Stride, Step);
  }
  R.Sizes.push_back(Size);
  R.Strides.push_back(Stride);
  return R;
}

template <class A>
LayoutOutcome<A> diagonal(const A &Ar, const Layout<typename A::Int> &L,
                          int64_t Off, int64_t Dim1, int64_t Dim2) {
  auto D1 = wrapDim(Ar, Dim1, L.rank()), D2 = wrapDim(Ar, Dim2, L.rank());
  if (!D1.ok())
    return std::move(D1).template as<Layout<typename A::Int>>();
  if (!D2.ok())
    return std::move(D2).template as<Layout<typename A::Int>>();
  if (*D1 == *D2)
    return refuse<A>(Rule::DiagonalSame, {Ar.constant(Dim1)});
  const auto Zero = Ar.constant(0);
  auto O = Ar.constant(Off);
  auto Len = Off >= 0 ? Ar.min(L.Sizes[*D1], Ar.sub(L.Sizes[*D2], O))
                      : Ar.min(Ar.add(L.Sizes[*D1], O), L.Sizes[*D2]);
  Len = Ar.max(Len, Zero);
  auto R = L;
  if (!Ar.eq(Len, Zero).yes())
    R.Offset = Off >= 0 ? Ar.add(L.Offset, Ar.mul(O, L.Strides[*D2]))
                        : Ar.sub(L.Offset, Ar.mul(O, L.Strides[*D1]));
  auto Stride = Ar.add(L.Strides[*D1], L.Strides[*D2]);
  size_t Hi = std::max(*D1, *D2), Lo = std::min(*D1, *D2);
  for (size_t D : {Hi, Lo}) {
    R.Sizes.erase(R.Sizes.begin() + static_cast<long>(D));
    R.Strides.erase(R.Strides.begin() + static_cast<long>(D));
  }
  R.Sizes.push_back(Len);
  R.Strides.push_back(Stride);
  return R;
}

/// as_strided(): relative to the storage, not to \p L; \p StorageElements
/// bounds it where known.
template <class A>
LayoutOutcome<A>
asStrided(const A &Ar, const Dims<typename A::Int> &Sizes,
          const Dims<typename A::Int> &Strides, typename A::Int Offset,
          std::optional<typename A::Int> StorageElements = std::nullopt) {
  if (Sizes.size() != Strides.size())
    return refuse<A>(Rule::StridedLength,
                     {Ar.constant(static_cast<int64_t>(Sizes.size())),
                      Ar.constant(static_cast<int64_t>(Strides.size()))});
  for (const auto &T : Strides)
    if (Ar.lt(T, Ar.constant(0)) == Truth::Yes)
      return refuse<A>(Rule::StridedNegative, {T});
  for (const auto &S : Sizes)
    if (Ar.lt(S, Ar.constant(0)) == Truth::Yes)
      return refuse<A>(Rule::ViewNegative, {S});
  if (Ar.lt(Offset, Ar.constant(0)) == Truth::Yes)
    return refuse<A>(Rule::NarrowStart,
                     {Offset, StorageElements.value_or(Ar.constant(0))});
  Layout<typename A::Int> R;
  R.Sizes = Sizes;
  R.Strides = Strides;
  R.Offset = std::move(Offset);
  if (StorageElements) {
    auto Need = storageSpan(Ar, R);
    if (Ar.lt(*StorageElements, Need) == Truth::Yes)
      return refuse<A>(Rule::StridedStorage, {Need, *StorageElements});
  }
  return R;
}

/// split(): pieces of \p Size along \p Dim, the last may be smaller. Unknown
/// unless the number of pieces is known.
template <class A>
Outcome<A, std::vector<Layout<typename A::Int>>>
split(const A &Ar, const Layout<typename A::Int> &L,
      const typename A::Int &Size, int64_t Dim) {
  using List = std::vector<Layout<typename A::Int>>;
  using Out = Outcome<A, List>;
  if (L.rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  auto D = wrapDim(Ar, Dim, L.rank());
  if (!D.ok())
    return std::move(D).template as<List>();
  const auto Zero = Ar.constant(0);
  const auto Have = L.Sizes[*D];
  if (Ar.lt(Size, Zero) == Truth::Yes ||
      (Ar.eq(Size, Zero).yes() && Ar.eq(Have, Zero).no()))
    return refuse<A>(Rule::SplitSize, {Size});
  auto Count = Ar.eq(Size, Zero).yes() || Ar.eq(Have, Zero).yes()
                   ? std::optional<int64_t>(1)
                   : Ar.known(Ar.ceilDiv(Have, Size));
  if (!Count || *Count > 4096)
    return Out::unknown();
  List R;
  for (int64_t I = 0; I < *Count; ++I) {
    auto Start = Ar.mul(Size, Ar.constant(I));
    auto Piece = slice(Ar, L, static_cast<int64_t>(*D), Start,
                       std::optional<typename A::Int>(Ar.add(Start, Size)),
                       Ar.constant(1));
    if (!Piece.ok())
      return std::move(Piece).template as<List>();
    R.push_back(*Piece);
  }
  return R;
}

/// split_with_sizes().
template <class A>
Outcome<A, std::vector<Layout<typename A::Int>>>
splitWithSizes(const A &Ar, const Layout<typename A::Int> &L,
               const Dims<typename A::Int> &Sizes, int64_t Dim) {
  using List = std::vector<Layout<typename A::Int>>;
  if (L.rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  auto D = wrapDim(Ar, Dim, L.rank());
  if (!D.ok())
    return std::move(D).template as<List>();
  auto Start = Ar.constant(0);
  List R;
  for (const auto &S : Sizes) {
    if (Ar.lt(S, Ar.constant(0)) == Truth::Yes)
      return refuse<A>(Rule::SplitSize, {S});
    auto Piece = L;
    Piece.Sizes[*D] = Ar.asSize(S);
    Piece.Offset = Ar.add(L.Offset, Ar.mul(Start, L.Strides[*D]));
    Start = Ar.add(Start, S);
    R.push_back(std::move(Piece));
  }
  auto Sum = Ar.eq(Start, L.Sizes[*D]);
  if (Sum.no())
    return Outcome<A, List>(refuse<A>(Rule::SplitSum, {Start, L.Sizes[*D]}),
                            std::move(Sum.UnlessOne));
  return R;
}

/// chunk(): pieces of ceil(size / n); may give fewer than n. Symbolically the
/// pieces are given only when n are certain or the sizes divide.
template <class A>
Outcome<A, std::vector<Layout<typename A::Int>>>
chunk(const A &Ar, const Layout<typename A::Int> &L, int64_t Chunks,
      int64_t Dim) {
  using List = std::vector<Layout<typename A::Int>>;
  if (L.rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  if (Chunks <= 0)
    return refuse<A>(Rule::ChunkCount, {Ar.constant(Chunks)});
  auto D = wrapDim(Ar, Dim, L.rank());
  if (!D.ok())
    return std::move(D).template as<List>();
  const auto Have = L.Sizes[*D];
  auto Size = Ar.ceilDiv(Have, Ar.constant(Chunks));
  if (Ar.known(Have) && *Ar.known(Have) != 0) {
    auto R = split(Ar, L, Size, Dim);
    while (broken(Fault::ChunkGivesAll) && R.ok() &&
           R->size() < static_cast<size_t>(Chunks)) {
      auto Piece = (*R).back();
      Piece.Sizes[*D] = Ar.constant(0);
      (*R).push_back(std::move(Piece));
    }
    return R;
  }
  if (Ar.known(Have)) // an empty dimension gives exactly n empty pieces
    return List(static_cast<size_t>(Chunks), L);
  if (Chunks > 4096)
    return Outcome<A, List>::unknown();
  List R;
  for (int64_t I = 0; I < Chunks; ++I) {
    auto Piece = L;
    auto Start = Ar.mul(Size, Ar.constant(I));
    Piece.Sizes[*D] = I + 1 < Chunks ? Size : Ar.asSize(Ar.sub(Have, Start));
    Piece.Offset = Ar.add(L.Offset, Ar.mul(Start, L.Strides[*D]));
    R.push_back(std::move(Piece));
  }
  return R;
}

/// tensor_split(n): always n pieces, the first size % n one larger.
template <class A>
Outcome<A, std::vector<Layout<typename A::Int>>>
tensorSplit(const A &Ar, const Layout<typename A::Int> &L, int64_t Sections,
            int64_t Dim) {
  using List = std::vector<Layout<typename A::Int>>;
  if (L.rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  auto D = wrapDim(Ar, Dim, L.rank());
  if (!D.ok())
    return std::move(D).template as<List>();
  if (Sections <= 0)
    return refuse<A>(Rule::ChunkCount, {Ar.constant(Sections)});
  if (Sections > 4096)
    return Outcome<A, List>::unknown();
  const auto N = Ar.constant(Sections);
  const auto Least = Ar.asSize(Ar.floorDiv(L.Sizes[*D], N));
  const auto Larger = Ar.sub(L.Sizes[*D], Ar.mul(Least, N));
  auto Start = Ar.constant(0);
  List R;
  for (int64_t I = 0; I < Sections; ++I) {
    auto Piece = L;
    Truth More = Ar.lt(Ar.constant(I), Larger);
    if (More == Truth::Unknown)
      return Outcome<A, List>::unknown();
    Piece.Sizes[*D] =
        More == Truth::Yes ? Ar.add(Least, Ar.constant(1)) : Least;
    Piece.Offset = Ar.add(L.Offset, Ar.mul(Start, L.Strides[*D]));
    Start = Ar.add(Start, Piece.Sizes[*D]);
    R.push_back(std::move(Piece));
  }
  return R;
}

/// tensor_split(indices): slices between the indices, which may be empty.
template <class A>
Outcome<A, std::vector<Layout<typename A::Int>>>
tensorSplitAt(const A &Ar, const Layout<typename A::Int> &L,
              const Dims<typename A::Int> &Indices, int64_t Dim) {
  using Int = typename A::Int;
  using List = std::vector<Layout<Int>>;
  if (L.rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  Int Start = Ar.constant(0);
  List R;
  for (size_t I = 0; I <= Indices.size(); ++I) {
    std::optional<Int> End;
    if (I < Indices.size())
      End = Indices[I];
    auto Piece = slice(Ar, L, Dim, Start, End, Ar.constant(1));
    if (!Piece.ok())
      return std::move(Piece).template as<List>();
    R.push_back(*Piece);
    if (End)
      Start = *End;
  }
  return R;
}

/// unbind(): every index of a dimension selected. Unknown unless its size is
/// known.
template <class A>
Outcome<A, std::vector<Layout<typename A::Int>>>
unbind(const A &Ar, const Layout<typename A::Int> &L, int64_t Dim) {
  using List = std::vector<Layout<typename A::Int>>;
  if (L.rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  auto D = wrapDim(Ar, Dim, L.rank());
  if (!D.ok())
    return std::move(D).template as<List>();
  auto Count = Ar.known(L.Sizes[*D]);
  if (!Count)
    return Outcome<A, List>::unknown();
  List R;
  for (int64_t I = 0; I < *Count; ++I) {
    auto Piece = select(Ar, L, Dim, Ar.constant(I));
    if (!Piece.ok())
      return std::move(Piece).template as<List>();
    R.push_back(*Piece);
  }
  return R;
}

} // namespace tensortidy::layout

#endif
