//===- Functions.cpp - functions of one tensor ----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "kernels/Math.h"
#include <cmath>
#include <cstring>
#include <limits>

namespace tensortidy {

using detail::Bound;
using detail::castTo;
using detail::impl;
using detail::Kind;
using detail::Mul;
using detail::Operand;
using detail::requireFloating;
using detail::requireType;
using detail::resultType;
using detail::Sub;
using detail::unary;

//===--- unary ----------------------------------------------------------===//

// NOLINTBEGIN(bugprone-macro-parentheses)
#define UNARY(NAME, KIND, ...)                                                 \
  static constexpr auto NAME##Of = __VA_ARGS__;                                \
  Tensor Tensor::NAME(Site Here) const {                                       \
    return unary<Kind::KIND>(*this, #NAME, Here, NAME##Of);                    \
  }                                                                            \
  Tensor &Tensor::NAME##_(Site Here) const {                                   \
    unary<Kind::KIND>(*this, #NAME "_", Here, NAME##Of, this);                 \
    return self();                                                             \
  }
#define UNARY_ALIAS(NAME, SAME)                                                \
  Tensor Tensor::NAME(Site Here) const { return SAME(Here); }                  \
  Tensor &Tensor::NAME##_(Site Here) const { return SAME##_(Here); }
// NOLINTEND(bugprone-macro-parentheses)
#define FLOAT(NAME, EXPR) UNARY(NAME, Float, [](auto X) { return EXPR; })
UNARY(acos, Float, detail::Acos())
UNARY(acosh, Float, detail::Acosh())
UNARY(asin, Float, detail::Asin())
UNARY(asinh, Float, detail::Asinh())
UNARY(atan, Float, detail::Atan())
UNARY(atanh, Float, detail::Atanh())
UNARY(cos, Float, detail::Cos())
UNARY(cosh, Float, detail::Cosh())
UNARY(erf, Float, detail::Erf())
UNARY(erfc, Float, detail::Erfc())
UNARY(exp, Float, detail::Exp())
UNARY(exp2, Float, detail::Exp2())
UNARY(expm1, Float, detail::Expm1())
UNARY(log, Float, detail::Log())
UNARY(log10, Float, detail::Log10())
UNARY(log1p, Float, detail::Log1p())
UNARY(log2, Float, detail::Log2())
FLOAT(reciprocal, 1 / X)
FLOAT(rsqrt, 1 / std::sqrt(X))
UNARY(sigmoid, Float, detail::Sigmoid())
UNARY(sin, Float, detail::Sin())
UNARY(sinh, Float, detail::Sinh())
FLOAT(sqrt, std::sqrt(X))
UNARY(tan, Float, detail::Tan())
UNARY(lgamma, Float, detail::Composed<detail::LogGamma>())
FLOAT(digamma, detail::digamma(X))
FLOAT(erfinv, detail::erfinv(X))
FLOAT(i0, detail::besselI0(X))
FLOAT(sinc, X == 0 ? decltype(X)(1)
                   : std::sin(X * decltype(X)(3.14159265358979323846)) /
                         (X * decltype(X)(3.14159265358979323846)))
UNARY(tanh, Float, detail::Tanh())
#undef FLOAT

/// Integers are whole already.
#define WHOLE(NAME, EXPR)                                                      \
  UNARY(NAME, Number, [](auto X) {                                             \
    if constexpr (std::is_floating_point_v<decltype(X)>)                       \
      return EXPR;                                                             \
    else                                                                       \
      return X;                                                                \
  })
WHOLE(ceil, std::ceil(X))
WHOLE(floor, std::floor(X))
WHOLE(round, std::nearbyint(X))
WHOLE(trunc, std::trunc(X))
#undef WHOLE
UNARY(abs, Number, [](auto X) {
  if constexpr (std::is_floating_point_v<decltype(X)>)
    return std::abs(X);
  else if constexpr (std::is_signed_v<decltype(X)> && sizeof X < sizeof(int))
    return static_cast<decltype(X)>(X < 0 ? -X : X);
  else if constexpr (std::is_same_v<decltype(X), int64_t>) {
    // Without a choice, which vectors of 64 bits take long for.
    const auto Mask = -static_cast<uint64_t>(X < 0);
    return static_cast<int64_t>((static_cast<uint64_t>(X) ^ Mask) - Mask);
  } else if constexpr (std::is_signed_v<decltype(X)>)
    return std::max(X, Sub()(decltype(X)(0), X));
  else
    return X;
})
UNARY(neg, Number, [](auto X) {
  if constexpr (std::is_floating_point_v<decltype(X)>)
    return -X;
  else
    return Sub()(decltype(X)(0), X);
})
UNARY(relu, Number,
      [](auto X) { return X <= decltype(X)(0) ? decltype(X)(0) : X; })
UNARY(sign, Keep, [](auto X) {
  using T = decltype(X);
  return static_cast<T>(T(X > T(0)) - T(X < T(0)));
})
UNARY(sgn, Keep, [](auto X) {
  using T = decltype(X);
  return static_cast<T>(T(X > T(0)) - T(X < T(0)));
})
UNARY(logical_not, Compare, [](auto X) { return !X; })
Tensor Tensor::square(Site Here) const { return pow(Scalar(2), Here); }
Tensor &Tensor::square_(Site Here) const { return pow_(Scalar(2), Here); }
UNARY_ALIAS(absolute, abs)
UNARY_ALIAS(arccos, acos)
UNARY_ALIAS(arcsin, asin)
UNARY_ALIAS(arctan, atan)
UNARY_ALIAS(arccosh, acosh)
UNARY_ALIAS(arcsinh, asinh)
UNARY_ALIAS(arctanh, atanh)
UNARY_ALIAS(fix, trunc)
UNARY_ALIAS(negative, neg)
#undef UNARY

static constexpr auto FracOf = [](auto X) {
  if constexpr (std::is_floating_point_v<decltype(X)>)
    return X - std::trunc(X);
  else
    return X;
};
Tensor Tensor::frac(Site Here) const {
  requireFloating(*this, "frac", Here);
  return unary<Kind::Number>(*this, "frac", Here, FracOf);
}
Tensor &Tensor::frac_(Site Here) const {
  requireFloating(*this, "frac_", Here);
  unary<Kind::Number>(*this, "frac_", Here, FracOf, this);
  return self();
}
Tensor Tensor::positive(Site Here) const {
  detail::requireNotBool(*this, "positive", Here);
  return *this;
}

static constexpr auto BitwiseNot = [](auto X) {
  using T = decltype(X);
  if constexpr (std::is_same_v<T, bool>)
    return !X;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(~X);
  else
    return X;
};
Tensor Tensor::bitwise_not(Site Here) const {
  detail::requireIntegral(*this, "bitwise_not", Here);
  if (scalar_type() == kBool)
    return logical_not(Here);
  return unary<Kind::Keep>(*this, "bitwise_not", Here, BitwiseNot);
}
Tensor &Tensor::bitwise_not_(Site Here) const {
  detail::requireIntegral(*this, "bitwise_not_", Here);
  if (scalar_type() == kBool)
    return logical_not_(Here);
  unary<Kind::Keep>(*this, "bitwise_not_", Here, BitwiseNot, this);
  return self();
}
#undef UNARY_ALIAS

Tensor Tensor::isnan(Site Here) const {
  return unary<Kind::Compare>(*this, "isnan", Here,
                              [](auto X) { return X != X; });
}
// As libtorch composes them, which shows in the strides of the result.
Tensor Tensor::isinf(Site Here) const {
  if (!isFloatingType(impl(*this, "isinf", Here).Type))
    return zeros_like(*this, kBool, {}, Here);
  return abs(Here).eq(Scalar(INFINITY), Here);
}
Tensor Tensor::isfinite(Site Here) const {
  if (!isFloatingType(impl(*this, "isfinite", Here).Type))
    return ones_like(*this, kBool, {}, Here);
  return eq(*this, Here).mul(abs(Here).ne(Scalar(INFINITY), Here), Here);
}
/// In the operand's order of dimensions, as empty_like() makes it.
static Tensor floatingCopy(const Tensor &X, const char *Op, Site Here) {
  const ScalarType Type = impl(X, Op, Here).Type;
  return X.to(isFloatingType(Type) ? Type : ScalarType(get_default_dtype()),
              false, true, {}, Here);
}
static constexpr double RadiansOfDegree = 0.017453292519943295;
Tensor Tensor::deg2rad(Site Here) const {
  return floatingCopy(*this, "deg2rad", Here)
      .mul_(Scalar(RadiansOfDegree), Here);
}
Tensor &Tensor::deg2rad_(Site Here) const {
  return mul_(Scalar(RadiansOfDegree), Here);
}
Tensor Tensor::rad2deg(Site Here) const {
  return floatingCopy(*this, "rad2deg", Here)
      .mul_(Scalar(1 / RadiansOfDegree), Here);
}
Tensor &Tensor::rad2deg_(Site Here) const {
  return mul_(Scalar(1 / RadiansOfDegree), Here);
}

//===--- with numbers as parameters -------------------------------------===//

static Tensor clampTo(const Tensor &X, const optional<Scalar> &Min,
                      const optional<Scalar> &Max, const char *Op, Site Here,
                      const Tensor *Out) {
  detail::impl(X, Op, Here);
  if (!Min && !Max)
    detail::fail(
        std::string(Op) + ": at least one of min and max must be given", Here);
  ScalarType Type = impl(X).Type;
  for (const auto *Limit : {&Min, &Max})
    if (*Limit)
      Type = promoteTypes(Type, resultType(X, **Limit));
  if (Out)
    requireType(*Out, Type, Op, Here);
  return unary<Kind::Number>(
      castTo(X, Type, Here), Op, Here,
      [Low = Bound(Min, Type), High = Bound(Max, Type)](auto V) { // a NaN stays
        using L = std::numeric_limits<decltype(V)>;
        constexpr decltype(V) Most = L::has_infinity ? L::infinity() : L::max(),
                              Least = L::has_infinity ? -L::infinity()
                                                      : L::lowest();
        const auto From = Low.Is ? Low.as(V) : Least,
                   To = High.Is ? High.as(V) : Most;
        V = V < From ? From : V;
        return V > To ? To : V;
      },
      Out);
}
Tensor Tensor::clamp(const optional<Scalar> &min, const optional<Scalar> &max,
                     Site Here) const {
  return clampTo(*this, min, max, "clamp", Here, nullptr);
}
Tensor &Tensor::clamp_(const optional<Scalar> &min, const optional<Scalar> &max,
                       Site Here) const {
  clampTo(*this, min, max, "clamp_", Here, this);
  return self();
}
Tensor Tensor::clamp_min(const Scalar &min, Site Here) const {
  return clampTo(*this, min, nullopt, "clamp_min", Here, nullptr);
}
Tensor Tensor::clamp_max(const Scalar &max, Site Here) const {
  return clampTo(*this, nullopt, max, "clamp_max", Here, nullptr);
}
Tensor &Tensor::clamp_min_(const Scalar &min, Site Here) const {
  clampTo(*this, min, nullopt, "clamp_min_", Here, this);
  return self();
}
Tensor &Tensor::clamp_max_(const Scalar &max, Site Here) const {
  clampTo(*this, nullopt, max, "clamp_max_", Here, this);
  return self();
}

/// With a bound for each element; a NaN on either side is the answer.
static Tensor clampBy(const Tensor &X, const optional<Tensor> &Min,
                      const optional<Tensor> &Max, const char *Op, Site Here,
                      const Tensor *Out) {
  impl(X, Op, Here);
  if (!Min && !Max)
    detail::fail(
        std::string(Op) + ": at least one of min and max must be given", Here);
  const auto AtLeast = [](auto V, auto Low) {
    return V != V ? V : Low != Low || V < Low ? Low : V;
  };
  const auto AtMost = [](auto V, auto High) {
    return V != V ? V : High != High || V > High ? High : V;
  };
  if (!Max)
    return detail::binary<Kind::Keep>(X, *Min, Op, Here, AtLeast, Out);
  if (!Min)
    return detail::binary<Kind::Keep>(X, *Max, Op, Here, AtMost, Out);
  return detail::ternary<Kind::Number>(
      X, *Min, *Max, Op, Here,
      [=](auto V, auto Low, auto High) {
        return AtMost(AtLeast(V, Low), High);
      },
      Out);
}
Tensor Tensor::clamp(const optional<Tensor> &min, const optional<Tensor> &max,
                     Site Here) const {
  return clampBy(*this, min, max, "clamp", Here, nullptr);
}
Tensor &Tensor::clamp_(const optional<Tensor> &min, const optional<Tensor> &max,
                       Site Here) const {
  clampBy(*this, min, max, "clamp_", Here, this);
  return self();
}
Tensor Tensor::clamp_min(const Tensor &min, Site Here) const {
  return maximum(min, Here);
}
Tensor Tensor::clamp_max(const Tensor &max, Site Here) const {
  return minimum(max, Here);
}
Tensor &Tensor::clamp_min_(const Tensor &min, Site Here) const {
  clampBy(*this, min, nullopt, "clamp_min_", Here, this);
  return self();
}
Tensor &Tensor::clamp_max_(const Tensor &max, Site Here) const {
  clampBy(*this, nullopt, max, "clamp_max_", Here, this);
  return self();
}
Tensor Tensor::clip(const optional<Scalar> &min, const optional<Scalar> &max,
                    Site Here) const {
  return clamp(min, max, Here);
}
Tensor &Tensor::clip_(const optional<Scalar> &min, const optional<Scalar> &max,
                      Site Here) const {
  return clamp_(min, max, Here);
}
Tensor Tensor::isposinf(Site Here) const {
  return unary<Kind::Compare>(*this, "isposinf", Here, [](auto X) {
    if constexpr (std::is_floating_point_v<decltype(X)>)
      return X == std::numeric_limits<decltype(X)>::infinity();
    else
      return false;
  });
}
Tensor Tensor::isneginf(Site Here) const {
  return unary<Kind::Compare>(*this, "isneginf", Here, [](auto X) {
    if constexpr (std::is_floating_point_v<decltype(X)>)
      return X == -std::numeric_limits<decltype(X)>::infinity();
    else
      return false;
  });
}
Tensor Tensor::signbit(Site Here) const {
  return unary<Kind::Compare>(*this, "signbit", Here, [](auto X) {
    if constexpr (std::is_floating_point_v<decltype(X)>) // also of -0
      return std::copysign(decltype(X)(1), X) < 0;
    else
      return X < decltype(X)(0);
  });
}
Tensor Tensor::isreal(Site Here) const {
  return ones_like(*this, kBool, MemoryFormat::Preserve, Here);
}
/// 0, or pi for what is negative.
Tensor Tensor::angle(Site Here) const {
  return unary<Kind::Float>(*this, "angle", Here, [](auto X) {
    using T = decltype(X);
    return X != X ? X : X < T(0) ? T(3.14159265358979323846) : T(0);
  });
}

Tensor gelu(const Tensor &self, std::string_view approximate, Site Here) {
  requireFloating(self, "gelu", Here);
  const bool Tanh = approximate == "tanh";
  if (!Tanh && approximate != "none")
    detail::fail("gelu: approximate must be none or tanh", Here);
  if (Tanh)
    return unary<Kind::Float>(self, "gelu", Here, detail::GeluTanh());
  return unary<Kind::Float>(self, "gelu", Here, detail::Gelu());
}
Tensor silu(const Tensor &self, Site Here) {
  requireFloating(self, "silu", Here);
  return unary<Kind::Float>(self, "silu", Here, detail::Silu());
}
Tensor leaky_relu(const Tensor &self, const Scalar &negative_slope, Site Here) {
  requireFloating(self, "leaky_relu", Here);
  const double Slope = negative_slope.toDouble();
  return unary<Kind::Float>(self, "leaky_relu", Here, [=](auto X) {
    return X > 0 ? X : X * static_cast<decltype(X)>(Slope);
  });
}
Tensor softplus(const Tensor &self, const Scalar &beta, const Scalar &threshold,
                Site Here) {
  requireFloating(self, "softplus", Here);
  return unary<Kind::Float>(self, "softplus", Here,
                            detail::Composed<detail::SoftPlus>{
                                {beta.toDouble(), threshold.toDouble()}});
}
Tensor elu(const Tensor &self, const Scalar &alpha, Site Here) {
  return elu(self, alpha, 1, 1, Here);
}
Tensor elu(const Tensor &self, const Scalar &alpha, const Scalar &scale,
           const Scalar &input_scale, Site Here) {
  requireFloating(self, "elu", Here);
  return unary<Kind::Float>(
      self, "elu", Here,
      detail::Composed<detail::ExpLinear>{{scale.toDouble(),
                                           alpha.toDouble() * scale.toDouble(),
                                           input_scale.toDouble()}});
}
Tensor hardtanh(const Tensor &self, const Scalar &min_val,
                const Scalar &max_val, Site Here) {
  if (impl(self, "hardtanh", Here).Type == kByte &&
      (min_val.toDouble() < 0 || max_val.toDouble() < 0))
    detail::fail("hardtanh with negative limits is not defined for type Byte",
                 self, Here);
  const Tensor R = empty_like(self, {}, {}, Here);
  return clampTo(self, min_val, max_val, "hardtanh", Here, &R);
}
static void replaceNaN(const Tensor &X, optional<double> NaN,
                       optional<double> Most, optional<double> Least,
                       const char *Op, Site Here, const Tensor &Out) {
  auto Replace = [&](auto V) {
    using T = decltype(V);
    if constexpr (std::is_floating_point_v<T>) {
      // 16-bit types end earlier than float, which they are computed in.
      const ScalarType Type = impl(X).Type;
      const double End = Type == kHalf ? 65504.0
                         : Type == kBFloat16
                             ? 3.3895313892515355e38
                             : double(std::numeric_limits<T>::max());
      if (V != V)
        return static_cast<T>(NaN.value_or(0));
      if (std::isinf(V))
        return static_cast<T>(V > 0 ? Most.value_or(End)
                                    : Least.value_or(-End));
    }
    return V;
  };
  unary<Kind::Keep>(X, Op, Here, Replace, &Out);
}
Tensor nan_to_num(const Tensor &self, optional<double> nan,
                  optional<double> posinf, optional<double> neginf, Site Here) {
  return self.nan_to_num(nan, posinf, neginf, Here);
}
Tensor Tensor::nan_to_num(optional<double> nan, optional<double> posinf,
                          optional<double> neginf, Site Here) const {
  Tensor R = empty_like(*this, {}, nullopt, Here);
  replaceNaN(*this, nan, posinf, neginf, "nan_to_num", Here, R);
  return R;
}
Tensor &Tensor::nan_to_num_(optional<double> nan, optional<double> posinf,
                            optional<double> neginf, Site Here) const {
  if (isFloatingType(impl(*this, "nan_to_num_", Here).Type))
    replaceNaN(*this, nan, posinf, neginf, "nan_to_num_", Here, *this);
  return self();
}
Tensor glu(const Tensor &self, int64_t dim, Site Here) {
  requireFloating(self, "glu", Here);
  const int64_t Size = self.size(dim);
  if (Size % 2 != 0)
    detail::fail("glu: size " + std::to_string(Size) + " of dimension " +
                     std::to_string(dim) + " is not even",
                 self, Here);
  const Tensor Gate = self.narrow(dim, Size / 2, Size / 2, Here);
  return self.narrow(dim, 0, Size / 2, Here).mul(Gate.sigmoid(Here), Here);
}
/// What is left out is drawn in the order of memory.
static optional<MemoryFormat> maskFormat() {
  return detail::has(detail::Change::DropoutKeepsOrder)
             ? nullopt
             : optional<MemoryFormat>(MemoryFormat::Contiguous);
}
Tensor dropout(const Tensor &input, double p, bool train, Site Here) {
  if (p < 0 || p > 1)
    detail::fail("dropout: the probability " + std::to_string(p) +
                     " is not between 0 and 1",
                 Here);
  if (!train || p == 0 || input.numel() == 0)
    return input;
  // libtorch's is packed, which decides the strides of dimensions of size 1.
  Tensor Mask = empty_like(input, {}, maskFormat(), Here);
  Mask.bernoulli_(1 - p, Here);
  if (p != 1)
    Mask.div_(Scalar(1 - p), Here);
  return input.mul(Mask, Here);
}

/// One number for each channel of each sample.
static std::vector<int64_t> channelSizes(const Tensor &X, const char *Op,
                                         Site Here) {
  if (detail::impl(X, Op, Here).L.rank() < 2)
    detail::fail(std::string(Op) + " needs 2 dimensions or more", X, Here);
  std::vector<int64_t> R(X.sizes().size(), 1);
  R[0] = X.size(0);
  R[1] = X.size(1);
  return R;
}
static void requireChance(double P, const char *Op, Site Here) {
  if (P < 0 || P > 1)
    detail::fail(std::string(Op) + ": the probability " + std::to_string(P) +
                     " is not between 0 and 1",
                 Here);
}
Tensor feature_dropout(const Tensor &input, double p, bool train, Site Here) {
  const char *Op = "feature_dropout";
  requireChance(p, Op, Here);
  if (!train || p == 0 || input.numel() == 0)
    return input;
  if (p == 1)
    return input.mul(zeros({}, input.options(), Here), Here);
  const Tensor Kept =
      empty(channelSizes(input, Op, Here), input.options(), nullopt, Here);
  return input.mul(Kept.bernoulli_(1 - p, Here).div_(1 - p, Here), Here);
}
/// What is left out gets the value that selu() tends to, and all is scaled and
/// shifted so that mean and variance stay.
static Tensor alphaDropout(const Tensor &X, const Tensor &Kept, double P,
                           Site Here) {
  constexpr double Least = 1.7580993408473766; // selu(-inf) = -Least
  const double Scale = 1 / std::sqrt((Least * Least * P + 1) * (1 - P));
  Kept.bernoulli_(1 - P, Here);
  const Tensor Shift = Kept.add(-1, 1, Here)
                           .mul_(Least * Scale, Here)
                           .add_(Least * Scale * P, 1, Here);
  return X.mul(Kept.mul_(Scale, Here), Here).add_(Shift, 1, Here);
}
Tensor alpha_dropout(const Tensor &input, double p, bool train, Site Here) {
  requireChance(p, "alpha_dropout", Here);
  if (!train || p == 0 || input.numel() == 0)
    return input;
  if (p == 1)
    return input.mul(zeros({}, input.options(), Here), Here);
  // libtorch's is packed, as that of dropout().
  return alphaDropout(input, empty_like(input, {}, maskFormat(), Here), p,
                      Here);
}
Tensor feature_alpha_dropout(const Tensor &input, double p, bool train,
                             Site Here) {
  const char *Op = "feature_alpha_dropout";
  requireChance(p, Op, Here);
  if (!train || p == 0 || input.numel() == 0)
    return input;
  if (p == 1)
    return input.mul(zeros({}, input.options(), Here), Here);
  return alphaDropout(
      input,
      empty(channelSizes(input, Op, Here), input.options(), nullopt, Here), p,
      Here);
}

} // namespace tensortidy
