//===- Special.cpp - special functions ------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computed as double, element by element.
//
//===----------------------------------------------------------------------===//

#include "kernels/Elementwise.h"
#include "kernels/Math.h"
#include "tensortidy/functional.h"
#include <cmath>
#include <limits>

namespace tensortidy {

using detail::impl;

namespace {

constexpr double Pi = 3.14159265358979323846;
constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

/// \p F of each element, in the layout element-wise operations give.
template <class Fn>
Tensor each(const Tensor &X, const char *Op, Site Here, Fn F) {
  const ScalarType From = impl(X, Op, Here).Type;
  const ScalarType Type =
      isFloatingType(From) ? From : ScalarType(get_default_dtype());
  detail::reads(X, Op, Here);
  // The layout is that of X in the type of the result.
  const Tensor Same = detail::castTo(X, Type, Here);
  const detail::Shape &L = impl(Same).L;
  const Tensor R = detail::result({&L}, L.Sizes, kDouble, Op, Here);
  R.copy_(X, false, Here);
  auto *Data = R.data_ptr<double>(); // there is nothing between the elements
  for (int64_t K = 0; K < R.numel(); ++K)
    Data[K] = F(Data[K]);
  return R.to(Type, false, false, nullopt, Here);
}
template <class Fn>
Tensor both(const Tensor &A, const Tensor &B, const char *Op, Site Here, Fn F) {
  impl(A, Op, Here);
  impl(B, Op, Here);
  ScalarType Type = result_type(A, B);
  if (!isFloatingType(Type))
    Type = get_default_dtype();
  detail::reads(A, Op, Here);
  detail::reads(B, Op, Here);
  const Tensor SameA = detail::castTo(A, Type, Here),
               SameB = detail::castTo(B, Type, Here);
  const Tensor R =
      detail::result({&impl(SameA).L, &impl(SameB).L},
                     detail::broadcast(A, B, Op, Here), kDouble, Op, Here);
  auto Spread = [&](const Tensor &Of) {
    return empty_like(R, {}, nullopt, Here).copy_(Of, false, Here);
  };
  const Tensor Left = Spread(SameA), Right = Spread(SameB);
  auto *Data = R.data_ptr<double>();
  const auto *L = Left.data_ptr<double>(), *Q = Right.data_ptr<double>();
  for (int64_t K = 0; K < R.numel(); ++K)
    Data[K] = F(L[K], Q[K]);
  return R.to(Type, false, false, nullopt, Here);
}

/// Hurwitz's zeta function: terms, then Euler and Maclaurin's formula.
double zeta(double X, double Q) {
  if (X == 1)
    return Infinity;
  if (!(X > 1))
    return NaN;
  if (Q <= 0) {
    if (Q == std::floor(Q))
      return Infinity;
    if (X != std::floor(X))
      return NaN;
  }
  double Sum = 0, A = Q;
  for (int K = 0; K < 10 || A < 10; ++K, ++A)
    Sum += std::pow(A, -X);
  Sum += std::pow(A, 1 - X) / (X - 1) + std::pow(A, -X) / 2;
  constexpr double Bernoulli[] = {
      1.0 / 6,       -1.0 / 30, 1.0 / 42,      -1.0 / 30,     5.0 / 66,
      -691.0 / 2730, 7.0 / 6,   -3617.0 / 510, 43867.0 / 798, -174611.0 / 330};
  double Factor = X, Power = std::pow(A, -X - 1), Divisor = 2;
  for (int K = 0; K < 10; ++K) {
    Sum += Bernoulli[K] * Factor * Power / Divisor;
    Factor *= (X + 2 * K + 1) * (X + 2 * K + 2);
    Power /= A * A;
    Divisor *= (2 * K + 3) * (2 * K + 4);
  }
  return Sum;
}
double polygammaOf(int64_t N, double X) {
  if (N == 0)
    return detail::digamma(X);
  const auto Order = static_cast<double>(N);
  return (N % 2 ? 1 : -1) * std::exp(std::lgamma(Order + 1)) *
         zeta(Order + 1, X);
}
/// P(a, x) by its series, or 1 - Q(a, x) by a continued fraction, whichever
/// converges.
double incompleteGamma(double A, double X, bool Upper) {
  if (X < 0 || A < 0)
    return NaN;
  if (A == 0)
    return X > 0 ? !Upper : NaN;
  if (X == 0)
    return Upper;
  if (A != A || X != X)
    return NaN;
  if (std::isinf(A))
    return std::isinf(X) ? NaN : double(Upper);
  if (std::isinf(X))
    return !Upper;
  const double Front = std::exp(A * std::log(X) - X - std::lgamma(A));
  double Lower;
  if (X < A + 1) {
    double Term = 1 / A, Sum = Term;
    for (int K = 1; K < 10000 && Term > Sum * 1e-17; ++K) {
      Term *= X / (A + K);
      Sum += Term;
    }
    Lower = Sum * Front;
    return Upper ? 1 - Lower : Lower;
  }
  double B = X + 1 - A, C = 1e300, D = 1 / B, H = D;
  for (int K = 1; K < 10000; ++K) {
    const double An = -K * (K - A);
    B += 2;
    D = 1 / (An * D + B);
    C = B + An / C;
    H *= D * C;
    if (std::abs(D * C - 1) < 1e-16)
      break;
  }
  return Upper ? Front * H : 1 - Front * H;
}
/// exp(x * x) erfc(x)
double scaledErfc(double X) {
  if (X < 25)
    return std::exp(X * X) * std::erfc(X);
  const double Y = 1 / (2 * X * X);
  return (1 - Y * (1 - 3 * Y * (1 - 5 * Y))) / (X * std::sqrt(Pi));
}
double besselI0Scaled(double X) {
  X = std::abs(X);
  if (X <= 40)
    return detail::besselI0(X) * std::exp(-X);
  double Term = 1, Sum = 1;
  for (int K = 1; K < 20; ++K) {
    Term *= (2 * K - 1) * (2 * K - 1) / (8 * K * X);
    Sum += Term;
  }
  return Sum / std::sqrt(2 * Pi * X);
}
double besselI1Scaled(double X) {
  const double A = std::abs(X);
  double Term, Sum;
  if (A <= 40) {
    Term = A / 2, Sum = Term;
    for (int K = 1; Term > Sum * 1e-17; ++K) {
      Term *= A / (2 * K) * (A / (2 * K + 2));
      Sum += Term;
    }
    Sum *= std::exp(-A);
  } else {
    Term = 1, Sum = 1;
    for (int K = 1; K < 20; ++K) {
      Term *= -(4.0 - (2 * K - 1) * (2 * K - 1)) / (8 * K * A);
      Sum += Term;
    }
    Sum /= std::sqrt(2 * Pi * A);
  }
  return std::copysign(Sum, X);
}
/// The place with this probability below it, by Newton's steps.
double normalInverse(double P) {
  if (P == 0 || P == 1)
    return P == 0 ? -Infinity : Infinity;
  if (!(P > 0 && P < 1))
    return NaN;
  const double Tail = std::min(P, 1 - P), T = std::sqrt(-2 * std::log(Tail));
  double X = T - ((0.010328 * T + 0.802853) * T + 2.515517) /
                     (((0.001308 * T + 0.189269) * T + 1.432788) * T + 1);
  for (int Step = 0; Step < 4; ++Step) {
    const double Error = std::erfc(X / std::sqrt(2.0)) / 2 - Tail;
    X += Error / (std::exp(-X * X / 2) / std::sqrt(2 * Pi));
  }
  return P < 0.5 ? -X : X;
}
double logNormal(double X) {
  return X < -1 ? std::log(scaledErfc(-X / std::sqrt(2.0)) / 2) - X * X / 2
                : std::log1p(-std::erfc(X / std::sqrt(2.0)) / 2);
}

} // namespace

#define SPECIAL(NAME, VALUE)                                                   \
  Tensor special_##NAME(const Tensor &self, Site Here) {                       \
    return each(self, "special_" #NAME, Here, [](double X) { return VALUE; }); \
  }
SPECIAL(entr, X > 0 ? -X * std::log(X) : X == 0 ? 0 : X != X ? X : -Infinity)
SPECIAL(erfcx, scaledErfc(X))
SPECIAL(i0e, X == X ? besselI0Scaled(X) : X)
SPECIAL(i1, X == X ? besselI1Scaled(X) * std::exp(std::abs(X)) : X)
SPECIAL(i1e, X == X ? besselI1Scaled(X) : X)
SPECIAL(ndtri, normalInverse(X))
SPECIAL(log_ndtr, logNormal(X))
SPECIAL(bessel_j0, ::j0(X))
SPECIAL(bessel_j1, ::j1(X))
SPECIAL(bessel_y0, ::y0(X))
SPECIAL(bessel_y1, ::y1(X))
#undef SPECIAL
Tensor special_ndtr(const Tensor &self, Site Here) { // its strides, too
  return self.div(std::sqrt(2.0), Here)
      .erf(Here)
      .add(1, 1, Here)
      .mul(0.5, Here);
}
Tensor special_xlog1py(const Tensor &self, const Tensor &other, Site Here) {
  return both(self, other, "special_xlog1py", Here, [](double X, double Y) {
    return X == 0 && Y == Y ? 0 : X * std::log1p(Y);
  });
}

Tensor special_zeta(const Tensor &self, const Tensor &other, Site Here) {
  return both(self, other, "special_zeta", Here, zeta);
}
Tensor Tensor::polygamma(int64_t n, Site Here) const {
  if (n < 0)
    detail::fail("polygamma: the order must not be negative", *this, Here);
  return each(*this, "polygamma", Here,
              [n](double X) { return polygammaOf(n, X); });
}
Tensor &Tensor::polygamma_(int64_t n, Site Here) const {
  return copy_(polygamma(n, Here), false, Here);
}
Tensor Tensor::mvlgamma(int64_t p, Site Here) const {
  if (p < 1)
    detail::fail("mvlgamma: p must be positive", *this, Here);
  return each(*this, "mvlgamma", Here,
              [p](double X) {
                const auto P = static_cast<double>(p);
                double R = P * (P - 1) / 4 * std::log(Pi);
                for (int64_t K = 0; K < p; ++K)
                  R += std::lgamma(X - static_cast<double>(K) / 2);
                return R;
              })
      .contiguous(MemoryFormat::Contiguous, Here);
}
Tensor &Tensor::mvlgamma_(int64_t p, Site Here) const {
  return copy_(mvlgamma(p, Here), false, Here);
}
#define INCOMPLETE(NAME, UPPER)                                                \
  Tensor Tensor::NAME(const Tensor &other, Site Here) const {                  \
    return both(*this, other, #NAME, Here, [](double A, double X) {            \
      return incompleteGamma(A, X, UPPER);                                     \
    });                                                                        \
  }                                                                            \
  Tensor &Tensor::NAME##_(const Tensor &other, Site Here) const {              \
    return copy_(NAME(other, Here), false, Here);                              \
  }
INCOMPLETE(igamma, false)
INCOMPLETE(igammac, true)
#undef INCOMPLETE
std::tuple<Tensor, Tensor> frexp(const Tensor &self, Site Here) {
  detail::requireFloating(self, "frexp", Here);
  int E = 0;
  return {
      each(self, "frexp", Here, [&](double X) { return std::frexp(X, &E); }),
      each(self, "frexp", Here, [&](double X) {
        E = 0;
        std::frexp(X, &E);
        return static_cast<double>(E);
      }).to(kInt, false, false, nullopt, Here)};
}
Tensor Tensor::as_strided_scatter(const Tensor &src, IntArrayRef size,
                                  IntArrayRef stride,
                                  optional<int64_t> storage_offset,
                                  Site Here) const {
  const Tensor R = clone(nullopt, Here);
  R.as_strided(size, stride, storage_offset, Here).copy_(src, false, Here);
  return R;
}
Tensor Tensor::nanquantile(const Tensor &q, optional<int64_t> dim, bool keepdim,
                           std::string_view interpolation, Site Here) const {
  impl(q, "nanquantile", Here);
  std::vector<Tensor> Each;
  const Tensor Flat = q.reshape({-1}, Here);
  for (int64_t K = 0; K < Flat.numel(); ++K)
    Each.push_back(
        nanquantile(Flat[K].item<double>(), dim, keepdim, interpolation, Here));
  if (Each.empty() || q.dim() > 1)
    detail::fail("nanquantile: q must be a number or a list of them", q, Here);
  return q.dim() == 0 ? Each[0] : stack(Each, 0, Here);
}
Tensor Tensor::multinomial(int64_t num_samples, bool replacement,
                           const optional<Generator> &generator,
                           Site Here) const {
  const detail::Drawing From(generator);
  return multinomial(num_samples, replacement, Here);
}
Tensor Tensor::bernoulli(const optional<Generator> &generator,
                         Site Here) const {
  const detail::Drawing From(generator);
  return bernoulli(Here);
}
Tensor Tensor::bernoulli(double p, const optional<Generator> &generator,
                         Site Here) const {
  const detail::Drawing From(generator);
  return bernoulli(p, Here);
}

} // namespace tensortidy
