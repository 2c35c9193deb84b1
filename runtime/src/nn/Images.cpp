//===- Images.cpp - windows, scaling, padding, normalisation of images ----===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composed of views, selections and products. Windows are a view: with the
// strides of the image twice,
//
//   image [H, W], strides [W, 1]  ->  [kh, kw, oh, ow], strides [W, 1, W, 1]
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "kernels/Sliding.h"
#include "tensortidy/functional.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace tensortidy {

using detail::impl;
using detail::Pair;
using detail::requireBias;
using detail::text;
using detail::Windows;

namespace {

void requireImage(const Tensor &X, size_t Rank, const char *Op, Site Here) {
  if (impl(X, Op, Here).L.rank() != Rank)
    detail::fail(std::string(Op) + ": the input must have " +
                     std::to_string(Rank) + " dimensions",
                 X, Here);
}
/// A result, on memory other than \p From's, with exactly the strides of the
/// format, also of dimensions of size 1.
Tensor inFormat(const Tensor &X, const Tensor &From, MemoryFormat Format,
                const char *Op, Site Here) {
  Tensor R = X.contiguous(Format, Here);
  if (R.is_alias_of(From))
    R = X.clone(Format, Here);
  else if (R.is_same(X))
    R = X.alias(Here);
  auto &I = impl(R);
  I.L.Strides = *layout::formatStrides(
      detail::Ar, I.L.Sizes, static_cast<layout::MemoryFormat>(Format));
  I.Op = Op;
  I.Made = Here;
  return R;
}

//===--- windows --------------------------------------------------------===//

/// Windows given by two numbers each, over dimensions \p Dim and the next.
Windows windowsOf(const Tensor &Of, size_t Dim, Pair In, IntArrayRef Kernel,
                  IntArrayRef Dilation, IntArrayRef Padding, IntArrayRef Stride,
                  const char *Op, Site Here) {
  auto two = [&](IntArrayRef L, const char *What) {
    if (L.size() != 2)
      detail::fail(std::string(Op) + ": the " + What +
                       " must be two numbers, not " + text(L),
                   Here);
    return Pair(L[0], L[1]);
  };
  return {Of,
          Dim,
          In,
          two(Kernel, "kernel size"),
          two(Stride, "stride"),
          two(Padding, "padding"),
          two(Dilation, "dilation"),
          Op,
          Here};
}

/// \p R in memory that \p From would fit into, too, as libtorch leaves it.
Tensor roomFor(const Tensor &From, const Tensor &R, Site Here) {
  if (R.numel() >= From.numel())
    return R;
  const Tensor Wide =
      detail::allocateDense({From.numel()}, impl(R).Type, impl(R).Op, Here);
  Wide.resize_(R.sizes(), nullopt, Here);
  Wide.copy_(R, false, Here);
  return Wide;
}

} // namespace

Tensor im2col(const Tensor &self, IntArrayRef kernel_size, IntArrayRef dilation,
              IntArrayRef padding, IntArrayRef stride, Site Here) {
  const char *Op = "im2col";
  const size_t Rank = impl(self, Op, Here).L.rank();
  if (Rank != 3 && Rank != 4)
    detail::fail("im2col: expected 3 or 4 dimensions", self, Here);
  for (size_t D = Rank - 3; D < Rank; ++D)
    if (impl(self).L.Sizes[D] == 0)
      detail::fail("im2col: images of sizes " + text(self.sizes()) +
                       " do not fit, they are empty",
                   self, Here);
  if (impl(self).Type != kBool || !detail::has(detail::Change::Im2colTakesBool))
    detail::requireFloating(self, Op, Here);
  const Tensor Batch = Rank == 3 ? self.unsqueeze(0, Here) : self;
  const Windows W = windowsOf(self, Rank - 2, {Batch.size(2), Batch.size(3)},
                              kernel_size, dilation, padding, stride, Op, Here);
  const int64_t N = Batch.size(0), C = Batch.size(1);
  Tensor X = Batch;
  if (W.Pad.Y || W.Pad.X)
    X = constant_pad_nd(X, {W.Pad.X, W.Pad.X, W.Pad.Y, W.Pad.Y}, 0, Here);
  X = X.contiguous(MemoryFormat::Contiguous, Here); // padding keeps a format
  const int64_t H = X.size(2), Width = X.size(3);
  const Tensor R =
      X.as_strided({N, C, W.Kernel.Y, W.Kernel.X, W.Out.Y, W.Out.X},
                   {C * H * Width, H * Width, W.Dilation.Y * Width,
                    W.Dilation.X, W.Stride.Y * Width, W.Stride.X},
                   nullopt, Here)
          .clone(MemoryFormat::Contiguous, Here)
          .view({N, C * W.Kernel.Y * W.Kernel.X, W.Out.Y * W.Out.X}, Here);
  const Tensor Whole = roomFor(self, R, Here);
  return Rank == 3 ? Whole.squeeze(0, Here) : Whole;
}
Tensor col2im(const Tensor &self, IntArrayRef output_size,
              IntArrayRef kernel_size, IntArrayRef dilation,
              IntArrayRef padding, IntArrayRef stride, Site Here) {
  const char *Op = "col2im";
  const size_t Rank = impl(self, Op, Here).L.rank();
  if (Rank != 2 && Rank != 3)
    detail::fail("col2im: expected an input of 2 or 3 dimensions", self, Here);
  if (output_size.size() != 2)
    detail::fail("col2im: the output size must be two numbers", self, Here);
  if (impl(self).Type != kBool || !detail::has(detail::Change::Im2colTakesBool))
    detail::requireFloating(self, Op, Here);
  const Tensor X = Rank == 2 ? self.unsqueeze(0, Here) : self;
  const Pair Size(output_size[0], output_size[1]);
  // Of what it gives, not of the columns.
  const Windows W = windowsOf(self, 2, Size, kernel_size, dilation, padding,
                              stride, Op, Here);
  const int64_t Area = W.Kernel.Y * W.Kernel.X, N = X.size(0);
  if (X.size(1) == 0 || X.size(1) % Area != 0 || X.size(2) != W.Out.Y * W.Out.X)
    detail::fail("col2im: columns of sizes " + text(self.sizes()) +
                     " do not fit " + std::to_string(W.Out.Y) + "x" +
                     std::to_string(W.Out.X) + " windows of " +
                     std::to_string(W.Kernel.Y) + "x" +
                     std::to_string(W.Kernel.X),
                 self, Here);
  const int64_t C = X.size(1) / Area;
  const Tensor Columns =
      X.reshape({N, C, W.Kernel.Y, W.Kernel.X, W.Out.Y, W.Out.X}, Here);
  const Tensor Sum = zeros({N, C, Size.Y + 2 * W.Pad.Y, Size.X + 2 * W.Pad.X},
                           self.scalar_type(), Here);
  for (int64_t I = 0; I < W.Kernel.Y; ++I)
    for (int64_t J = 0; J < W.Kernel.X; ++J) {
      const int64_t Y = I * W.Dilation.Y, P = J * W.Dilation.X;
      Sum.slice(2, Y, Y + (W.Out.Y - 1) * W.Stride.Y + 1, W.Stride.Y, Here)
          .slice(3, P, P + (W.Out.X - 1) * W.Stride.X + 1, W.Stride.X, Here)
          .add_(Columns.select(2, I, Here).select(2, J, Here), 1, Here);
    }
  const Tensor R = Sum.narrow(2, W.Pad.Y, Size.Y, Here)
                       .narrow(3, W.Pad.X, Size.X, Here)
                       .clone(MemoryFormat::Contiguous, Here);
  const Tensor Whole = roomFor(self, R, Here);
  return Rank == 2 ? Whole.squeeze(0, Here) : Whole;
}

//===--- scaling --------------------------------------------------------===//

namespace {

/// The nearest element is the one at the left of where it falls, or the one
/// around it.
enum class Scaling { Nearest, Around, Linear, Cubic };
bool takesOne(Scaling How) {
  return How == Scaling::Nearest || How == Scaling::Around;
}

/// A number of an element type: what an operation yields is rounded to it.
struct Rounded {
  double V;
  ScalarType Type;

  Rounded of(double X) const {
    return {Type == kDouble     ? X
            : Type == kBFloat16 ? static_cast<double>(float(BFloat16(float(X))))
                                : static_cast<double>(static_cast<float>(X)),
            Type};
  }
  Rounded operator+(double B) const { return of(V + B); }
  Rounded operator-(double B) const { return of(V - B); }
  Rounded operator*(double B) const { return of(V * B); }
};

/// Where each new element of a dimension comes from: some old ones, weighted.
struct Taps {
  std::vector<std::vector<int64_t>> At;
  std::vector<std::vector<double>> Weight;

  Taps(Scaling How, int64_t In, int64_t Out, bool Align,
       optional<double> Factor, ScalarType Of) {
    const bool InFloat = detail::has(detail::Change::CubicInFloat) &&
                         (Of == kHalf || Of == kBFloat16);
    const ScalarType Type = InFloat ? kFloat : Of;
    const size_t Count = takesOne(How) ? 1 : How == Scaling::Linear ? 2 : 4;
    At.resize(Count);
    Weight.resize(Count);
    // Libtorch computes the weights of cubic scaling in the element type.
    auto number = [&](double X) {
      return How == Scaling::Cubic ? Rounded{1, Type}.of(X).V : X;
    };
    const double Step = number(
        Align && !takesOne(How)
            ? (Out > 1 ? number(double(In - 1)) / number(double(Out - 1)) : 0)
        : Factor && *Factor > 0 ? 1 / *Factor
                                : number(double(In)) / number(double(Out)));
    // As libtorch computes it: rounding decides which taps there are. Where
    // linear scaling looks is not rounded but at the end.
    auto place = [&](auto Step, int64_t K) {
      using Number = decltype(Step);
      if (Align || How == Scaling::Cubic) {
        const auto At = static_cast<Number>(K), Half = Number(0.5);
        return double(Align ? Step * At : Step * (At + Half) - Half);
      }
      return std::fma(double(Step), double(K) + 0.5, -0.5);
    };
    auto inside = [&](int64_t K) {
      return std::min(std::max<int64_t>(K, 0), In - 1);
    };
    for (int64_t K = 0; K < Out; ++K) {
      if (takesOne(How)) {
        const float Shift = How == Scaling::Around ? 0.5F : 0;
        add(0,
            inside(static_cast<int64_t>(
                std::floor((float(K) + Shift) * float(Step)))),
            1);
        continue;
      }
      double Place = Type == kDouble ? place(Step, K) : place(float(Step), K);
      if (How == Scaling::Linear && In == Out) {
        add(0, K, 1);
        add(1, K, 0);
        continue;
      }
      if (How == Scaling::Linear) {
        Place = std::max(Place, 0.0);
        const auto Low = inside(static_cast<int64_t>(Place));
        const double Part = std::min(Place - double(Low), 1.0);
        add(0, Low, 1 - Part);
        add(1, inside(Low + 1), Part);
        continue;
      }
      const auto Low = static_cast<int64_t>(std::floor(Place));
      const Rounded One{1, Type}, T = One * (Place - double(Low)),
                                  U = One - T.V;
      const double Weights[] = {far(T + 1), near(T), near(U), far(U + 1)};
      for (int64_t J = 0; J < 4; ++J)
        add(static_cast<size_t>(J), inside(Low + J - 1),
            InFloat ? narrowed(Weights[J], Of) : Weights[J]);
    }
  }
  void add(size_t Tap, int64_t Where, double W) {
    At[Tap].push_back(Where);
    Weight[Tap].push_back(W);
  }
  /// Keys' kernel with A = -0.75, up to 1 and from there to 2.
  static double near(Rounded X) {
    return ((X * 1.25 - 2.25) * X.V * X.V + 1).V;
  }
  static double far(Rounded X) {
    return (((X * -0.75 + 3.75) * X.V - 6) * X.V + 3).V;
  }
  static double narrowed(double W, ScalarType Type) {
    const auto V = static_cast<float>(W);
    return Type == kHalf ? double(float(Half(V))) : double(float(BFloat16(V)));
  }
  /// Of bytes: the weights are integers of so many bits as a sum has room for,
  /// those of one element together.
  Tensor applyToBytes(const Tensor &X, int64_t Dim, Site Here) const {
    std::vector<std::map<int64_t, double>> Merged(At.front().size());
    double Most = 0;
    for (size_t K = 0; K < Merged.size(); ++K) {
      for (size_t Tap = 0; Tap < At.size(); ++Tap)
        Merged[K][At[Tap][K]] += Weight[Tap][K];
      for (const auto &[Where, W] : Merged[K])
        Most = std::max(Most, W);
    }
    int Bits = 0;
    while (Bits < 22 && int(0.5 + Most * (1 << (Bits + 1))) < 1 << 15)
      ++Bits;
    const Tensor Sums = X.to(kInt).transpose(Dim, 0, Here);
    std::vector<Tensor> Places;
    for (const auto &Elements : Merged) {
      Tensor Sum = full_like(Sums.select(0, 0, Here), Scalar(1 << (Bits - 1)),
                             {}, nullopt, Here);
      for (const auto &[Where, W] : Elements) {
        const double Scaled = W * (1 << Bits);
        const int Whole = static_cast<int>(Scaled + (Scaled < 0 ? -0.5 : 0.5));
        Sum.add_(Sums.select(0, Where, Here), Scalar(Whole), Here);
      }
      Places.push_back(Sum);
    }
    return stack(Places, 0, Here)
        .bitwise_right_shift(Scalar(Bits), Here)
        .clamp(Scalar(0), Scalar(255), Here)
        .transpose(Dim, 0, Here)
        .to(kByte);
  }
  /// Of one of the last dimensions.
  Tensor apply(const Tensor &X, int64_t Dim, Site Here) const {
    Tensor R;
    for (size_t K = 0; K < At.size(); ++K) {
      const Tensor Part = X.index_select(Dim, tensor(At[K], kLong, Here), Here);
      if (At.size() == 1)
        return Part;
      Tensor W = tensor(Weight[K], X.scalar_type(), Here);
      for (int64_t Behind = -1; Behind > Dim; --Behind)
        W = W.unsqueeze(-1, Here);
      R = R.defined() ? R.add_(Part.mul(W, Here), 1, Here) : Part.mul(W, Here);
    }
    return R;
  }
};

Tensor scaled(const Tensor &X, IntArrayRef Size, Scaling How, bool Align,
              const std::vector<optional<double>> &Factors, const char *Op,
              Site Here) {
  const size_t Spatial = Factors.size();
  requireImage(X, Spatial + 2, Op, Here);
  if (Size.size() != Spatial)
    detail::fail(std::string(Op) + ": the output size must be " +
                     (Spatial == 1   ? "one number"
                      : Spatial == 2 ? "two numbers"
                                     : "three numbers"),
                 X, Here);
  for (int64_t N : Size)
    if (N <= 0)
      detail::fail(std::string(Op) + ": the output size " + text(Size) +
                       " is not positive",
                   X, Here);
  for (int64_t D = 1; D < X.dim(); ++D)
    if (X.size(D) == 0)
      detail::fail(std::string(Op) + ": the output size " + text(Size) +
                       " does not fit images of sizes " + text(X.sizes()),
                   X, Here);
  const bool InBytes = Spatial == 2 && !takesOne(How) &&
                       impl(X).Type == kByte &&
                       detail::has(detail::Change::ImagesOfBytes);
  if (!InBytes && (!takesOne(How) || impl(X).Type != kByte))
    detail::requireFloating(X, Op, Here);
  const MemoryFormat Format = How == Scaling::Cubic ? MemoryFormat::Contiguous
                                                    : X.suggest_memory_format();
  const ScalarType Type = impl(X).Type;
  // Of bfloat16, early releases round each product and sum of cubic scaling.
  const bool AsFloat =
      Type == kHalf ||
      (Type == kBFloat16 &&
       (How != Scaling::Cubic || detail::has(detail::Change::CubicInFloat)));
  Tensor R = AsFloat ? detail::castTo(X, kFloat, Here) : X;
  for (size_t K = Spatial; K-- > 0;) {
    const int64_t Dim = static_cast<int64_t>(K) - static_cast<int64_t>(Spatial);
    const Taps Of(How, X.size(Dim), Size[K], Align, Factors[K],
                  InBytes ? kDouble : Type);
    R = InBytes ? Of.applyToBytes(R, Dim, Here) : Of.apply(R, Dim, Here);
  }
  return inFormat(detail::castTo(R, Type, Here), X, Format, Op, Here);
}

} // namespace

#define NEAREST(NAME, HOW)                                                     \
  Tensor NAME##1d(const Tensor &self, IntArrayRef output_size,                 \
                  optional<double> scales, Site Here) {                        \
    return scaled(self, output_size, HOW, false, {scales}, #NAME "1d", Here);  \
  }                                                                            \
  Tensor NAME##2d(const Tensor &self, IntArrayRef output_size,                 \
                  optional<double> scales_h, optional<double> scales_w,        \
                  Site Here) {                                                 \
    return scaled(self, output_size, HOW, false, {scales_h, scales_w},         \
                  #NAME "2d", Here);                                           \
  }                                                                            \
  Tensor NAME##3d(const Tensor &self, IntArrayRef output_size,                 \
                  optional<double> scales_d, optional<double> scales_h,        \
                  optional<double> scales_w, Site Here) {                      \
    return scaled(self, output_size, HOW, false,                               \
                  {scales_d, scales_h, scales_w}, #NAME "3d", Here);           \
  }
NEAREST(upsample_nearest, Scaling::Nearest)
NEAREST(_upsample_nearest_exact, Scaling::Around)
#undef NEAREST
Tensor upsample_linear1d(const Tensor &self, IntArrayRef output_size,
                         bool align_corners, optional<double> scales,
                         Site Here) {
  return scaled(self, output_size, Scaling::Linear, align_corners, {scales},
                "upsample_linear1d", Here);
}
Tensor upsample_bilinear2d(const Tensor &self, IntArrayRef output_size,
                           bool align_corners, optional<double> scales_h,
                           optional<double> scales_w, Site Here) {
  return scaled(self, output_size, Scaling::Linear, align_corners,
                {scales_h, scales_w}, "upsample_bilinear2d", Here);
}
Tensor upsample_trilinear3d(const Tensor &self, IntArrayRef output_size,
                            bool align_corners, optional<double> scales_d,
                            optional<double> scales_h,
                            optional<double> scales_w, Site Here) {
  return scaled(self, output_size, Scaling::Linear, align_corners,
                {scales_d, scales_h, scales_w}, "upsample_trilinear3d", Here);
}
Tensor upsample_bicubic2d(const Tensor &self, IntArrayRef output_size,
                          bool align_corners, optional<double> scales_h,
                          optional<double> scales_w, Site Here) {
  const Tensor R = scaled(self, output_size, Scaling::Cubic, align_corners,
                          {scales_h, scales_w}, "upsample_bicubic2d", Here);
  return detail::has(detail::Change::BicubicKeepsFormat)
             ? inFormat(R, self, self.suggest_memory_format(),
                        "upsample_bicubic2d", Here)
             : R;
}

//===--- padding --------------------------------------------------------===//

enum class Border { Reflect, Replicate, Circular };

/// Each new place along a dimension repeats an old one.
static Tensor padded(const Tensor &X, IntArrayRef Pad, Border How,
                     const char *Op, Site Here) {
  Tensor R = X;
  // libtorch is content when one dimension has elements.
  bool MayVanish = How == Border::Circular;
  const bool Checks = How == Border::Replicate &&
                      detail::has(detail::Change::ReplicationLeavesSome);
  for (size_t K = 0; K < Pad.size() / 2; ++K)
    MayVanish = MayVanish || (!Checks && X.size(-1 - static_cast<int64_t>(K)) +
                                                 Pad[2 * K] + Pad[2 * K + 1] >
                                             0);
  for (size_t K = 0; K < Pad.size() / 2; ++K) {
    const int64_t Dim = -1 - static_cast<int64_t>(K), N = X.size(Dim);
    const int64_t Front = Pad[2 * K], Back = Pad[2 * K + 1];
    const int64_t Most = How == Border::Reflect    ? N - 1
                         : How == Border::Circular ? N
                                                   : std::max(Front, Back);
    if (Front > Most || Back > Most)
      detail::fail(std::string(Op) + ": the padding " + text(Pad) +
                       " is too great for size " + std::to_string(N),
                   X, Here);
    if (N + Front + Back < 0 || (N + Front + Back == 0 && !MayVanish))
      detail::fail(std::string(Op) + ": the padding " + text(Pad) +
                       " leaves nothing of size " + std::to_string(N),
                   X, Here);
    std::vector<int64_t> At;
    for (int64_t I = -Front; I < N + Back; ++I)
      At.push_back(How == Border::Circular ? (I + N) % N
                   : How == Border::Replicate
                       ? std::min(std::max<int64_t>(I, 0), N - 1)
                   : I < 0  ? -I
                   : I >= N ? 2 * (N - 1) - I
                            : I);
    R = R.index_select(Dim, tensor(At, kLong, Here), Here);
  }
  return R;
}
static Tensor borderPad(const Tensor &X, IntArrayRef Pad, size_t Spatial,
                        Border How, const char *Op, Site Here) {
  if (Pad.size() != 2 * Spatial)
    detail::fail(std::string(Op) + ": two numbers for each of the last " +
                     std::to_string(Spatial) + " dimensions are needed",
                 X, Here);
  const size_t Rank = impl(X, Op, Here).L.rank();
  if (Rank != Spatial + 1 && Rank != Spatial + 2)
    detail::fail(std::string(Op) + ": the input must have " +
                     std::to_string(Spatial + 1) + " or " +
                     std::to_string(Spatial + 2) + " dimensions",
                 X, Here);
  // There may be no images; once it did not look at the channels of one.
  const bool Checks = detail::has(detail::Change::ReflectionNeedsChannels);
  for (size_t D = (How == Border::Reflect && !Checks) || Rank > Spatial + 1;
       D < Rank; ++D)
    if (impl(X).L.Sizes[D] == 0)
      detail::fail(std::string(Op) + ": images of sizes " + text(X.sizes()) +
                       " do not fit, they are empty",
                   X, Here);
  if (!detail::has(detail::Change::PadsTakeIntegers))
    detail::requireFloating(X, Op, Here);
  else
    detail::requireNotBool(X, Op, Here);
  const bool Keeps = detail::has(detail::Change::PadsKeepFormat) &&
                     Spatial == 2 && Rank == 4 && Pad.size() == 4;
  return inFormat(padded(X, Pad, How, Op, Here), X,
                  Keeps ? X.suggest_memory_format() : MemoryFormat::Contiguous,
                  Op, Here);
}
Tensor reflection_pad1d(const Tensor &self, IntArrayRef padding, Site Here) {
  return borderPad(self, padding, 1, Border::Reflect, "reflection_pad1d", Here);
}
Tensor reflection_pad2d(const Tensor &self, IntArrayRef padding, Site Here) {
  return borderPad(self, padding, 2, Border::Reflect, "reflection_pad2d", Here);
}
Tensor replication_pad1d(const Tensor &self, IntArrayRef padding, Site Here) {
  return borderPad(self, padding, 1, Border::Replicate, "replication_pad1d",
                   Here);
}
Tensor replication_pad2d(const Tensor &self, IntArrayRef padding, Site Here) {
  return borderPad(self, padding, 2, Border::Replicate, "replication_pad2d",
                   Here);
}
Tensor pad(const Tensor &self, IntArrayRef pad, std::string_view mode,
           optional<double> value, Site Here) {
  if (mode == "constant")
    return constant_pad_nd(self, pad, value.value_or(0), Here);
  if (value && *value != 0)
    detail::fail("pad: mode " + std::string(mode) + " takes no value", self,
                 Here);
  const size_t Spatial = pad.size() / 2;
  if (mode == "reflect" || mode == "replicate") {
    const Border How = mode == "reflect" ? Border::Reflect : Border::Replicate;
    if (pad.size() != 2 && pad.size() != 4)
      detail::fail("pad: two numbers for each of the last one or two "
                   "dimensions are needed",
                   self, Here);
    return borderPad(self, pad, Spatial, How, "pad", Here);
  }
  if (mode != "circular")
    detail::fail("pad: the padding mode must be constant, reflect, replicate "
                 "or circular, not " +
                     std::string(mode),
                 self, Here);
  const size_t Rank = impl(self, "pad", Here).L.rank();
  const bool One =
      detail::has(detail::Change::CircularPadOfOne) && Rank == Spatial + 1;
  if (pad.size() % 2 != 0 || (Rank != Spatial + 2 && !One))
    detail::fail("pad: two numbers for each of the last dimensions but two are "
                 "needed",
                 self, Here);
  return inFormat(padded(self, pad, Border::Circular, "pad", Here), self,
                  MemoryFormat::Contiguous, "pad", Here);
}

//===--- between channels and places ------------------------------------===//

static MemoryFormat placesFormat(const Tensor &X, const char *Op, Site Here) {
  const MemoryFormat Format = X.suggest_memory_format();
  if (Format == MemoryFormat::ChannelsLast3d)
    detail::fail(std::string(Op) +
                     ": the memory format ChannelsLast3d is not supported here",
                 X, Here);
  return Format;
}
Tensor pixel_shuffle(const Tensor &self, int64_t upscale_factor, Site Here) {
  const char *Op = "pixel_shuffle";
  const int64_t R = upscale_factor;
  if (impl(self, Op, Here).L.rank() < 3)
    detail::fail("pixel_shuffle needs at least 3 dimensions", self, Here);
  if (R <= 0)
    detail::fail("pixel_shuffle: the factor is not positive", self, Here);
  const int64_t C = self.size(-3), H = self.size(-2), W = self.size(-1);
  if (C % (R * R) != 0)
    detail::fail("pixel_shuffle: " + std::to_string(C) +
                     " channels: the number is not divisible by " +
                     std::to_string(R * R),
                 self, Here);
  const MemoryFormat Format = placesFormat(self, Op, Here);
  std::vector<int64_t> Sizes(self.sizes().begin(), self.sizes().end() - 3);
  const auto Lead = static_cast<int64_t>(Sizes.size());
  std::vector<int64_t> Split = Sizes, Order;
  Split.insert(Split.end(), {C / (R * R), R, R, H, W});
  for (int64_t D = 0; D < Lead; ++D)
    Order.push_back(D);
  Order.insert(Order.end(), {Lead, Lead + 3, Lead + 1, Lead + 4, Lead + 2});
  Sizes.insert(Sizes.end(), {C / (R * R), H * R, W * R});
  return inFormat(
      self.reshape(Split, Here).permute(Order, Here).reshape(Sizes, Here), self,
      Format, Op, Here);
}
Tensor pixel_unshuffle(const Tensor &self, int64_t downscale_factor,
                       Site Here) {
  const char *Op = "pixel_unshuffle";
  const int64_t R = downscale_factor;
  if (impl(self, Op, Here).L.rank() < 3)
    detail::fail("pixel_unshuffle needs at least 3 dimensions", self, Here);
  if (R <= 0)
    detail::fail("pixel_unshuffle: the factor is not positive", self, Here);
  const int64_t C = self.size(-3), H = self.size(-2), W = self.size(-1);
  if (H % R != 0 || W % R != 0)
    detail::fail("pixel_unshuffle: " + std::to_string(H) + "x" +
                     std::to_string(W) + " is not divisible by " +
                     std::to_string(R),
                 self, Here);
  const MemoryFormat Format = placesFormat(self, Op, Here);
  std::vector<int64_t> Sizes(self.sizes().begin(), self.sizes().end() - 3);
  const auto Lead = static_cast<int64_t>(Sizes.size());
  std::vector<int64_t> Split = Sizes, Order;
  Split.insert(Split.end(), {C, H / R, R, W / R, R});
  for (int64_t D = 0; D < Lead; ++D)
    Order.push_back(D);
  Order.insert(Order.end(), {Lead, Lead + 2, Lead + 4, Lead + 1, Lead + 3});
  Sizes.insert(Sizes.end(), {C * R * R, H / R, W / R});
  return inFormat(
      self.reshape(Split, Here).permute(Order, Here).reshape(Sizes, Here), self,
      Format, Op, Here);
}
Tensor channel_shuffle(const Tensor &self, int64_t groups, Site Here) {
  const char *Op = "channel_shuffle";
  if (impl(self, Op, Here).L.rank() < 3)
    detail::fail("channel_shuffle needs at least 3 dimensions", self, Here);
  if (groups <= 0)
    detail::fail("channel_shuffle: the number of groups is not positive", self,
                 Here);
  const int64_t C = self.size(1);
  if (C % groups != 0)
    detail::fail("channel_shuffle: " + std::to_string(C) +
                     " channels: the number is not divisible by " +
                     std::to_string(groups),
                 self, Here);
  if (self.numel() == 0)
    return self;
  std::vector<int64_t> Split = self.sizes().vec();
  Split[1] = C / groups;
  Split.insert(Split.begin() + 1, groups);
  return inFormat(self.reshape(Split, Here)
                      .transpose(1, 2, Here)
                      .reshape(self.sizes(), Here),
                  self, self.suggest_memory_format(), Op, Here);
}

//===--- normalisation --------------------------------------------------===//

Tensor group_norm(const Tensor &input, int64_t num_groups,
                  const optional<Tensor> &weight, const optional<Tensor> &bias,
                  double eps, bool, Site Here) {
  const char *Op = "group_norm";
  const size_t Rank = impl(input, Op, Here).L.rank();
  if (Rank < 2)
    detail::fail("group_norm: expected at least 2 dimensions", input, Here);
  const int64_t N = input.size(0), C = input.size(1);
  if (num_groups <= 0 || C % num_groups != 0)
    detail::fail("group_norm: " + std::to_string(C) +
                     " channels: the number is not divisible by " +
                     std::to_string(num_groups),
                 input, Here);
  if (detail::has(detail::Change::GroupNormRefusesEmpty))
    for (size_t D = 1; D < Rank; ++D)
      if (impl(input).L.Sizes[D] == 0)
        detail::fail("group_norm: images of sizes " + text(input.sizes()) +
                         " do not fit, they are empty",
                     input, Here);
  detail::requireFloating(input, Op, Here);
  for (const auto *P : {&weight, &bias})
    if (*P && (*P)->defined() && ((*P)->dim() != 1 || (*P)->numel() != C))
      detail::fail("group_norm: expected " + std::to_string(C) +
                       " elements, one for each channel",
                   **P, Here);
  const ScalarType Type = impl(input).Type;
  Tensor R =
      elementSize(Type) == 2 ? detail::castTo(input, kFloat, Here) : input;
  if (input.numel() != 0) {
    R = R.reshape({N, num_groups, -1}, Here);
    R = R.sub(R.mean({2}, true, nullopt, Here), 1, Here)
            .mul_(R.var({2}, false, true, Here).add_(eps, 1, Here).rsqrt_(Here),
                  Here)
            .reshape(input.sizes(), Here); // it may have taken turned strides
    std::vector<int64_t> Wide(Rank, 1);
    Wide[1] = C;
    if (weight && weight->defined())
      R.mul_(weight->view(Wide, Here), Here);
    if (bias && bias->defined())
      R.add_(bias->view(Wide, Here), 1, Here);
  } else {
    R = R.clone(nullopt, Here);
  }
  return inFormat(detail::castTo(R, Type, Here), input,
                  input.suggest_memory_format(), Op, Here);
}
Tensor instance_norm(const Tensor &input, const optional<Tensor> &weight,
                     const optional<Tensor> &bias,
                     const optional<Tensor> &running_mean,
                     const optional<Tensor> &running_var, bool use_input_stats,
                     double momentum, double eps, bool cudnn_enabled,
                     Site Here) {
  const char *Op = "instance_norm";
  auto given = [](const optional<Tensor> &X) { return X && X->defined(); };
  if (impl(input, Op, Here).L.rank() < 2)
    detail::fail("instance_norm: expected at least 2 dimensions", input, Here);
  if (!use_input_stats && !(given(running_mean) && given(running_var)))
    detail::fail("instance_norm: without statistics of the input, running_mean "
                 "and running_var are needed",
                 input, Here);
  const int64_t N = input.size(0), C = input.size(1);
  std::vector<int64_t> Sizes = input.sizes().vec();
  Sizes[0] = 1;
  Sizes[1] = N * C;
  auto repeated = [&](const optional<Tensor> &X) {
    return given(X) ? optional<Tensor>(X->repeat({N}, Here)) : X;
  };
  const optional<Tensor> Mean = repeated(running_mean),
                         Var = repeated(running_var);
  const Tensor R = batch_norm(
      input.contiguous(MemoryFormat::Contiguous, Here).view(Sizes, Here),
      repeated(weight), repeated(bias), Mean, Var, use_input_stats, momentum,
      eps, cudnn_enabled, Here);
  if (given(running_mean))
    running_mean->copy_(Mean->view({N, C}, Here).mean(0, false, nullopt, Here),
                        false, Here);
  if (given(running_var))
    running_var->copy_(Var->view({N, C}, Here).mean(0, false, nullopt, Here),
                       false, Here);
  return R.view(input.sizes(), Here);
}

//===--- convolutions and pools -----------------------------------------===//

/// Adds one number to each channel of \p Out, of which there are \p Channels.
static void addBias(Tensor &Out, const optional<Tensor> &Bias, int64_t Channels,
                    IntArrayRef Sizes, const char *Op, Site Here) {
  if (requireBias(Bias, Channels, Op, Here))
    Out.add_(Bias->view(Sizes, Here), 1, Here);
}

/// One number for depth, height and width, or one for each.
static std::array<int64_t, 3> three(IntArrayRef L, int64_t Otherwise,
                                    const char *Op, Site Here) {
  if (L.size() > 1 && L.size() != 3)
    detail::fail(std::string(Op) + ": expected one number or three, got " +
                     text(L),
                 Here);
  std::array<int64_t, 3> R{Otherwise, Otherwise, Otherwise};
  for (size_t K = 0; K < 3 && !L.empty(); ++K)
    R[K] = L[L.size() == 3 ? K : 0];
  return R;
}

/// Who computes a convolution decides what its format is and, of a transposed
/// one, whether it may be empty. oneDNN does, but for one image in one group,
/// and, of one thread, for a kernel of one element.
static bool isOfOneDnn(const Tensor &X, const Tensor &Weight, int64_t Groups,
                       IntArrayRef Stride, IntArrayRef Extra,
                       IntArrayRef Dilation) {
  if (X.scalar_type() != kFloat)
    return false;
  bool IsPlain = X.size(0) < 16;
  for (size_t K = 0; K < Stride.size(); ++K) {
    if (Extra[K] >= Stride[K])
      return false;
    IsPlain = IsPlain && Stride[K] == 1 && Dilation[K] == 1;
  }
  const int64_t KY = Weight.size(-2), KX = Weight.size(-1);
  if (IsPlain && KY == 1 && KX == 1)
    return false;
  return X.size(0) > 1 || Groups > 1 || (KY > 3 && KX > 3) ||
         X.size(0) * X.size(1) * X.size(2) * X.size(3) > 20480;
}
Tensor conv3d(const Tensor &input, const Tensor &weight,
              const optional<Tensor> &bias, IntArrayRef stride,
              IntArrayRef padding, IntArrayRef dilation, int64_t groups,
              Site Here) {
  const char *Op = "conv3d";
  const size_t Rank = impl(input, Op, Here).L.rank();
  if ((Rank != 4 && Rank != 5) || impl(weight, Op, Here).L.rank() != 5)
    detail::fail("conv3d: the input must have 4 or 5 dimensions, the weight "
                 "must have 5 dimensions",
                 input, Here);
  const auto S = three(stride, 1, Op, Here), P = three(padding, 0, Op, Here),
             D = three(dilation, 1, Op, Here);
  const Tensor X = Rank == 4 ? input.unsqueeze(0, Here) : input;
  const int64_t In = X.size(2), Kernel = weight.size(2);
  const int64_t Deep =
      detail::places(input, Rank - 3, In, {Kernel, S[0], P[0], D[0]}, Op, Here);
  auto plane = [&](int64_t Z, int64_t K) {
    return conv2d(X.select(2, Z, Here), weight.select(2, K, Here), {},
                  {S[1], S[2]}, {P[1], P[2]}, {D[1], D[2]}, groups, Here);
  };
  std::vector<Tensor> Planes;
  for (int64_t Z = 0; Z < Deep; ++Z) {
    Tensor Sum;
    for (int64_t K = 0; K < Kernel; ++K) {
      const int64_t At = Z * S[0] - P[0] + K * D[0];
      if (At < 0 || At >= In)
        continue;
      const Tensor Part = plane(At, K);
      Sum = Sum.defined() ? Sum.add_(Part, 1, Here) : Part;
    }
    if (!Sum.defined()) // only padding
      Sum = zeros_like(plane(0, 0), {}, nullopt, Here);
    Planes.push_back(Sum);
  }
  Tensor R = stack(Planes, 2, Here);
  addBias(R, bias, weight.size(0), {-1, 1, 1, 1}, Op, Here);
  const bool KeepsFormat =
      detail::has(detail::Change::ConvolutionsKeepFormat) &&
      isOfOneDnn(X, weight, groups, S, {0, 0, 0}, D);
  R = inFormat(
      R, X, KeepsFormat ? X.suggest_memory_format() : MemoryFormat::Contiguous,
      Op, Here);
  return Rank == 4 ? R.squeeze(0, Here) : R;
}
/// Each element spreads the kernel over the output: a product, then the sums
/// of columns.
static bool transposedMayBeEmpty(const Tensor &X, const Tensor &Weight,
                                 int64_t Groups, IntArrayRef Stride,
                                 IntArrayRef Extra, IntArrayRef Dilation) {
  return detail::has(detail::Change::TransposedMayBeEmpty) &&
         isOfOneDnn(X, Weight, Groups, Stride, Extra, Dilation);
}
Tensor conv_transpose2d(const Tensor &input, const Tensor &weight,
                        const optional<Tensor> &bias, IntArrayRef stride,
                        IntArrayRef padding, IntArrayRef output_padding,
                        int64_t groups, IntArrayRef dilation, Site Here) {
  const char *Op = "conv_transpose2d";
  const size_t Rank = impl(input, Op, Here).L.rank();
  if (Rank != 3 && Rank != 4)
    detail::fail("conv_transpose2d: expected 3 or 4 dimensions", input, Here);
  if (impl(weight, Op, Here).L.rank() != 4)
    detail::fail("conv_transpose2d: the weight must have 4 dimensions", weight,
                 Here);
  if (impl(weight).Type != impl(input).Type ||
      !isFloatingType(impl(input).Type))
    detail::fail("conv_transpose2d: input and weight must have one floating "
                 "type",
                 weight, Here);
  const Tensor X = Rank == 3 ? input.unsqueeze(0, Here) : input;
  const Pair S(stride, {1, 1}, "stride", Op, Here),
      P(padding, {0, 0}, "padding", Op, Here),
      More(output_padding, {0, 0}, "output padding", Op, Here),
      D(dilation, {1, 1}, "dilation", Op, Here);
  const int64_t N = X.size(0), C = X.size(1), H = X.size(2), W = X.size(3);
  const int64_t KY = weight.size(2), KX = weight.size(3);
  if (groups <= 0 || C != weight.size(0) || C % groups != 0 || C == 0)
    detail::fail("conv_transpose2d: a weight of sizes " + text(weight.sizes()) +
                     " in " + std::to_string(groups) + " groups does not fit " +
                     std::to_string(C) + " channels",
                 input, Here);
  for (const auto &[What, L] :
       {std::pair("stride", S), std::pair("dilation", D)}) {
    detail::requirePositive(L.Y, What, Op, Here);
    detail::requirePositive(L.X, What, Op, Here);
  }
  if (P.Y < 0 || P.X < 0)
    detail::fail(std::string(Op) + ": the padding is negative", input, Here);
  if (More.Y < 0 || More.X < 0 || More.Y >= std::max(S.Y, D.Y) ||
      More.X >= std::max(S.X, D.X))
    detail::fail(std::string(Op) + ": the padding of the output must be "
                                   "smaller than stride or dilation",
                 input, Here);
  auto size = [](int64_t In, const detail::Window &Over, int64_t Extra) {
    return layout::transposedSize(detail::Ar, In, Over, Extra);
  };
  const Pair Size(size(H, {KY, S.Y, P.Y, D.Y}, More.Y),
                  size(W, {KX, S.X, P.X, D.X}, More.X));
  const bool MayBeEmpty = transposedMayBeEmpty(X, weight, groups, {S.Y, S.X},
                                               {More.Y, More.X}, {D.Y, D.X});
  if (MayBeEmpty && Size.Y >= 0 && Size.X >= 0 &&
      (Size.Y == 0 || Size.X == 0) && KY != 0 && KX != 0 &&
      weight.size(1) != 0 && H != 0 && W != 0) {
    const Tensor R = empty({N, groups * weight.size(1), Size.Y, Size.X},
                           input.options(), X.suggest_memory_format(), Here);
    return Rank == 3 ? R.squeeze(0, Here) : R;
  }
  if (Size.Y <= 0 || Size.X <= 0 || KY == 0 || KX == 0 || weight.size(1) == 0 ||
      H == 0 || W == 0)
    detail::fail("conv_transpose2d: a weight of sizes " + text(weight.sizes()) +
                     " does not fit, the output would "
                     "be empty",
                 input, Here);
  const int64_t Ins = C / groups, Outs = weight.size(1);
  const Tensor Rows =
      weight.reshape({groups, Ins, Outs * KY * KX}, Here).transpose(1, 2, Here);
  // Columns for as many places as the image has; those of the output's padding
  // get none.
  const Tensor Columns =
      Rows.matmul(X.reshape({N, groups, Ins, H * W}, Here), Here)
          .view({N * groups, Outs * KY * KX, H * W}, Here);
  const Tensor Sum =
      N == 0 ? zeros({0, Outs, Size.Y - More.Y, Size.X - More.X},
                     input.scalar_type(), Here)
             : col2im(Columns,
                      {Size.Y - More.Y + 2 * P.Y, Size.X - More.X + 2 * P.X},
                      {KY, KX}, {D.Y, D.X}, {0, 0}, {S.Y, S.X}, Here);
  // The output's padding is not empty: it takes from the cut-off border.
  Tensor R =
      N == 0 ? zeros({0, Outs, Size.Y, Size.X}, input.scalar_type(), Here)
             : constant_pad_nd(Sum, {-P.X, More.X - P.X, -P.Y, More.Y - P.Y}, 0,
                               Here);
  R = R.view({N, groups * Outs, Size.Y, Size.X}, Here);
  addBias(R, bias, groups * Outs, {-1, 1, 1}, Op, Here);
  R = inFormat(R, X,
               detail::has(detail::Change::ConvolutionsKeepFormat)
                   ? X.suggest_memory_format()
                   : MemoryFormat::Contiguous,
               Op, Here);
  return Rank == 3 ? R.squeeze(0, Here) : R;
}
/// Each plane of the input spreads each plane of the kernel over one plane of
/// the output.
Tensor conv_transpose3d(const Tensor &input, const Tensor &weight,
                        const optional<Tensor> &bias, IntArrayRef stride,
                        IntArrayRef padding, IntArrayRef output_padding,
                        int64_t groups, IntArrayRef dilation, Site Here) {
  const char *Op = "conv_transpose3d";
  const size_t Rank = impl(input, Op, Here).L.rank();
  if ((Rank != 4 && Rank != 5) || impl(weight, Op, Here).L.rank() != 5)
    detail::fail("conv_transpose3d: the input must have 4 or 5 dimensions, the "
                 "weight must have 5 dimensions",
                 input, Here);
  const auto S = three(stride, 1, Op, Here), P = three(padding, 0, Op, Here),
             More = three(output_padding, 0, Op, Here),
             D = three(dilation, 1, Op, Here);
  detail::requirePositive(S[0], "stride", Op, Here);
  detail::requirePositive(D[0], "dilation", Op, Here);
  if (P[0] < 0)
    detail::fail("conv_transpose3d: the padding is negative", input, Here);
  if (More[0] < 0 || More[0] >= std::max(S[0], D[0]))
    detail::fail("conv_transpose3d: the padding of the output must be smaller "
                 "than stride or dilation",
                 input, Here);
  const Tensor X = Rank == 4 ? input.unsqueeze(0, Here) : input;
  const int64_t In = X.size(2), Kernel = weight.size(2),
                Out = layout::transposedSize(
                    detail::Ar, In, {Kernel, S[0], P[0], D[0]}, More[0]);
  auto plane = [&](int64_t Z, int64_t K) {
    return conv_transpose2d(X.select(2, Z, Here), weight.select(2, K, Here), {},
                            {S[1], S[2]}, {P[1], P[2]}, {More[1], More[2]},
                            groups, {D[1], D[2]}, Here);
  };
  if (In != 0 && Kernel != 0 && Out == 0 &&
      transposedMayBeEmpty(X, weight, groups, S, More, D)) {
    const Tensor One = plane(0, 0);
    const Tensor R =
        empty({One.size(0), One.size(1), 0, One.size(2), One.size(3)},
              input.options(), nullopt, Here);
    return Rank == 4 ? R.squeeze(0, Here) : R;
  }
  if (In == 0 || Kernel == 0 || Out <= 0)
    detail::fail("conv_transpose3d: a weight of sizes " + text(weight.sizes()) +
                     " does not fit, the output would be empty",
                 input, Here);
  std::vector<Tensor> Planes(static_cast<size_t>(Out));
  Tensor Any;
  for (int64_t Z = 0; Z < In; ++Z)
    for (int64_t K = 0; K < Kernel; ++K) {
      const int64_t At = Z * S[0] - P[0] + K * D[0];
      if (At < 0 || At >= Out)
        continue;
      Any = plane(Z, K);
      Tensor &Sum = Planes[static_cast<size_t>(At)];
      Sum = Sum.defined() ? Sum.add_(Any, 1, Here) : Any;
    }
  if (!Any.defined()) // all of it is cut off
    Any = plane(0, 0);
  for (Tensor &Plane : Planes)
    if (!Plane.defined())
      Plane = zeros_like(Any, {}, nullopt, Here);
  Tensor R = stack(Planes, 2, Here);
  addBias(R, bias, weight.size(1) * groups, {-1, 1, 1, 1}, Op, Here);
  const bool KeepsFormat =
      detail::has(detail::Change::ConvolutionsKeepFormat) &&
      isOfOneDnn(X, weight, groups, S, More, D);
  R = inFormat(R, input,
               KeepsFormat ? X.suggest_memory_format()
                           : MemoryFormat::Contiguous,
               Op, Here);
  return Rank == 4 ? R.squeeze(0, Here) : R;
}
Tensor conv_transpose1d(const Tensor &input, const Tensor &weight,
                        const optional<Tensor> &bias, IntArrayRef stride,
                        IntArrayRef padding, IntArrayRef output_padding,
                        int64_t groups, IntArrayRef dilation, Site Here) {
  const char *Op = "conv_transpose1d";
  const size_t Rank = impl(input, Op, Here).L.rank();
  if ((Rank != 2 && Rank != 3) || impl(weight, Op, Here).L.rank() != 3)
    detail::fail("conv_transpose1d: expected an input of 2 or 3 dimensions and "
                 "a weight of 3",
                 input, Here);
  auto one = [](IntArrayRef L, int64_t Otherwise) {
    return L.empty() ? Otherwise : L[0];
  };
  const Tensor X = (Rank == 2 ? input.unsqueeze(0, Here) : input)
                       .contiguous(MemoryFormat::Contiguous, Here)
                       .unsqueeze(2, Here);
  const Tensor R =
      conv_transpose2d(
          X,
          weight.contiguous(MemoryFormat::Contiguous, Here).unsqueeze(2, Here),
          bias, {1, one(stride, 1)}, {0, one(padding, 0)},
          {0, one(output_padding, 0)}, groups, {1, one(dilation, 1)}, Here)
          .squeeze(2, Here);
  return Rank == 2 ? R.squeeze(0, Here) : R;
}

/// A row as an image of one row.
static Tensor asImage(const Tensor &X, const char *Op, Site Here) {
  const size_t Rank = impl(X, Op, Here).L.rank();
  if (Rank != 2 && Rank != 3)
    detail::fail(std::string(Op) + ": expected an input of 2 or 3 dimensions",
                 X, Here);
  return X.unsqueeze(-2, Here);
}
static int64_t single(IntArrayRef L, int64_t Otherwise, const char *Op,
                      Site Here) {
  if (L.size() > 1)
    detail::fail(std::string(Op) + ": expected one or two numbers, got " +
                     text(L),
                 Here);
  return L.empty() ? Otherwise : L[0];
}
Tensor max_pool1d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                  bool ceil_mode, Site Here) {
  const char *Op = "max_pool1d";
  const int64_t K = single(kernel_size, 1, Op, Here),
                S = single(stride, K, Op, Here);
  const Tensor X = asImage(self, Op, Here);
  detail::requireFloating(self, Op, Here);
  const int64_t Room = self.size(-1) + 2 * single(padding, 0, Op, Here) -
                       single(dilation, 1, Op, Here) * (K - 1) - 1;
  const int64_t Last = Room + (ceil_mode ? S - 1 : 0);
  if (!detail::has(detail::Change::MaxPool1dNeedsWindow) && K > 0 && S > 0 &&
      self.size(-1) > 0 && self.size(-2) > 0 && Last < 0 &&
      Last >= -S) { // no window
    std::vector<int64_t> Sizes = self.sizes().vec();
    Sizes.back() = 0;
    return empty(Sizes, self.scalar_type(), nullopt, Here);
  }
  const Tensor R =
      max_pool2d(X, {1, K}, {1, S}, {0, single(padding, 0, Op, Here)},
                 {1, single(dilation, 1, Op, Here)}, ceil_mode, Here);
  return inFormat(R.squeeze(-2, Here), self, MemoryFormat::Contiguous, Op,
                  Here);
}
Tensor avg_pool1d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad, Site Here) {
  const char *Op = "avg_pool1d";
  const int64_t K = single(kernel_size, 1, Op, Here);
  return avg_pool2d(asImage(self, Op, Here), {1, K},
                    {1, single(stride, K, Op, Here)},
                    {0, single(padding, 0, Op, Here)}, ceil_mode,
                    count_include_pad, nullopt, Here)
      .squeeze(-2, Here);
}
Tensor adaptive_avg_pool1d(const Tensor &self, IntArrayRef output_size,
                           Site Here) {
  const char *Op = "adaptive_avg_pool1d";
  return adaptive_avg_pool2d(asImage(self, Op, Here),
                             {1, single(output_size, 1, Op, Here)}, Here)
      .squeeze(-2, Here);
}

//===--- reading at places ----------------------------------------------===//

Tensor affine_grid_generator(const Tensor &theta, IntArrayRef size,
                             bool align_corners, Site Here) {
  const char *Op = "affine_grid_generator";
  requireImage(theta, 3, Op, Here);
  if (size.size() != 4 || theta.size(1) != 2 || theta.size(2) != 3 ||
      theta.size(0) != size[0])
    detail::fail("affine_grid_generator: maps of sizes " + text(theta.sizes()) +
                     " do not fit images of sizes " + text(size),
                 theta, Here);
  const int64_t N = size[0], H = size[2], W = size[3];
  auto places = [&](int64_t Count) {
    if (Count <= 1)
      return zeros({Count}, theta.scalar_type(), Here);
    Tensor R = linspace(-1, 1, Count, theta.scalar_type(), Here);
    if (!align_corners)
      R.mul_(static_cast<double>(Count - 1), Here)
          .div_(static_cast<double>(Count), Here);
    return R;
  };
  const Tensor Base = empty({N, H, W, 3}, theta.scalar_type(), nullopt, Here);
  Base.select(-1, 0, Here).copy_(places(W), false, Here);
  Base.select(-1, 1, Here).copy_(places(H).unsqueeze(-1, Here), false, Here);
  Base.select(-1, 2, Here).fill_(1, Here);
  return Base.view({N, H * W, 3}, Here)
      .bmm(theta.transpose(1, 2, Here), Here)
      .view({N, H, W, 2}, Here);
}
Tensor grid_sampler(const Tensor &input, const Tensor &grid,
                    int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners, Site Here) {
  const char *Op = "grid_sampler";
  requireImage(input, 4, Op, Here);
  requireImage(grid, 4, Op, Here);
  if (grid.size(3) != 2 || grid.size(0) != input.size(0))
    detail::fail("grid_sampler: places of sizes " + text(grid.sizes()) +
                     " do not fit images of sizes " + text(input.sizes()),
                 input, Here);
  for (int64_t D = 2; D < 4; ++D)
    if (input.size(D) == 0)
      detail::fail("grid_sampler: images of sizes " + text(input.sizes()) +
                       " do not fit, they are empty",
                   input, Here);
  detail::requireFloating(input, Op, Here);
  if (impl(grid).Type != impl(input).Type)
    detail::fail(std::string(Op) + ": tensors of types " +
                     toString(impl(input).Type) + " and " +
                     toString(impl(grid).Type),
                 grid, Here);
  if (interpolation_mode != 0 && interpolation_mode != 1)
    detail::fail("grid_sampler: only bilinear (0) and nearest (1) modes are "
                 "here",
                 input, Here);
  const int64_t N = input.size(0), C = input.size(1), H = input.size(2),
                W = input.size(3);
  const int64_t Count = grid.size(1) * grid.size(2);
  const Tensor At = grid.reshape({N, Count, 2}, Here);
  // From -1 .. 1 to places of the image, and back into it.
  auto places = [&](int64_t K, int64_t Size) {
    Tensor P = At.select(2, K, Here).add(1, 1, Here);
    const auto Last = static_cast<double>(Size - 1);
    P = align_corners ? P.mul(Last / 2, Here)
                      : P.mul(static_cast<double>(Size), Here)
                            .sub(1, 1, Here)
                            .div(2, Here);
    if (padding_mode == 2) {
      const double Low = align_corners ? 0 : -0.5;
      const double Span = align_corners ? Last : static_cast<double>(Size);
      if (Span <= 0) {
        P = zeros_like(P, {}, nullopt, Here);
      } else {
        const Tensor From = P.sub(Low, 1, Here).abs(Here);
        const Tensor Extra = From.fmod(Span, Here);
        const Tensor Odd =
            From.div(Span, Here).floor(Here).remainder(2, Here).ne(0, Here);
        P = where(Odd, Extra.neg(Here).add(Span, 1, Here), Extra, Here)
                .add(Low, 1, Here);
      }
    }
    return padding_mode == 0 ? P : P.clamp(0, Last, Here);
  };
  const Tensor X = places(0, W), Y = places(1, H);
  const Tensor Flat = input.reshape({N, C, H * W}, Here);
  auto pick = [&](const Tensor &Row, const Tensor &Column) {
    const Tensor Inside = Row.ge(0, Here)
                              .logical_and(Row.lt(H, Here), Here)
                              .logical_and(Column.ge(0, Here), Here)
                              .logical_and(Column.lt(W, Here), Here);
    const Tensor I = Row.mul(W, Here)
                         .add(Column, 1, Here)
                         .masked_fill(Inside.logical_not(Here), 0, Here)
                         .to(kLong, false, false, nullopt, Here)
                         .unsqueeze(1, Here)
                         .expand({N, C, Count}, false, Here);
    return Flat.gather(2, I, false, Here)
        .masked_fill(Inside.logical_not(Here).unsqueeze(1, Here), 0, Here);
  };
  Tensor R;
  if (interpolation_mode == 1) {
    R = pick(Y.round(Here), X.round(Here));
  } else {
    const Tensor Left = X.floor(Here), Top = Y.floor(Here);
    const Tensor East = X.sub(Left, 1, Here), South = Y.sub(Top, 1, Here);
    R = zeros({N, C, Count}, input.scalar_type(), Here);
    for (int64_t DY = 0; DY < 2; ++DY)
      for (int64_t DX = 0; DX < 2; ++DX) {
        const Tensor Weight =
            (DY ? South : South.neg(Here).add(1, 1, Here))
                .mul(DX ? East : East.neg(Here).add(1, 1, Here), Here);
        R.add_(pick(Top.add(DY, 1, Here), Left.add(DX, 1, Here))
                   .mul(Weight.unsqueeze(1, Here), Here),
               1, Here);
      }
  }
  return inFormat(R.view({N, C, grid.size(1), grid.size(2)}, Here), input,
                  MemoryFormat::Contiguous, Op, Here);
}

} // namespace tensortidy
