//===- Math.h - functions of rows of floats ---------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function object with a row() computes many floats at once; mapLoop() hands
// it whole rows, packed ones directly and others through a buffer:
//
//   Exp()(X)               one number of any floating type
//   Exp::row(In, Out, N)   N floats or doubles; In and Out may be the same
//
// An element's value does not depend on where in a row it stands.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_MATH_H
#define TENSORTIDY_RUNTIME_MATH_H

#include <cmath>
#include <cstdint>

namespace tensortidy::detail {

#define ROW_FUNCTION(NAME, EXPR)                                               \
  struct NAME {                                                                \
    template <class T> T operator()(T X) const { return EXPR; }                \
    static void row(const float *In, float *Out, int64_t N);                   \
    static void row(const double *In, double *Out, int64_t N);                 \
  };
ROW_FUNCTION(Acos, std::acos(X))
ROW_FUNCTION(Acosh, std::acosh(X))
ROW_FUNCTION(Asin, std::asin(X))
ROW_FUNCTION(Asinh, std::asinh(X))
ROW_FUNCTION(Atan, std::atan(X))
ROW_FUNCTION(Atanh, std::atanh(X))
ROW_FUNCTION(Cos, std::cos(X))
ROW_FUNCTION(Cosh, std::cosh(X))
ROW_FUNCTION(Erf, std::erf(X))
ROW_FUNCTION(Erfc, std::erfc(X))
ROW_FUNCTION(Exp, std::exp(X))
ROW_FUNCTION(Exp2, std::exp2(X))
ROW_FUNCTION(Expm1, std::expm1(X))
ROW_FUNCTION(Log, std::log(X))
ROW_FUNCTION(Log10, std::log10(X))
ROW_FUNCTION(Log1p, std::log1p(X))
ROW_FUNCTION(Log2, std::log2(X))
ROW_FUNCTION(Sin, std::sin(X))
ROW_FUNCTION(Sinh, std::sinh(X))
ROW_FUNCTION(Tan, std::tan(X))
ROW_FUNCTION(Tanh, std::tanh(X))
ROW_FUNCTION(Sigmoid, 1 / (1 + std::exp(-X)))
ROW_FUNCTION(Silu, X / (1 + std::exp(-X)))
ROW_FUNCTION(Gelu, X *T(0.5) * (1 + std::erf(X * T(0.7071067811865476))))
ROW_FUNCTION(GeluTanh, T(0.5) * X *
                           (1 + std::tanh(T(0.7978845608028654) *
                                          (X + T(0.044715) * X * X * X))))
#undef ROW_FUNCTION
#define ROW_FUNCTION(NAME, FUNCTION)                                           \
  struct NAME {                                                                \
    template <class T> T operator()(T A, T B) const { return FUNCTION(A, B); } \
    static void row(const float *A, const float *B, float *Out, int64_t N);    \
    static void row(const double *A, const double *B, double *Out, int64_t N); \
  };
ROW_FUNCTION(Atan2, std::atan2)
ROW_FUNCTION(Hypot, std::hypot)
ROW_FUNCTION(RealPow, std::pow)
#undef ROW_FUNCTION

/// e^(X - Less) of N floats to Out, and their sum, for a few thousand of them.
float expRow(const float *In, float Less, float *Out, int64_t N);
double expRow(const double *In, double Less, double *Out, int64_t N);

/// Rarer functions, one number at a time.
double erfinv(double X);
double digamma(double X);
double besselI0(double X);
inline float erfinv(float X) {
  return static_cast<float>(erfinv(static_cast<double>(X)));
}
inline float besselI0(float X) {
  return static_cast<float>(besselI0(static_cast<double>(X)));
}
inline float digamma(float X) {
  return static_cast<float>(digamma(static_cast<double>(X)));
}

} // namespace tensortidy::detail

#endif
