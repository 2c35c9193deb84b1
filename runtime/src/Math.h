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
ROW_FUNCTION(Cos, std::cos(X))
ROW_FUNCTION(Erf, std::erf(X))
ROW_FUNCTION(Exp, std::exp(X))
ROW_FUNCTION(Expm1, std::expm1(X))
ROW_FUNCTION(Log, std::log(X))
ROW_FUNCTION(Log1p, std::log1p(X))
ROW_FUNCTION(Sin, std::sin(X))
ROW_FUNCTION(Tanh, std::tanh(X))
ROW_FUNCTION(Sigmoid, 1 / (1 + std::exp(-X)))
ROW_FUNCTION(Silu, X / (1 + std::exp(-X)))
ROW_FUNCTION(Gelu, X *T(0.5) * (1 + std::erf(X * T(0.7071067811865476))))
ROW_FUNCTION(GeluTanh, T(0.5) * X *
                           (1 + std::tanh(T(0.7978845608028654) *
                                          (X + T(0.044715) * X * X * X))))
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
