//===- Pools.cpp - windows over images become numbers ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images of two dimensions are volumes of depth 1, those of one dimension
// images of one row (Images.cpp). Images that suggest channels-last stay so,
// volumes do not.
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "kernels/Sliding.h"
#include "tensortidy/functional.h"
#include <array>
#include <cmath>
#include <limits>

namespace tensortidy {

using detail::allocate;
using detail::Ar;
using detail::impl;
using detail::Shape;
using detail::text;

namespace {

/// Depth, height and width.
using Three = std::array<int64_t, 3>;
constexpr size_t Axes = 3;

/// One number for all of the last \p Rank axes, or one for each.
Three threeOf(IntArrayRef L, size_t Rank, const char *What, Three Otherwise,
              const char *Op, Site Here) {
  if (L.empty())
    return Otherwise;
  if (L.size() != 1 && L.size() != Rank)
    detail::fail(std::string(Op) + ": expected one or " + std::to_string(Rank) +
                     " numbers as " + What + ", got " + text(L),
                 Here);
  for (size_t K = 0; K < Rank; ++K)
    Otherwise[Axes - Rank + K] = L[L.size() == 1 ? 0 : K];
  return Otherwise;
}

/// Where windows stand, and how many of them there are.
struct Windows {
  Three In, Kernel, Stride, Pad, Dilation{1, 1, 1}, Out{};

  /// The part of window \p At that lies in the image.
  struct Part {
    int64_t First, Count;
  };
  Part part(size_t Axis, int64_t At) const {
    const int64_t Start = At * Stride[Axis] - Pad[Axis], D = Dilation[Axis],
                  Before = Start < 0 ? (-Start + D - 1) / D : 0,
                  Inside = In[Axis] - Start; // from the start to the border
    return {Start + Before * D,
            std::min(Kernel[Axis], (Inside + D - 1) / D) - Before};
  }
};

/// [n, c, d, h, w] of [n, c, h, w] or [n, c, d, h, w], or of those without n.
Tensor volumes(const Tensor &X, size_t Rank, const char *Op, Site Here) {
  const size_t Dims = impl(X, Op, Here).L.rank();
  if (Dims != Rank + 1 && Dims != Rank + 2)
    detail::fail(std::string(Op) + ": expected " + std::to_string(Rank + 1) +
                     " or " + std::to_string(Rank + 2) + " dimensions",
                 X, Here);
  const Tensor Batch = Dims == Rank + 1 ? X.unsqueeze(0, Here) : X;
  return Rank == 2 ? Batch.unsqueeze(2, Here) : Batch;
}
/// A result for windows over \p Of, and the same seen as volumes.
struct Result {
  Tensor R, Volumes;
  /// Whether volumes without a batch are channels-last.
  static bool areChannelsLast(const Tensor &Of, Site Here) {
    std::vector<int64_t> Sizes = {1}, Strides = {Of.numel()};
    for (int64_t D = 0; D < Of.dim(); ++D) {
      Sizes.push_back(Of.size(D));
      Strides.push_back(Of.stride(D));
    }
    return Of.as_strided(Sizes, Strides, nullopt, Here)
               .suggest_memory_format() == MemoryFormat::ChannelsLast3d;
  }
  Result(const Tensor &Of, size_t Rank, const Three &Out, ScalarType Type,
         const char *Op, Site Here, bool KeepsVolumes = false) {
    const auto Dims = static_cast<size_t>(Of.dim());
    Shape L;
    for (size_t D = 0; D < Dims - Rank; ++D)
      L.Sizes.push_back(impl(Of).L.Sizes[D]);
    for (size_t K = Axes - Rank; K < Axes; ++K)
      L.Sizes.push_back(Out[K]);
    const MemoryFormat Format = Of.suggest_memory_format();
    auto As = layout::MemoryFormat::Contiguous;
    if (Dims == 4 && Rank == 2 && Format == MemoryFormat::ChannelsLast)
      As = layout::MemoryFormat::ChannelsLast;
    if (KeepsVolumes && Dims == 5 && Format == MemoryFormat::ChannelsLast3d)
      As = layout::MemoryFormat::ChannelsLast3d;
    if (KeepsVolumes && Dims == 4 && Rank == 3 &&
        Format == MemoryFormat::ChannelsLast)
      detail::fail(std::string(Op) + ": the memory format must be contiguous",
                   Of, Here);
    L.Strides = *layout::formatStrides(Ar, L.Sizes, As);
    if (KeepsVolumes && Dims == 4 && Rank == 3 && areChannelsLast(Of, Here)) {
      detail::Dims Batch = L.Sizes;
      Batch.insert(Batch.begin(), 1);
      const auto Strides = *layout::formatStrides(
          Ar, Batch, layout::MemoryFormat::ChannelsLast3d);
      std::copy(Strides.begin() + 1, Strides.end(), L.Strides.begin());
    }
    R = allocate(std::move(L), Type, Op, Here);
    Volumes = volumes(R, Rank, Op, Site::none());
  }
};

Windows windowsOver(const Tensor &X, size_t Rank, IntArrayRef Kernel,
                    IntArrayRef Stride, IntArrayRef Pad, IntArrayRef Dilation,
                    bool Ceil, const char *Op, Site Here) {
  Windows W;
  if (Kernel.empty())
    detail::fail(std::string(Op) + ": expected numbers as kernel size", X,
                 Here);
  W.Kernel = threeOf(Kernel, Rank, "kernel size", {1, 1, 1}, Op, Here);
  W.Stride = threeOf(Stride, Rank, "stride", W.Kernel, Op, Here);
  W.Pad = threeOf(Pad, Rank, "padding", {0, 0, 0}, Op, Here);
  W.Dilation = threeOf(Dilation, Rank, "dilation", {1, 1, 1}, Op, Here);
  const Tensor V = volumes(X, Rank, Op, Here);
  for (int64_t D = 1; D < V.dim(); ++D)
    if (V.size(D) == 0)
      detail::fail(std::string(Op) + ": of the dimensions but the batch, one "
                                     "has no elements",
                   X, Here);
  W.In = {V.size(2), V.size(3), V.size(4)};
  for (size_t K = 0; K < Axes; ++K) {
    const detail::Window One{W.Kernel[K], W.Stride[K], W.Pad[K], W.Dilation[K]};
    detail::requirePositive(One.Kernel, "kernel size", Op, Here);
    detail::orThrow(layout::poolPadding(Ar, One), X, Here,
                    [&] { return std::string(Op); });
    W.Out[K] = detail::places(X, impl(X).L.rank() - Axes + K, W.In[K], One, Op,
                              Here, Ceil);
  }
  return W;
}

/// F(result's index, [At, Elements, Place of the first]) for each window:
/// visit(Feed) calls Feed(element, its place in the image) for what lies
/// inside.
template <class E, class F>
void overWindows(const Tensor &X, const Windows &W, F Function) {
  const Shape &L = impl(X).L;
  const auto *In = reinterpret_cast<const E *>(impl(X).data());
  Three At;
  for (int64_t N = 0; N < L.Sizes[0]; ++N)
    for (int64_t C = 0; C < L.Sizes[1]; ++C)
      for (At[0] = 0; At[0] < W.Out[0]; ++At[0])
        for (At[1] = 0; At[1] < W.Out[1]; ++At[1])
          for (At[2] = 0; At[2] < W.Out[2]; ++At[2]) {
            const auto Z = W.part(0, At[0]), Y = W.part(1, At[1]),
                       P = W.part(2, At[2]);
            const E *Image = In + N * L.Strides[0] + C * L.Strides[1];
            auto Place = [&](int64_t ZAt, int64_t YAt, int64_t XAt) {
              return (ZAt * W.In[1] + YAt) * W.In[2] + XAt;
            };
            const int64_t Begin = Place(Z.First, Y.First, P.First);
            Function(N, C, At, Begin, [&](auto Feed) {
              for (int64_t I = 0; I < Z.Count; ++I)
                for (int64_t J = 0; J < Y.Count; ++J)
                  for (int64_t K = 0; K < P.Count; ++K) {
                    const int64_t ZAt = Z.First + I * W.Dilation[0],
                                  YAt = Y.First + J * W.Dilation[1],
                                  XAt = P.First + K * W.Dilation[2];
                    Feed(detail::load(
                             Image[ZAt * L.Strides[2] + YAt * L.Strides[3] +
                                   XAt * L.Strides[4]]),
                         Place(ZAt, YAt, XAt));
                  }
            });
          }
}
/// The element of \p X at a window.
template <class E>
E &elementAt(const Tensor &X, int64_t N, int64_t C, const Three &At) {
  const auto &S = impl(X).L.Strides;
  return reinterpret_cast<E *>(
      impl(X).data())[N * S[0] + C * S[1] + At[0] * S[2] + At[1] * S[3] +
                      At[2] * S[4]];
}

/// The greatest of each window, and where in its image it stands. The last NaN
/// counts as the greatest.
std::tuple<Tensor, Tensor> maxPool(const Tensor &X, size_t Rank,
                                   IntArrayRef Kernel, IntArrayRef Stride,
                                   IntArrayRef Pad, IntArrayRef Dilation,
                                   bool Ceil, bool WithIndices, const char *Op,
                                   Site Here) {
  const Windows W =
      windowsOver(X, Rank, Kernel, Stride, Pad, Dilation, Ceil, Op, Here);
  if (!detail::has(detail::Change::MaxPoolTakesIntegers))
    detail::requireFloating(X, Op, Here);
  else
    detail::requireNotBool(X, Op, Here);
  detail::reads(X, Op, Here);
  const bool Keeps = detail::has(detail::Change::MaxPool3dKeepsFormat);
  const Result R(X, Rank, W.Out, impl(X).Type, Op, Here, Keeps);
  optional<Result> Indices;
  if (WithIndices)
    Indices.emplace(X, Rank, W.Out, kLong, Op, Here, Keeps);
  detail::dispatch(impl(X).Type, [&](auto T) {
    using E = typename decltype(T)::type;
    using C = detail::Compute<E>;
    overWindows<E>(
        volumes(X, Rank, Op, Here), W,
        [&](int64_t N, int64_t Channel, const Three &At, int64_t Where,
            auto Visit) {
          C Most = std::numeric_limits<C>::has_infinity
                       ? -std::numeric_limits<C>::infinity()
                       : std::numeric_limits<C>::lowest();
          Visit([&](C V, int64_t Place) {
            bool IsNaN = false;
            if constexpr (std::numeric_limits<C>::has_quiet_NaN)
              IsNaN = V != V;
            if (V > Most || IsNaN) {
              Most = V;
              Where = Place;
            }
          });
          detail::store(elementAt<E>(R.Volumes, N, Channel, At), Most);
          if (Indices)
            elementAt<int64_t>(Indices->Volumes, N, Channel, At) = Where;
        });
  });
  return {R.R, Indices ? Indices->R : Tensor()};
}

Tensor averagePool(const Tensor &X, size_t Rank, IntArrayRef Kernel,
                   IntArrayRef Stride, IntArrayRef Pad, bool Ceil,
                   bool CountsPad, optional<int64_t> Divisor, const char *Op,
                   Site Here) {
  const Windows W =
      windowsOver(X, Rank, Kernel, Stride, Pad, {}, Ceil, Op, Here);
  for (size_t K = 0; K < Axes && Rank == 3; ++K) // as libtorch has it
    detail::orThrow(layout::windowFits(Ar, W.In[K],
                                       detail::Window{W.Kernel[K], 1, 0, 1},
                                       impl(X).L.rank() - Axes + K),
                    X, Here, [&] { return std::string(Op); });
  if (impl(X).Type != kLong)
    detail::requireFloating(X, Op, Here);
  if (Divisor && *Divisor == 0)
    detail::fail(std::string(Op) + ": the divisor is 0", X, Here);
  detail::reads(X, Op, Here);
  const Result R(X, Rank, W.Out, impl(X).Type, Op, Here);
  auto Extent = [&](size_t K, int64_t At) {
    // Padding counts, what ceil_mode adds behind it does not.
    const int64_t Start = At * W.Stride[K] - W.Pad[K],
                  End = std::min(Start + W.Kernel[K], W.In[K] + W.Pad[K]);
    return CountsPad ? End - Start
                     : std::min(End, W.In[K]) - std::max<int64_t>(Start, 0);
  };
  auto Run = [&](auto T) {
    using E = typename decltype(T)::type;
    using Sum = std::conditional_t<std::is_integral_v<E>, uint64_t, double>;
    overWindows<E>(
        volumes(X, Rank, Op, Here), W,
        [&](int64_t N, int64_t C, const Three &At, int64_t, auto Visit) {
          Sum All = 0; // integers wrap
          Visit([&](auto V, int64_t) { All += static_cast<Sum>(V); });
          const int64_t By = Divisor.value_or(
              Extent(0, At[0]) * Extent(1, At[1]) * Extent(2, At[2]));
          E &To = elementAt<E>(R.Volumes, N, C, At);
          if constexpr (std::is_integral_v<E>)
            To = static_cast<int64_t>(All) / By;
          else
            detail::store(To, All / static_cast<double>(By));
        });
  };
  if (impl(X).Type == kLong)
    Run(detail::Tag<int64_t>());
  else
    detail::dispatchFloating(impl(X).Type, Run);
  return R.R;
}

/// The mean of as many windows as asked for, which cover the image.
Tensor adaptivePool(const Tensor &X, size_t Rank, IntArrayRef Size,
                    const char *Op, Site Here) {
  if (Size.size() != Rank)
    detail::fail(std::string(Op) + ": the output size must be " +
                     std::to_string(Rank) + " numbers",
                 X, Here);
  int64_t Count = 1;
  for (const int64_t N : Size) {
    if (N < 0)
      detail::fail(std::string(Op) + ": the output size " + text(Size) +
                       " is negative",
                   X, Here);
    Count *= N;
  }
  if (Count != 0 || Rank == 3) // otherwise nothing is computed
    detail::requireFloating(X, Op, Here);
  std::vector<int64_t> Last;
  for (size_t K = 1; K <= Rank; ++K)
    Last.push_back(-static_cast<int64_t>(K));
  const Three Out = threeOf(Size, Rank, "output size", {1, 1, 1}, Op, Here);
  if (Out == Three{1, 1, 1}) { // of any rank
    Tensor R = X.mean(Last, true, nullopt, Here);
    if (Rank == 2 && X.dim() == 4 &&
        X.suggest_memory_format() == MemoryFormat::ChannelsLast)
      impl(R).L.Strides = *layout::formatStrides(
          Ar, impl(R).L.Sizes, layout::MemoryFormat::ChannelsLast);
    return R;
  }
  const Tensor V = volumes(X, Rank, Op, Here);
  const int64_t Spatial = X.dim() - static_cast<int64_t>(Rank);
  for (int64_t D = Rank == 2 ? Spatial : 1; D < X.dim(); ++D)
    if (X.size(D) == 0)
      detail::fail(std::string(Op) + ": dimension " + std::to_string(D) +
                       " has no elements",
                   X, Here);
  const Result R(X, Rank, Out, impl(X).Type, Op, Here);
  auto Place = [&](size_t K, int64_t At) {
    const int64_t In = V.size(static_cast<int64_t>(K) + 2),
                  Start = At * In / Out[K],
                  End = ((At + 1) * In + Out[K] - 1) / Out[K];
    return Slice(Start, End);
  };
  Three At;
  for (At[0] = 0; At[0] < Out[0]; ++At[0])
    for (At[1] = 0; At[1] < Out[1]; ++At[1])
      for (At[2] = 0; At[2] < Out[2]; ++At[2])
        R.Volumes.index({Slice(), Slice(), At[0], At[1], At[2]}, Site::none())
            .copy_(V.index({Slice(), Slice(), Place(0, At[0]), Place(1, At[1]),
                            Place(2, At[2])},
                           Site::none())
                       .mean({2, 3, 4}, false, nullopt, Here),
                   false, Here);
  return R.R;
}

} // namespace

Tensor max_pool2d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                  bool ceil_mode, Site Here) {
  return std::get<0>(maxPool(self, 2, kernel_size, stride, padding, dilation,
                             ceil_mode, false, "max_pool2d", Here));
}
Tensor max_pool3d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                  bool ceil_mode, Site Here) {
  return std::get<0>(maxPool(self, 3, kernel_size, stride, padding, dilation,
                             ceil_mode, false, "max_pool3d", Here));
}
std::tuple<Tensor, Tensor>
max_pool2d_with_indices(const Tensor &self, IntArrayRef kernel_size,
                        IntArrayRef stride, IntArrayRef padding,
                        IntArrayRef dilation, bool ceil_mode, Site Here) {
  return maxPool(self, 2, kernel_size, stride, padding, dilation, ceil_mode,
                 true, "max_pool2d_with_indices", Here);
}
std::tuple<Tensor, Tensor>
max_pool3d_with_indices(const Tensor &self, IntArrayRef kernel_size,
                        IntArrayRef stride, IntArrayRef padding,
                        IntArrayRef dilation, bool ceil_mode, Site Here) {
  return maxPool(self, 3, kernel_size, stride, padding, dilation, ceil_mode,
                 true, "max_pool3d_with_indices", Here);
}
Tensor avg_pool2d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad, optional<int64_t> divisor_override,
                  Site Here) {
  return averagePool(self, 2, kernel_size, stride, padding, ceil_mode,
                     count_include_pad, divisor_override, "avg_pool2d", Here);
}
Tensor avg_pool3d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad, optional<int64_t> divisor_override,
                  Site Here) {
  return averagePool(self, 3, kernel_size, stride, padding, ceil_mode,
                     count_include_pad, divisor_override, "avg_pool3d", Here);
}
Tensor adaptive_avg_pool2d(const Tensor &self, IntArrayRef output_size,
                           Site Here) {
  return adaptivePool(self, 2, output_size, "adaptive_avg_pool2d", Here);
}
Tensor adaptive_avg_pool3d(const Tensor &self, IntArrayRef output_size,
                           Site Here) {
  return adaptivePool(self, 3, output_size, "adaptive_avg_pool3d", Here);
}

} // namespace tensortidy
