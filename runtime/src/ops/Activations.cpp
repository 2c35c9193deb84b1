//===- Activations.cpp - activations and rarer functions ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "kernels/Math.h"
#include "tensortidy/functional.h"
#include <cmath>
#include <limits>

namespace tensortidy {

using detail::Bound;
using detail::Composed;
using detail::ExpLinear;
using detail::impl;
using detail::Kind;
using detail::requireFloating;
using detail::unary;

/// F of each element of a floating tensor.
template <class F>
static Tensor floating(const Tensor &X, const char *Op, Site Here, F Function) {
  requireFloating(X, Op, Here);
  return unary<Kind::Float>(X, Op, Here, Function);
}

Tensor selu(const Tensor &self, Site Here) {
  constexpr double Alpha = 1.6732632423543772848170429916717,
                   Scale = 1.0507009873554804934193349852946;
  return floating(self, "selu", Here,
                  Composed<ExpLinear>{{Scale, Alpha * Scale, 1}});
}
Tensor celu(const Tensor &self, const Scalar &alpha, Site Here) {
  const double Alpha = alpha.toDouble();
  if (Alpha == 0)
    detail::fail("celu: ZeroDivisionError: alpha is 0", self, Here);
  return floating(self, "celu", Here,
                  Composed<ExpLinear>{{1, Alpha, 1 / Alpha}});
}
Tensor mish(const Tensor &self, Site Here) {
  return floating(self, "mish", Here, Composed<detail::Mish>());
}
Tensor hardswish(const Tensor &self, Site Here) {
  return floating(self, "hardswish", Here, [](auto X) {
    using T = decltype(X);
    return X * std::min(std::max(X + T(3), T(0)), T(6)) / T(6);
  });
}
Tensor hardsigmoid(const Tensor &self, Site Here) {
  return floating(self, "hardsigmoid", Here, [](auto X) {
    using T = decltype(X);
    return std::min(std::max(X + T(3), T(0)), T(6)) / T(6);
  });
}
Tensor relu6(const Tensor &self, Site Here) {
  return hardtanh(self, 0, 6, Here);
}
Tensor log_sigmoid(const Tensor &self, Site Here) {
  requireFloating(self, "log_sigmoid", Here);
  // Packed, whatever the operand's order.
  return unary<Kind::Float>(self.contiguous(MemoryFormat::Contiguous, Here),
                            "log_sigmoid", Here,
                            Composed<detail::LogSigmoid>());
}
namespace {
/// Where the value is a number of the tensor's type.
struct Threshold {
  detail::Number Limit, Value;
  template <class T> T operator()(T X) const {
    return X <= Limit.as(X) ? Value.as(X) : X;
  }
};
} // namespace
template <> inline constexpr bool detail::Picks<Threshold> = true;
Tensor threshold(const Tensor &self, const Scalar &threshold,
                 const Scalar &value, Site Here) {
  const ScalarType Type = impl(self, "threshold", Here).Type;
  Threshold F{{threshold, Type}, {value, Type}};
  if (Type == kBFloat16)
    F.Value.Real = static_cast<double>(
        static_cast<float>(BFloat16(static_cast<float>(F.Value.Real))));
  return unary<Kind::Number>(self, "threshold", Here, F);
}
Tensor softshrink(const Tensor &self, const Scalar &lambd, Site Here) {
  const double Lambda = lambd.toDouble();
  if (Lambda < 0)
    detail::fail("softshrink: lambda " + std::to_string(Lambda) +
                     " is negative",
                 self, Here);
  const bool Keeps = detail::has(detail::Change::SoftshrinkKeepsNaN);
  return floating(self, "softshrink", Here, [=](auto X) {
    using T = decltype(X);
    const T L = static_cast<T>(Lambda);
    if (Keeps && X != X)
      return X;
    return X > L ? X - L : X < -L ? X + L : T(0);
  });
}
Tensor hardshrink(const Tensor &self, const Scalar &lambd, Site Here) {
  const double Lambda = lambd.toDouble();
  return floating(self, "hardshrink", Here, [=](auto X) {
    using T = decltype(X);
    const T L = static_cast<T>(Lambda);
    return X >= -L && X <= L ? T(0) : X;
  });
}
Tensor prelu(const Tensor &self, const Tensor &weight, Site Here) {
  const char *Op = "prelu";
  requireFloating(self, Op, Here);
  const int64_t Slopes = impl(weight, Op, Here).numel(), Rank = self.dim();
  if (impl(weight).Type != impl(self).Type)
    detail::fail(std::string(Op) + ": tensors of types " +
                     toString(impl(self).Type) + " and " +
                     toString(impl(weight).Type),
                 weight, Here);
  if (weight.dim() > 1)
    detail::fail("prelu: the weight has 2 or more dimensions, it must be a "
                 "vector",
                 weight, Here);
  Tensor W = weight;
  if (Slopes != 1) {
    const int64_t Channels = Rank > 1 ? self.size(1) : 1;
    if (Rank == 0 || Slopes != Channels)
      detail::fail("prelu: " + std::to_string(Slopes) + " slopes do not fit " +
                       std::to_string(Channels) + " channels",
                   self, Here);
    std::vector<int64_t> Wide(static_cast<size_t>(Rank), 1);
    if (Rank > 1)
      Wide[1] = Channels;
    W = weight.reshape(Wide, Here);
  } else {
    W = weight.reshape(IntArrayRef(), Here);
  }
  optional<MemoryFormat> Format;
  if (!detail::has(detail::Change::PreluKeepsStrides))
    Format = self.suggest_memory_format();
  const Tensor R = empty_like(self, {}, Format, Here);
  detail::binary<Kind::Float>(
      detail::Operand(self), detail::Operand(W), Op, Here,
      [](auto X, auto Slope) { return X > 0 ? X : X * Slope; }, &R);
  return R;
}

//===--- element by element ---------------------------------------------===//

namespace {
/// log(X / (1 - X)), of X kept Edge away from 0 and 1 unless that is negative.
struct Logit {
  double Edge;
  template <class T> T odds(T X) const {
    const T Low = X < T(Edge) ? T(Edge) : X,
            In = Low > T(1 - Edge) ? T(1 - Edge) : Low, V = Edge >= 0 ? In : X;
    return V / (1 - V);
  }
  template <class T> T operator()(T X) const { return std::log(odds(X)); }
  template <class T> void block(const T *X, T *, T *Out, int64_t N) const {
    TENSORTIDY_INDEPENDENT
    for (int64_t K = 0; K < N; ++K)
      Out[K] = odds(X[K]);
    detail::Log::row(Out, Out, N);
  }
};
} // namespace
Tensor Tensor::logit(optional<double> eps, Site Here) const {
  return unary<Kind::Float>(*this, "logit", Here,
                            Composed<Logit>{{eps.value_or(-1)}});
}
Tensor &Tensor::logit_(optional<double> eps, Site Here) const {
  unary<Kind::Float>(*this, "logit_", Here, Composed<Logit>{{eps.value_or(-1)}},
                     this);
  return self();
}

} // namespace tensortidy
