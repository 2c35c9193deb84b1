//===- Reshape.h - view, reshape, flatten -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When can the same elements be seen under other sizes?
//
//   [B,H,T,D]  strides [H*T*D, D, H*D, 1]     (heads, transposed)
//        `----'        runs: {B} | {H} | {T} | {D}  as no neighbour continues
//                      the next, so H and T can be split but not merged
//
// Old dimensions fall into maximal runs (dimension d-1 continues d when its
// stride is the run's length times the run's innermost stride); every run must
// be filled exactly by consecutive new dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_RESHAPE_H
#define TENSORTIDY_LAYOUT_RESHAPE_H

#include "Layout/Views.h"

namespace tensortidy::layout {

/// What a rule returns that fills in its argument.
struct Done {};

/// Replaces a -1 in \p New by what \p Numel leaves.
template <class A>
Outcome<A, Done> inferInPlace(const A &Ar, Dims<typename A::Int> &New,
                              const typename A::Int &Numel) {
  using Out = Outcome<A, Done>;
  auto Product = Ar.constant(1);
  std::optional<size_t> At;
  for (size_t I = 0; I < New.size(); ++I) {
    auto K = Ar.known(New[I]);
    if (K && *K == -1) {
      if (At)
        return refuse<A>(Rule::ViewTwoInferred);
      At = I;
    } else if (K && *K < -1) {
      return refuse<A>(Rule::ViewNegative, {New[I]});
    } else {
      Product = Ar.mul(Product, New[I]);
    }
  }
  auto Fail = [&] {
    auto E = refuse<A>(Rule::ViewCount, {Numel});
    E.NewSizes = New;
    return E;
  };
  auto Same = Ar.eq(Numel, Product);
  if (!At) {
    if (Same.no())
      return Out(Fail(), std::move(Same.UnlessOne));
    return Same.yes() ? Out(Done()) : Out::unknown();
  }
  const auto Zero = Ar.constant(0);
  if (Ar.eq(Product, Zero).yes()) {
    if (Ar.eq(Numel, Zero).no())
      return Fail();
    return refuse<A>(Rule::ViewAmbiguous);
  }
  if (Ar.neverDivides(Numel, Product))
    return Fail();
  // Fewer elements than the other sizes need, and some.
  if (Ar.lt(Numel, Product) == Truth::Yes && !Ar.eq(Numel, Zero).yes())
    return Fail();
  auto Q = Ar.divExact(Numel, Product);
  if (!Q)
    return Out::unknown();
  New[*At] = *Q;
  return Done();
}
/// The same, of a copy.
template <class A>
Outcome<A, Dims<typename A::Int>> inferSize(const A &Ar,
                                            Dims<typename A::Int> New,
                                            const typename A::Int &Numel) {
  Outcome<A, Dims<typename A::Int>> R(std::move(New));
  auto Inferred = inferInPlace(Ar, *R, Numel);
  if (!Inferred.ok())
    R = std::move(Inferred).template as<Dims<typename A::Int>>();
  return R;
}

/// The strides that show \p L under \p New (no -1, same element count), or
/// why there are none: AtDims names the two neighbours that cannot be merged,
/// or the one old dimension that a new one would span in part. They go to \p T.
template <class A>
Outcome<A, Done> strideInPlace(const A &Ar, const Layout<typename A::Int> &L,
                               const Dims<typename A::Int> &New,
                               Dims<typename A::Int> &T) {
  using Int = typename A::Int;
  using Out = Outcome<A, Done>;
  const Int One = Ar.constant(1);
  Truth Empty = isEmpty(Ar, L.Sizes);
  if (Empty == Truth::Yes) {
    bool Same = New.size() == L.rank();
    for (size_t I = 0; Same && I < New.size(); ++I)
      Same = Ar.eq(New[I], L.Sizes[I]).yes();
    T = Same ? L.Strides : denseStrides(Ar, New);
    return Done();
  }
  T.assign(New.size(), One);
  if (L.rank() == 0)
    return Done();

  // The tensor's own sizes are always possible, whatever the strides, and so
  // are those that only split dimensions, or add and drop ones:
  //
  //   [A, B, C] as [A, 1, B, 2, C/2]
  //
  // Numbers decide everything below, where sizes of 1 get other strides.
  auto Undecided = [&]() -> Out {
    bool Same = New.size() == L.rank();
    for (size_t I = 0; Same && I < New.size(); ++I)
      Same = Ar.eq(New[I], L.Sizes[I]).yes();
    if (Same) {
      T = L.Strides;
      return Done();
    }
    T.assign(New.size(), One);
    size_t Left = New.size();
    for (size_t D = L.rank(); D-- > 0;)
      for (Int Part = One; !Ar.eq(Part, L.Sizes[D]).yes();) {
        if (Left == 0)
          return Out::unknown();
        T[--Left] = Ar.mul(Part, L.Strides[D]);
        Part = Ar.mul(Part, New[Left]);
      }
    while (Left > 0)
      if (!Ar.eq(New[--Left], One).yes())
        return Out::unknown();
    return Done();
  };
  Conditions<Int> Unless; // what would join runs that were cut
  size_t View = New.size();
  Int Base = L.Strides[L.rank() - 1];
  Int Run = One;    // elements of the run so far
  Int Filled = One; // elements of it that new dimensions cover

  auto Incompatible = [&](std::vector<unsigned> At) -> Out {
    LayoutError<Int> E;
    E.R = Rule::ViewStrides;
    E.AtDims = std::move(At);
    E.Sizes = L.Sizes;
    E.Strides = L.Strides;
    E.NewSizes = New;
    return Out(std::move(E), Unless);
  };

  size_t Inner = L.rank(); // where the current run ends (exclusive)
  for (size_t D = L.rank(); D-- > 0;) {
    Run = Ar.mul(Run, L.Sizes[D]);
    if (D > 0) {
      Answer<Int> IsOne = detail::isOne(Ar, L.Sizes[D - 1]);
      Answer<Int> Joins = Ar.eq(L.Strides[D - 1], Ar.mul(Run, Base));
      if (IsOne.yes() || Joins.yes())
        continue;
      if (Joins.unknown())
        return Undecided();
      // Runs of size-1 dimensions only have no stride of their own.
      Answer<Int> RunOne = detail::isOne(Ar, Run);
      for (auto *X : {&IsOne.UnlessOne, &Joins.UnlessOne, &RunOne.UnlessOne})
        Unless.insert(Unless.end(), X->begin(), X->end());
    }
    // Fill the run from the right with new dimensions.
    while (View > 0) {
      Answer<Int> NewOne = Ar.eq(New[View - 1], One);
      if (!NewOne.yes()) {
        Answer<Int> Full = Ar.eq(Filled, Run);
        if (Full.yes())
          break;
        if (Full.unknown())
          return Undecided();
        Unless.insert(Unless.end(), Full.UnlessOne.begin(),
                      Full.UnlessOne.end());
        // Past the run's end: this new dimension reaches over the cut. Only
        // the concrete case needs the test; symbolically it shows in the next
        // comparison.
        if (Ar.lt(Run, Filled) == Truth::Yes)
          break;
      }
      T[View - 1] = Ar.mul(Filled, Base);
      Filled = Ar.mul(Filled, New[View - 1]);
      --View;
    }
    Answer<Int> Full = Ar.eq(Filled, Run);
    if (Full.unknown())
      return Undecided();
    if (Full.no()) {
      Unless.insert(Unless.end(), Full.UnlessOne.begin(), Full.UnlessOne.end());
      if (D > 0)
        return Incompatible(
            {static_cast<unsigned>(D - 1), static_cast<unsigned>(D)});
      return Incompatible({static_cast<unsigned>(Inner ? Inner - 1 : 0)});
    }
    if (D > 0) {
      Base = L.Strides[D - 1];
      Run = One;
      Filled = One;
      Inner = D;
    }
  }
  if (View != 0)
    return Incompatible({0});
  return Done();
}
/// The same, as a value.
template <class A>
Outcome<A, Dims<typename A::Int>>
computeStride(const A &Ar, const Layout<typename A::Int> &L,
              const Dims<typename A::Int> &New) {
  Outcome<A, Dims<typename A::Int>> R(std::in_place);
  auto Found = strideInPlace(Ar, L, New, *R);
  if (!Found.ok())
    R = std::move(Found).template as<Dims<typename A::Int>>();
  return R;
}

/// view() with the sizes \p New, of any list of them.
template <class A, class Ints = Dims<typename A::Int>>
LayoutOutcome<A> view(const A &Ar, const Layout<typename A::Int> &L,
                      const Ints &New) {
  LayoutOutcome<A> R(std::in_place);
  R->Sizes.assign(New.begin(), New.end());
  R->Offset = L.Offset;
  auto Counts = inferInPlace(Ar, R->Sizes, numel(Ar, L.Sizes));
  if (!Counts.ok()) {
    R = std::move(Counts).template as<Layout<typename A::Int>>();
    return R;
  }
  auto Fits = strideInPlace(Ar, L, R->Sizes, R->Strides);
  if (!Fits.ok())
    R = std::move(Fits).template as<Layout<typename A::Int>>();
  return R;
}

/// view(dtype): elements of \p From bytes seen as elements of \p To
/// bytes. The last dimension shrinks or grows, so it must be packed.
template <class A>
LayoutOutcome<A> viewDtype(const A &Ar, const Layout<typename A::Int> &L,
                           int64_t From, int64_t To) {
  using Out = LayoutOutcome<A>;
  if (From == To)
    return L;
  if (L.rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  const size_t Last = L.rank() - 1;
  auto Refused = [&](Rule R, const typename A::Int &V, int64_t Wanted,
                     size_t D) -> Out {
    return refuse<A>(
        R, {V, Ar.constant(Wanted), Ar.constant(static_cast<int64_t>(D))});
  };
  auto Packed = Ar.eq(L.Strides[Last], Ar.constant(1));
  if (Packed.no() && Packed.UnlessOne.empty())
    return Refused(Rule::StrideWanted, L.Strides[Last], 1, Last);
  auto R = L;
  if (To < From) {
    const auto K = Ar.constant(From / To);
    for (size_t D = 0; D < Last; ++D)
      R.Strides[D] = Ar.mul(L.Strides[D], K);
    R.Sizes[Last] = Ar.mul(L.Sizes[Last], K);
    R.Offset = Ar.mul(L.Offset, K);
    return Packed.yes() ? Out(std::move(R)) : Out::unknown();
  }
  const auto K = Ar.constant(To / From);
  auto Divided = [&](typename A::Int &V) {
    auto Q = Ar.divExact(V, K);
    if (Q)
      V = *Q;
    return Q.has_value();
  };
  if (Ar.neverDivides(L.Sizes[Last], K))
    return Refused(Rule::SizeMultiple, L.Sizes[Last], To / From, Last);
  if (Ar.neverDivides(L.Offset, K))
    return refuse<A>(Rule::StrideMultiple, {L.Offset, K});
  bool Known = Packed.yes() && Divided(R.Sizes[Last]) && Divided(R.Offset);
  for (size_t D = 0; D < Last; ++D) {
    if (Ar.neverDivides(L.Strides[D], K))
      return Refused(Rule::StrideMultiple, L.Strides[D], To / From, D);
    Known = Known && Divided(R.Strides[D]);
  }
  return Known ? Out(std::move(R)) : Out::unknown();
}

/// What reshape(), flatten() and contiguous() give: a view of the operand, the
/// operand itself, or a packed copy.
template <class Int> struct CopyOrView {
  enum Kind : unsigned char { Self, View, Copy } K;
  Layout<Int> L;
};

/// reshape().
template <class A>
Outcome<A, CopyOrView<typename A::Int>>
reshape(const A &Ar, const Layout<typename A::Int> &L,
        const Dims<typename A::Int> &New) {
  using R = CopyOrView<typename A::Int>;
  auto Sizes = inferSize(Ar, New, numel(Ar, L.Sizes));
  if (!Sizes.ok())
    return std::move(Sizes).template as<R>();
  auto T = computeStride(Ar, L, *Sizes);
  if (T.ok()) {
    Layout<typename A::Int> V;
    V.Sizes = std::move(*Sizes);
    V.Strides = std::move(*T);
    V.Offset = L.Offset;
    return R{R::View, std::move(V)};
  }
  if (T.isUnknown() || !T.unlessOne().empty())
    return Outcome<A, R>::unknown();
  return R{R::Copy, denseLayout(Ar, std::move(*Sizes))};
}

/// The sizes of flatten(start, end).
template <class A>
Outcome<A, Dims<typename A::Int>> flattenSizes(const A &Ar,
                                               const Layout<typename A::Int> &L,
                                               int64_t Start, int64_t End) {
  using Int = typename A::Int;
  auto S = wrapDim(Ar, Start, L.rank()), E = wrapDim(Ar, End, L.rank());
  if (!S.ok())
    return std::move(S).template as<Dims<Int>>();
  if (!E.ok())
    return std::move(E).template as<Dims<Int>>();
  if (*S > *E)
    return refuse<A>(Rule::FlattenOrder,
                     {Ar.constant(Start), Ar.constant(End)});
  if (L.rank() == 0)
    return Dims<Int>(1, Ar.constant(1));
  Dims<Int> R;
  for (size_t D = 0; D < *S; ++D)
    R.push_back(L.Sizes[D]);
  Int Merged = Ar.constant(1);
  for (size_t D = *S; D <= *E; ++D)
    Merged = Ar.mul(Merged, L.Sizes[D]);
  R.push_back(Merged);
  for (size_t D = *E + 1; D < L.rank(); ++D)
    R.push_back(L.Sizes[D]);
  return R;
}

/// flatten(): the tensor itself when start == end.
template <class A>
Outcome<A, CopyOrView<typename A::Int>>
flatten(const A &Ar, const Layout<typename A::Int> &L, int64_t Start,
        int64_t End) {
  using R = CopyOrView<typename A::Int>;
  auto Sizes = flattenSizes(Ar, L, Start, End);
  if (!Sizes.ok())
    return std::move(Sizes).template as<R>();
  if (L.rank() != 0 && Sizes->size() == L.rank())
    return R{R::Self, L};
  return reshape(Ar, L, *Sizes);
}

/// unflatten(): always a view.
template <class A>
LayoutOutcome<A> unflatten(const A &Ar, const Layout<typename A::Int> &L,
                           int64_t Dim, const Dims<typename A::Int> &Sizes) {
  auto D = wrapDim(Ar, Dim, L.rank());
  if (!D.ok())
    return std::move(D).template as<Layout<typename A::Int>>();
  if (L.rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  if (Sizes.empty())
    return refuse<A>(
        Rule::UnflattenCount,
        {Ar.constant(1), L.Sizes[*D], Ar.constant(static_cast<int64_t>(*D))});
  auto Inferred = inferSize(Ar, Sizes, L.Sizes[*D]);
  if (Inferred.failed() && Inferred.error().R != Rule::ViewCount)
    return std::move(Inferred).template as<Layout<typename A::Int>>();
  if (Inferred.failed())
    return LayoutOutcome<A>(refuse<A>(Rule::UnflattenCount,
                                      {numel(Ar, Sizes), L.Sizes[*D],
                                       Ar.constant(static_cast<int64_t>(*D))}),
                            Inferred.unlessOne());
  if (!Inferred.ok())
    return LayoutOutcome<A>::unknown();
  Dims<typename A::Int> New;
  for (size_t I = 0; I < L.rank(); ++I)
    if (I != *D)
      New.push_back(L.Sizes[I]);
    else
      for (const auto &S : *Inferred)
        New.push_back(S);
  return view(Ar, L, New);
}

/// contiguous(): the tensor itself when it has the format already.
template <class A>
Outcome<A, CopyOrView<typename A::Int>>
contiguous(const A &Ar, const Layout<typename A::Int> &L,
           MemoryFormat F = MemoryFormat::Contiguous) {
  using R = CopyOrView<typename A::Int>;
  auto Strides = formatStrides(
      Ar, L.Sizes, F == MemoryFormat::Preserve ? MemoryFormat::Contiguous : F);
  if (!Strides.ok())
    return std::move(Strides).template as<R>();
  auto Is = isContiguous(Ar, L, F);
  if (Is.yes())
    return R{R::Self, L};
  if (Is.unknown() || !Is.UnlessOne.empty())
    return Outcome<A, R>::unknown();
  Layout<typename A::Int> New;
  New.Sizes = L.Sizes;
  New.Strides = *Strides;
  New.Offset = Ar.constant(0);
  return R{R::Copy, std::move(New)};
}

} // namespace tensortidy::layout

#endif
