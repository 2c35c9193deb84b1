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

#include "Reduce.h"

namespace tensortidy {

using namespace detail;

namespace {

template <bool Max, class T> bool better(T New, T Old) {
  if constexpr (std::is_floating_point_v<T>)
    if (New != New)
      return Old == Old;
  return Max ? New > Old : New < Old;
}

void requireElements(const Split &S, const Tensor &X, const char *Op,
                     Site Here) {
  if (S.Count == 0)
    fail(std::string(Op) + ": the reduced dimensions have no elements", X,
         Here);
}

/// Where the extremes stand. In a packed row the extreme is found first, then
/// its place; when a kept dimension is packed, rows are compared as wholes;
/// where nothing is, one element after the other. What is no single line is
/// packed.
template <bool Max, class E>
void positions(const Tensor &X, const Tensor &Indices, const Split &S) {
  constexpr int64_t Size = sizeof(E), Block = 256;
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
  if (Count == 1) {
    Indices.zero_();
    return;
  }
  const Tensor To = keptOnly(Indices, S), From = restrided(X, S.Outer);
  Walk W(S.Kept);
  W.add(To);
  W.add(From);
  W.simplify();
  if (One && Row == Size && Count >= 16) {
    W.run([&](char **P, const int64_t *Step, int64_t N) {
      for (int64_t K = 0; K < N; ++K) {
        const auto *V = reinterpret_cast<const E *>(P[1] + K * Step[1]);
        int64_t At = 0;
        const E Top = reduceRow<Extreme<E, Max>>(V, Count);
        vectorised([&] {
          auto Is = [&](int64_t J) { // a NaN is found by itself
            const E New = V[J];
            return (New == Top) | ((New != New) & (Top != Top));
          };
          for (int Found = 0; At + 32 <= Count; At += 32) {
            for (int64_t J = 0; J < 32; ++J)
              Found |= Is(At + J);
            if (Found)
              break;
          }
          while (!Is(At))
            ++At;
        });
        *reinterpret_cast<int64_t *>(P[0] + K * Step[0]) = At;
      }
    });
    return;
  }
  size_t Packed = 0;
  while (Packed < W.Sizes.size() && W.Strides[1][Packed] != Size)
    ++Packed;
  if (One && (Row == Size || Packed == W.Sizes.size() || W.Sizes[Packed] < 8)) {
    // Several lines together, so that none waits for the one before.
    auto Lines = [&](auto Some, char **P, const int64_t *Step, int64_t K) {
      constexpr int64_t Together = decltype(Some)::value;
      const char *V = P[1] + K * Step[1];
      auto Get = [&](int64_t J, int64_t I) {
        return *reinterpret_cast<const E *>(V + J * Step[1] + I * Row);
      };
      E Top[Together];
      int64_t At[Together] = {};
      for (int64_t J = 0; J < Together; ++J)
        Top[J] = Get(J, 0);
      for (int64_t I = 1; I < Count; ++I)
        TENSORTIDY_UNROLLED
      for (int64_t J = 0; J < Together; ++J) {
        const E New = Get(J, I);
        const bool Is = better<Max>(New, Top[J]);
        Top[J] = Is ? New : Top[J];
        At[J] = Is ? I : At[J];
      }
      for (int64_t J = 0; J < Together; ++J)
        *reinterpret_cast<int64_t *>(P[0] + (K + J) * Step[0]) = At[J];
    };
    W.run([&](char **P, const int64_t *Step, int64_t N) {
      int64_t K = 0;
      for (; K + 4 <= N; K += 4)
        Lines(std::integral_constant<int64_t, 4>(), P, Step, K);
      for (; K < N; ++K)
        Lines(std::integral_constant<int64_t, 1>(), P, Step, K);
    });
    return;
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
    positions<Max, E>(Copy, Indices, Dense);
    return;
  }
  const int64_t N = W.Sizes[Packed], Step = W.Strides[0][Packed];
  W.Sizes[Packed] = 1;
  W.run([&](char **P, const int64_t *Further, int64_t Lines) {
    for (int64_t Line = 0; Line < Lines; ++Line)
      for (int64_t K = 0; K < N; K += Block) {
        const int64_t Now = std::min(Block, N - K);
        E Top[Block];
        int64_t At[Block] = {};
        const char *V = P[1] + Line * Further[1] + K * Size;
        for (int64_t J = 0; J < Now; ++J)
          Top[J] = reinterpret_cast<const E *>(V)[J];
        vectorised([&] {
          for (int64_t I = 1; I < Count; ++I) {
            const auto *Values = reinterpret_cast<const E *>(V + I * Row);
            for (int64_t J = 0; J < Now; ++J) {
              const E New = Values[J];
              const bool Is = better<Max>(New, Top[J]);
              Top[J] = Is ? New : Top[J];
              At[J] = Is ? I : At[J];
            }
          }
        });
        char *To = P[0] + Line * Further[0] + K * Step;
        for (int64_t J = 0; J < Now; ++J)
          *reinterpret_cast<int64_t *>(To + J * Step) = At[J];
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
    if (!OnlyIndices)
      reduceFast<In, E>(X, R, S, Extreme<In, Max>(), [](C V) { return V; });
    if constexpr (std::is_same_v<C, E>)
      if (Indices)
        positions<Max, E>(X, *Indices, S);
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
  if (!IsOne)
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
