//===- Networks.cpp - convolutions, padding, normalisation ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution lays out each window as a column and multiplies the weights
// with it: [out, in*kh*kw] x [in*kh*kw, oh*ow], one product for each group of
// each image. Images that suggest channels-last stay so.
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "kernels/Sliding.h"
#include <cmath>
#include <limits>

namespace tensortidy {

using detail::allocate;
using detail::Ar;
using detail::call;
using detail::impl;
using detail::Pair;
using detail::requireBias;
using detail::Shape;
using detail::Windows;

namespace {

bool suggestsChannelsLast(const Tensor &X) {
  return X.dim() == 4 &&
         X.suggest_memory_format() == MemoryFormat::ChannelsLast;
}
/// [n, c, h, w] in one of the two formats.
Tensor image(const detail::Dims &Sizes, bool ChannelsLast, ScalarType Type,
             const char *Op, Site Here) {
  Shape L;
  L.Sizes = Sizes;
  L.Strides =
      *layout::formatStrides(Ar, L.Sizes,
                             ChannelsLast ? layout::MemoryFormat::ChannelsLast
                                          : layout::MemoryFormat::Contiguous);
  return allocate(std::move(L), Type, Op, Here);
}

/// [n, c, h, w] as it is, [c, h, w] with a batch of one.
Tensor batched(const Tensor &X, const char *Op, Site Here) {
  const size_t Rank = impl(X, Op, Here).L.rank();
  if (Rank != 3 && Rank != 4)
    detail::fail(std::string(Op) + ": expected 3 or 4 dimensions", X, Here);
  return Rank == 3 ? X.unsqueeze(0, Here) : X;
}

} // namespace

//===--- convolutions ---------------------------------------------------===//

bool detail::requireBias(const optional<Tensor> &Bias, int64_t Channels,
                         const char *Op, Site Here) {
  if (!Bias || !Bias->defined())
    return false;
  if (Bias->dim() != 1 || Bias->size(0) != Channels)
    fail(std::string(Op) + ": the bias must have " + std::to_string(Channels) +
             " elements",
         *Bias, Here);
  return true;
}

static Tensor convolution(const Tensor &Given, const Tensor &Weight,
                          const optional<Tensor> &Bias, Pair Stride, Pair Pad,
                          Pair Dilation, int64_t Groups, const char *Op,
                          Site Here) {
  detail::reads(Given, Op, Here);
  detail::reads(Weight, Op, Here);
  const Tensor X = batched(Given, Op, Here);
  const Shape &L = impl(X).L, &K = impl(Weight).L;
  const ScalarType Type = impl(X).Type;
  if (X.numel() == 0 && L.Sizes[0] != 0 && L.Sizes[1] != 0)
    detail::fail(std::string(Op) + ": images of sizes " +
                     detail::text(X.sizes()) + " do not fit, they are empty",
                 Given, Here);
  if (K.rank() != 4)
    detail::fail(std::string(Op) + ": the weight must have 4 dimensions",
                 Weight, Here);
  if (Type != impl(Weight).Type || !isFloatingType(Type))
    detail::fail(std::string(Op) + ": input and weight must have one floating "
                                   "type",
                 Weight, Here);
  if (K.Sizes[0] == 0)
    detail::fail(std::string(Op) + ": a weight of sizes " +
                     detail::text(Weight.sizes()) +
                     " does not fit, it gives "
                     "no channels",
                 Weight, Here);
  if (Groups <= 0 || K.Sizes[0] % Groups != 0 ||
      L.Sizes[1] != K.Sizes[1] * Groups)
    detail::fail(std::string(Op) + ": a weight of sizes " +
                     detail::text(Weight.sizes()) + " in " +
                     std::to_string(Groups) + " groups does not fit " +
                     std::to_string(L.Sizes[1]) + " channels",
                 Given, Here);
  requireBias(Bias, K.Sizes[0], Op, Here);
  const Windows W(X, 2, {L.Sizes[2], L.Sizes[3]}, {K.Sizes[2], K.Sizes[3]},
                  Stride, Pad, Dilation, Op, Here);
  // Without images libtorch multiplies by a number, which decides the strides.
  if (L.Sizes[0] == 0 && L.Sizes[1] != 0 && Weight.numel() != 0) {
    Tensor R = X.mul(Weight.flatten(0, -1, Here).select(0, 0, Here), Here)
                   .view({0, K.Sizes[0], W.Out.Y, W.Out.X}, Here);
    impl(R).Op = Op;
    return R;
  }
  const int64_t Outs = K.Sizes[0] / Groups, Ins = K.Sizes[1];
  // libtorch joins what the groups give; one number each suggests nothing.
  const bool Joined = Groups > 1 && Outs == 1 && W.Kernel.Y == 1 &&
                      W.Kernel.X == 1 && Stride.Y == 1 && Stride.X == 1 &&
                      W.Out.Y == 1 && W.Out.X == 1;
  const bool Last =
      !Joined && (suggestsChannelsLast(X) || suggestsChannelsLast(Weight));
  const int64_t Depth = Ins * W.Kernel.Y * W.Kernel.X;
  const int64_t Places = W.Out.Y * W.Out.X;
  Tensor R =
      image({L.Sizes[0], K.Sizes[0], W.Out.Y, W.Out.X}, Last, Type, Op, Here);
  const Tensor Rows = Weight.contiguous(MemoryFormat::Contiguous, Here)
                          .view({Groups, Outs, Depth}, Here);
  detail::dispatchFloating(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    Tensor Columns = detail::allocateDense({Depth, Places}, Type, Op, Here);
    for (int64_t N = 0; N < L.Sizes[0]; ++N)
      for (int64_t G = 0; G < Groups; ++G) {
        auto *To = reinterpret_cast<E *>(impl(Columns).data());
        for (int64_t C = 0; C < Ins; ++C)
          for (int64_t I = 0; I < W.Kernel.Y; ++I)
            for (int64_t J = 0; J < W.Kernel.X; ++J) {
              const auto *From = reinterpret_cast<const E *>(impl(X).data()) +
                                 N * L.Strides[0] +
                                 (G * Ins + C) * L.Strides[1];
              for (int64_t Y = 0; Y < W.Out.Y; ++Y) {
                const int64_t AtY = Y * Stride.Y - Pad.Y + I * Dilation.Y;
                for (int64_t P = 0; P < W.Out.X; ++P) {
                  const int64_t AtX = P * Stride.X - Pad.X + J * Dilation.X;
                  const bool Inside =
                      AtY >= 0 && AtY < W.In.Y && AtX >= 0 && AtX < W.In.X;
                  *To++ = Inside ? From[AtY * L.Strides[2] + AtX * L.Strides[3]]
                                 : E{};
                }
              }
            }
        R.select(0, N, Here)
            .narrow(0, G * Outs, Outs, Here)
            .copy_(Rows.select(0, G, Here)
                       .mm(Columns, Here)
                       .view({Outs, W.Out.Y, W.Out.X}, Here),
                   false, Here);
      }
  });
  if (Bias && Bias->defined())
    R.add_(Bias->view({-1, 1, 1}, Here), 1, Here);
  impl(R).Op = Op;
  return Given.dim() == 3 ? R.squeeze(0, Here) : R;
}

Tensor conv2d(const Tensor &input, const Tensor &weight,
              const optional<Tensor> &bias, IntArrayRef stride,
              IntArrayRef padding, IntArrayRef dilation, int64_t groups,
              Site Here) {
  const char *Op = "conv2d";
  return convolution(
      input, weight, bias, Pair(stride, {1, 1}, "stride", Op, Here),
      Pair(padding, {0, 0}, "padding", Op, Here),
      Pair(dilation, {1, 1}, "dilation", Op, Here), groups, Op, Here);
}
Tensor conv1d(const Tensor &input, const Tensor &weight,
              const optional<Tensor> &bias, IntArrayRef stride,
              IntArrayRef padding, IntArrayRef dilation, int64_t groups,
              Site Here) {
  const char *Op = "conv1d";
  const size_t Rank = impl(input, Op, Here).L.rank();
  if ((Rank != 2 && Rank != 3) || impl(weight, Op, Here).L.rank() != 3)
    detail::fail("conv1d: expected an input of 2 or 3 dimensions and a weight "
                 "of 3",
                 input, Here);
  auto One = [&](IntArrayRef L, int64_t Otherwise) {
    return L.empty() ? Otherwise : L[0];
  };
  // An image of one row. Its strides may suggest channels-last.
  Tensor X = Rank == 2 ? input.unsqueeze(0, Here) : input;
  X = X.contiguous(MemoryFormat::Contiguous, Here).unsqueeze(2, Here);
  const Tensor R =
      convolution(X, weight.unsqueeze(2, Here), bias, {1, One(stride, 1)},
                  {0, One(padding, 0)}, {1, One(dilation, 1)}, groups, Op, Here)
          .squeeze(2, Here);
  return Rank == 2 ? R.squeeze(0, Here) : R;
}

//===--- padding and normalisation --------------------------------------===//

Tensor constant_pad_nd(const Tensor &self, IntArrayRef pad, const Scalar &value,
                       Site Here) {
  const Shape &L = impl(self, "constant_pad_nd", Here).L;
  if (pad.size() % 2 != 0 || pad.size() / 2 > L.rank())
    detail::fail(call("constant_pad_nd", pad) +
                     ": two numbers for each of the last dimensions are needed",
                 self, Here);
  // What is negative cuts first; where nothing is added, that is all.
  detail::Dims Sizes = L.Sizes;
  Tensor From = self;
  bool Adds = false;
  for (size_t K = pad.size() / 2; K-- > 0;) {
    const auto Dim = static_cast<int64_t>(L.rank() - 1 - K);
    const int64_t Front = pad[2 * K], Back = pad[2 * K + 1];
    if (Front < 0)
      From = From.narrow(Dim, -Front, From.size(Dim) + Front, Here);
    if (Back < 0)
      From = From.narrow(Dim, 0, From.size(Dim) + Back, Here);
    Adds = Adds || Front > 0 || Back > 0;
  }
  if (!Adds)
    return From.clone(nullopt, Here);
  for (size_t K = 0; K < pad.size() / 2; ++K) {
    const size_t D = L.rank() - 1 - K;
    Sizes[D] += pad[2 * K] + pad[2 * K + 1];
    if (Sizes[D] < 0 ||
        (Sizes[D] == 0 && !detail::has(detail::Change::PadMayBeEmpty)))
      detail::fail(call("constant_pad_nd", pad) + ": dimension " +
                       std::to_string(D) + " gets the size " +
                       std::to_string(Sizes[D]),
                   self, Here);
  }
  const auto Format = static_cast<layout::MemoryFormat>(
      impl(self).L.rank() >= 4 ? self.suggest_memory_format()
                               : MemoryFormat::Contiguous);
  Shape To;
  To.Sizes = Sizes;
  To.Strides = *layout::formatStrides(Ar, To.Sizes, Format);
  Tensor R = allocate(To, impl(self).Type, "constant_pad_nd", Here);
  R.fill_(value, Here);
  Tensor Middle = R;
  for (size_t K = 0; K < pad.size() / 2; ++K) {
    const auto Dim = static_cast<int64_t>(L.rank() - 1 - K);
    Middle = Middle.narrow(Dim, std::max<int64_t>(pad[2 * K], 0),
                           From.size(Dim), Here);
  }
  Middle.copy_(From, false, Here);
  return R;
}

Tensor batch_norm(const Tensor &input, const optional<Tensor> &weight,
                  const optional<Tensor> &bias,
                  const optional<Tensor> &running_mean,
                  const optional<Tensor> &running_var, bool training,
                  double momentum, double eps, bool /*cudnn_enabled*/,
                  Site Here) {
  const char *Op = "batch_norm";
  const Shape &L = impl(input, Op, Here).L;
  if (L.rank() < 2)
    detail::fail("batch_norm: expected at least 2 dimensions", input, Here);
  const int64_t Channels = L.Sizes[1];
  auto Given = [](const optional<Tensor> &P) { return P && P->defined(); };
  if (input.numel() == 0) { // libtorch looks at nothing else then
    Tensor R = input.clone(nullopt, Here);
    if (Given(weight))
      R = R.mul(weight->select(0, 0, Here), Here);
    return Given(bias) ? R.add(bias->select(0, 0, Here), 1, Here) : R;
  }
  detail::requireFloating(input, Op, Here);
  for (const auto *P : {&weight, &bias, &running_mean, &running_var})
    if (Given(*P) && ((*P)->dim() != 1 || (*P)->size(0) != Channels))
      detail::fail("batch_norm: expected " + std::to_string(Channels) +
                       " elements, one for each channel",
                   **P, Here);
  if (!training && (!Given(running_mean) || !Given(running_var)))
    detail::fail("batch_norm: without training, running_mean and running_var "
                 "are needed",
                 input, Here);
  // Of the input's type; of a bfloat16 image all may be float32.
  bool AllSame = true, AllFloat = impl(input).Type == kBFloat16;
  const Tensor *Last = nullptr;
  for (const auto *P : {&weight, &bias, &running_mean, &running_var})
    if (Given(*P)) {
      AllFloat = AllFloat && impl(**P).Type == kFloat;
      if (impl(**P).Type != impl(input).Type) {
        AllSame = false;
        Last = &**P;
      }
    }
  if (!AllSame && !AllFloat)
    detail::fail(std::string("batch_norm: tensors of types ") +
                     toString(impl(input).Type) + " and " +
                     toString(impl(*Last).Type),
                 *Last, Here);
  std::vector<int64_t> Over, Wide(L.rank(), 1);
  for (size_t D = 0; D < L.rank(); ++D)
    if (D != 1)
      Over.push_back(static_cast<int64_t>(D));
  Wide[1] = Channels;
  Tensor Mean = Given(running_mean) ? *running_mean : Tensor();
  Tensor Var = Given(running_var) ? *running_var : Tensor();
  if (training) {
    Mean = input.mean(Over, false, nullopt, Here);
    Var = input.var(Over, false, false, Here);
    const double N =
        static_cast<double>(input.numel()) / static_cast<double>(Channels);
    if (Given(running_mean))
      running_mean->mul_(1 - momentum, Here).add_(Mean, momentum, Here);
    if (Given(running_var))
      running_var->mul_(1 - momentum, Here)
          .add_(Var, momentum * N / (N - 1), Here);
  }
  // What is computed in 16 bits is rounded once, at the end.
  const ScalarType Type = impl(input).Type;
  auto widened = [&](const Tensor &X) {
    return Type == kHalf || Type == kBFloat16 ? detail::castTo(X, kFloat, Here)
                                              : X;
  };
  Tensor R = widened(input).sub(widened(Mean).view(Wide, Here), 1, Here);
  R.mul_(widened(Var).add(eps, 1, Here).rsqrt(Here).view(Wide, Here), Here);
  if (Given(weight))
    R.mul_(weight->view(Wide, Here), Here);
  if (Given(bias))
    R.add_(bias->view(Wide, Here), 1, Here);
  const MemoryFormat Format = input.is_contiguous()
                                  ? MemoryFormat::Contiguous
                                  : input.suggest_memory_format();
  R = detail::castTo(R, Type, Here).contiguous(Format, Here);
  impl(R).L.Strides = *layout::formatStrides(
      Ar, L.Sizes, static_cast<layout::MemoryFormat>(Format));
  return R;
}

} // namespace tensortidy
