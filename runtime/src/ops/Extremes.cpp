//===- Extremes.cpp - the greatest, the least, and where they stand -------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A NaN is greater and smaller than all.
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Reduce.h"

namespace tensortidy {

using namespace detail;

namespace {

template <bool Max, class T> bool better(T New, T Old) {
  const bool Is = Max ? New > Old : New < Old;
  if constexpr (std::is_floating_point_v<T>)
    return Is | ((New != New) & (Old == Old));
  return Is;
}

void requireElements(const Split &S, const Tensor &X, const char *Op,
                     Site Here) {
  if (S.Count == 0)
    fail(std::string(Op) + ": the reduced dimensions have no elements", X,
         Here);
}

/// The extreme of \p Count elements that are \p Row bytes apart, and where it
/// stands. Of so many at once, packed by \p Packs where they are not, the
/// extreme is found first, then its place if it is better.
template <bool Max, class E>
E along(const Port &Packs, char *V, int64_t Row, int64_t Count, int64_t &At) {
  constexpr int64_t Chunk = 1024;
  E Top{}, Buffer[Chunk];
  for (int64_t K = 0; K < Count; K += Chunk, V += Chunk * Row) {
    const int64_t Now = std::min(Chunk, Count - K);
    const E *Some = reinterpret_cast<const E *>(V);
    if (Row != sizeof(E)) {
      Packs.Move(reinterpret_cast<char *>(Buffer), {V, Now, Row});
      Some = Buffer;
    }
    const E Best = reduceRow<Extreme<E, Max>>(Some, Now);
    if (K && !better<Max>(Best, Top))
      continue;
    int64_t Place = 0;
    vectorised([&] {
      auto Is = [&](int64_t J) { // a NaN is found by itself
        const E New = Some[J];
        return (New == Best) | ((New != New) & (Best != Best));
      };
      for (int Found = 0; Place + 32 <= Now; Place += 32) {
        for (int64_t J = 0; J < 32; ++J)
          Found |= Is(Place + J);
        if (Found)
          break;
      }
      while (!Is(Place))
        ++Place;
    });
    Top = Some[Place];
    At = K + Place;
  }
  return Top;
}

/// The same of many lines beside each other, each row of which is compared as a
/// whole.
template <bool Max, class E> struct Beside {
  static constexpr int64_t Most = 256;
  using Place = std::conditional_t<sizeof(E) == 8, int64_t, int32_t>;
  E Top[Most];
  Place At[Most];

  void begin(const E *Row, int64_t N) {
    std::copy_n(Row, N, Top);
    std::fill_n(At, N, Place(0));
  }
  /// \p Rows rows, \p Bytes apart, of which the first is number \p First.
  void feed(const char *From, int64_t Bytes, int64_t Rows, int64_t First,
            int64_t N) {
    vectorised([this, From, Bytes, Rows, First, N] {
      for (int64_t R = 0; R < Rows; ++R) {
        const auto *Row = reinterpret_cast<const E *>(From + R * Bytes);
        const auto Now = static_cast<Place>(First + R);
        TENSORTIDY_INDEPENDENT
        for (int64_t J = 0; J < N; ++J) {
          const E New = Row[J];
          const bool Is = better<Max>(New, Top[J]);
          Top[J] = Is ? New : Top[J];
          At[J] = Is ? Now : At[J];
        }
      }
    });
  }
};

/// Where the extremes stand, and which they are. Lines are gone through one by
/// one, or where they are short or begin beside each other, many together.
/// What is no single line is packed.
template <bool Max, class E>
void positions(const Tensor &X, const Tensor &Indices, const Tensor *Values,
               const Split &S) {
  constexpr int64_t Size = sizeof(E);
  // One reduced dimension, or several that are one.
  int64_t Count = 1, Row = 0;
  bool One = true;
  for (size_t D = S.Inner.Sizes.size(); D-- > 0;) {
    if (S.Inner.Sizes[D] == 1)
      continue;
    if (Count == 1)
      Row = S.Inner.Strides[D] * Size;
    else
      One = One && S.Inner.Strides[D] * Size == Row * Count;
    Count *= S.Inner.Sizes[D];
  }
  if (!One) {
    Shape All = S.Outer;
    for (size_t D = 0; D < S.Inner.Sizes.size(); ++D) {
      All.Sizes.push_back(S.Inner.Sizes[D]);
      All.Strides.push_back(S.Inner.Strides[D]);
    }
    const Tensor Copy =
        allocateDense(All.Sizes, impl(X).Type, "copy", Site::none());
    Copy.copy_(restrided(X, All), false, Site::none());
    Split Dense = S;
    const auto &Strides = impl(Copy).L.Strides;
    Dense.Outer.Offset = 0;
    for (size_t D = 0; D < Strides.size(); ++D)
      if (D < S.Kept.size())
        Dense.Outer.Strides[D] = Strides[D];
      else
        Dense.Inner.Strides[D - S.Kept.size()] = Strides[D];
    positions<Max, E>(Copy, Indices, Values, Dense);
    return;
  }
  const Tensor To = keptOnly(Indices, S), From = restrided(X, S.Outer),
               Tops = Values ? keptOnly(*Values, S) : From;
  if (Row == 0) { // nothing to compare
    Indices.zero_();
    if (Values)
      Tops.copy_(From, false, Site::none());
    return;
  }
  Walk W(S.Kept);
  W.add(To);
  W.add(From);
  W.add(Tops);
  W.simplify();
  const Gatherer Packs(impl(X).Type);
  auto Store = [&](char *const *P, const int64_t *Step, int64_t K, int64_t At,
                   E Top) {
    *reinterpret_cast<int64_t *>(P[0] + K * Step[0]) = At;
    if (Values)
      *reinterpret_cast<E *>(P[2] + K * Step[2]) = Top;
  };
  size_t Packed = 0;
  const size_t Rank = W.Sizes.size();
  while (Packed < Rank && (W.Strides[1][Packed] != Size || W.Sizes[Packed] < 8))
    ++Packed;
  if (Packed < Rank && Row != Size)
    W.makeInnermost(Packed);
  else
    W.avoidShortRows();
  const bool Together =
      Rank && W.Sizes[Rank - 1] >= 8 && Count <= INT32_MAX &&
      (std::abs(W.Strides[1][Rank - 1]) < std::abs(Row) || Count < 64);
  if (!Together)
    return W.run([&](char **P, const int64_t *Step, int64_t N) {
      for (int64_t K = 0; K < N; ++K) {
        int64_t At = 0;
        const E Top = along<Max, E>(Packs, P[1] + K * Step[1], Row, Count, At);
        Store(P, Step, K, At, Top);
      }
    });
  W.run([&](char **P, const int64_t *Step, int64_t N) {
    constexpr int64_t Most = Beside<Max, E>::Most, Rows = 16;
    Beside<Max, E> Lines;
    alignas(64) char Buffer[Most * Rows * Size];
    for (int64_t K = 0; K < N; K += Most) {
      const int64_t Now = std::min(Most, N - K);
      const bool IsPacked = Step[1] == Size;
      char *V = P[1] + K * Step[1];
      for (int64_t I = 0; I < Count; I += Rows) {
        const int64_t Some = std::min(Rows, Count - I);
        char *First = IsPacked ? V + I * Row : Buffer;
        if (!IsPacked)
          Packs.Move(Buffer, {V + I * Row, Now, Step[1], Some, Row});
        if (I == 0)
          Lines.begin(reinterpret_cast<const E *>(First), Now);
        Lines.feed(First, IsPacked ? Row : Now * Size, Some, I, Now);
      }
      for (int64_t J = 0; J < Now; ++J)
        Store(P, Step, K + J, Lines.At[J], Lines.Top[J]);
    }
  });
}

template <bool Max>
Tensor extremeOver(const Tensor &X, IntArrayRef Over, bool KeepDim,
                   const char *Op, Site Here, Tensor *Indices = nullptr,
                   bool OnlyIndices = false) {
  const Split S = splitDims(X, Over, KeepDim, Op, Here);
  requireElements(S, X, Op, Here);
  const ScalarType Type = impl(X).Type;
  if (OnlyIndices && S.Count == 1) {
    *Indices = allocateDense(S.Result, kLong, Op, Here).zero_(Here);
    return {};
  }
  if (Indices && (Type == kHalf || Type == kBFloat16)) {
    Tensor V = extremeOver<Max>(castTo(X, kFloat, Here), Over, KeepDim, Op,
                                Here, Indices, OnlyIndices);
    if (OnlyIndices)
      return V;
    Tensor R = castTo(V, Type, Here);
    impl(R).Op = Op;
    return R;
  }
  Tensor R = OnlyIndices ? Tensor() : allocateDense(S.Result, Type, Op, Here);
  if (Indices)
    *Indices = allocateDense(S.Result, kLong, Op, Here);
  dispatch(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    using C = Compute<E>;
    // A bool is a byte of 0 or 1.
    using In =
        std::conditional_t<std::is_same_v<E, bool>, uint8_t, Readable<E>>;
    if (!Indices)
      reduceFast<In, E>(X, R, S, Extreme<In, Max>(), [](C V) { return V; });
    else if constexpr (std::is_same_v<C, E>)
      positions<Max, E>(X, *Indices, OnlyIndices ? nullptr : &R, S);
  });
  return R;
}

} // namespace

Tensor Tensor::amax(IntArrayRef dim, bool keepdim, Site Here) const {
  return extremeOver<true>(*this, dim, keepdim, "amax", Here);
}
Tensor Tensor::amin(IntArrayRef dim, bool keepdim, Site Here) const {
  return extremeOver<false>(*this, dim, keepdim, "amin", Here);
}
Tensor Tensor::max(Site Here) const {
  return extremeOver<true>(*this, {}, false, "max", Here);
}
Tensor Tensor::min(Site Here) const {
  return extremeOver<false>(*this, {}, false, "min", Here);
}
std::tuple<Tensor, Tensor> Tensor::max(int64_t dim, bool keepdim,
                                       Site Here) const {
  Tensor Indices;
  Tensor Values = extremeOver<true>(*this, dim, keepdim, "max", Here, &Indices);
  return {Values, Indices};
}
std::tuple<Tensor, Tensor> Tensor::min(int64_t dim, bool keepdim,
                                       Site Here) const {
  Tensor Indices;
  Tensor Values =
      extremeOver<false>(*this, dim, keepdim, "min", Here, &Indices);
  return {Values, Indices};
}
/// Without a dimension, positions count through all elements in order.
template <bool Max>
static Tensor positionOf(const Tensor &X, optional<int64_t> Dim, bool KeepDim,
                         const char *Op, Site Here) {
  const Shape &L = impl(X, Op, Here).L;
  auto D = layout::wrapDim(Ar, Dim.value_or(0), L.rank());
  const bool IsOne =
      Dim && L.rank() && D.ok() && L.Sizes[*D] == 1; // nothing to compare
  if (!IsOne || detail::has(detail::Change::ArgmaxRefusesBool))
    requireNotBool(X, Op, Here);
  Tensor Indices;
  if (Dim)
    extremeOver<Max>(X, *Dim, KeepDim, Op, Here, &Indices, true);
  else
    extremeOver<Max>(X, {}, false, Op, Here, &Indices, true);
  if (!Dim && KeepDim)
    return Indices.view(std::vector<int64_t>(L.rank(), 1), Here);
  return Indices;
}
Tensor Tensor::argmax(optional<int64_t> dim, bool keepdim, Site Here) const {
  return positionOf<true>(*this, dim, keepdim, "argmax", Here);
}
Tensor Tensor::argmin(optional<int64_t> dim, bool keepdim, Site Here) const {
  return positionOf<false>(*this, dim, keepdim, "argmin", Here);
}

} // namespace tensortidy
