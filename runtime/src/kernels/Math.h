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

#include "kernels/Vectors.h"
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

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

/// A function whose block(In, Work, Out, N) composes it of rows of others'.
template <class F> struct Composed : F {
  void row(const float *In, float *Out, int64_t N) const { rows(In, Out, N); }
  void row(const double *In, double *Out, int64_t N) const { rows(In, Out, N); }

private:
  template <class T> void rows(const T *In, T *Out, int64_t N) const {
    vectorised([=, This = F(*this)] {
      constexpr int64_t Block = 256;
      T Work[Block];
      for (int64_t K = 0; K < N; K += Block)
        This.block(In + K, Work, Out + K, N - K < Block ? N - K : Block);
    });
  }
};
/// X * Over above 0, Under * (e^(X * Within) - 1) below.
struct ExpLinear {
  double Over = 1, Under = 1, Within = 1;
  template <class T> T operator()(T X) const {
    return X > 0 ? X * T(Over) : std::expm1(X * T(Within)) * T(Under);
  }
  template <class T> T quick(int &Fails, T X) const {
    Fails |= !(X > 0);
    return X * T(Over);
  }
  template <class T> void block(const T *X, T *Work, T *Out, int64_t N) const {
    constexpr int64_t Vectors = 4; // are looked at and written together
    typedef T Vector
        __attribute__((vector_size(32), aligned(alignof(T)), may_alias));
    constexpr int64_t Few = Vectors * 32 / sizeof(T);
    for (; N >= Few; N -= Few, X += Few, Out += Few) {
      auto *From = reinterpret_cast<const Vector *>(X);
      auto *To = reinterpret_cast<Vector *>(Out);
      auto Below = ~(From[0] > Vector{});
      TENSORTIDY_UNROLLED
      for (int64_t K = 1; K < Vectors; ++K)
        Below |= ~(From[K] > Vector{});
      int64_t Any[4];
      __builtin_memcpy(Any, &Below, sizeof Any);
      if (Any[0] | Any[1] | Any[2] | Any[3])
        break;
      TENSORTIDY_UNROLLED
      for (int64_t K = 0; K < Vectors; ++K)
        To[K] = From[K] * T(Over);
    }
    int Below = 0;
    for (int64_t K = 0; K < N; ++K)
      Below |= !(X[K] > 0);
    if (!Below) {
      for (int64_t K = 0; K < N; ++K)
        Out[K] = X[K] * T(Over);
      return;
    }
    TENSORTIDY_INDEPENDENT
    for (int64_t K = 0; K < N; ++K)
      Work[K] = X[K] > 0 ? T(0) : X[K] * T(Within);
    Expm1::row(Work, Work, N);
    TENSORTIDY_INDEPENDENT
    for (int64_t K = 0; K < N; ++K)
      Out[K] = X[K] > 0 ? X[K] * T(Over) : Work[K] * T(Under);
  }
};
/// log(1 + e^(X * Beta)) / Beta; X where it is the same.
struct SoftPlus {
  double Beta = 1, Most = 20;
  template <class T> T operator()(T X) const {
    const T Scaled = X * T(Beta);
    return Scaled > T(Most) ? X : std::log1p(std::exp(Scaled)) / T(Beta);
  }
  template <class T> void block(const T *X, T *Work, T *Out, int64_t N) const {
    TENSORTIDY_INDEPENDENT
    for (int64_t K = 0; K < N; ++K)
      Work[K] = X[K] * T(Beta) > T(Most) ? T(0) : X[K] * T(Beta);
    Exp::row(Work, Work, N);
    Log1p::row(Work, Work, N);
    TENSORTIDY_INDEPENDENT
    for (int64_t K = 0; K < N; ++K)
      Out[K] = X[K] * T(Beta) > T(Most) ? X[K] : Work[K] / T(Beta);
  }
};
struct LogSigmoid {
  template <class T> T operator()(T X) const {
    return (X > 0 ? T(0) : X) - std::log1p(std::exp(-std::abs(X)));
  }
  template <class T> void block(const T *X, T *Work, T *Out, int64_t N) const {
    TENSORTIDY_INDEPENDENT
    for (int64_t K = 0; K < N; ++K)
      Work[K] = -std::abs(X[K]);
    Exp::row(Work, Work, N);
    Log1p::row(Work, Work, N);
    TENSORTIDY_INDEPENDENT
    for (int64_t K = 0; K < N; ++K)
      Out[K] = (X[K] > 0 ? T(0) : X[K]) - Work[K];
  }
};
/// X * tanh(log(1 + e^X)), which is X from 40 on.
struct Mish {
  template <class T> T operator()(T X) const {
    return X * std::tanh(std::log1p(std::exp(X)));
  }
  template <class T> void block(const T *X, T *Work, T *Out, int64_t N) const {
    TENSORTIDY_INDEPENDENT
    for (int64_t K = 0; K < N; ++K)
      Work[K] = X[K] > 40 ? T(40) : X[K];
    Exp::row(Work, Work, N);
    Log1p::row(Work, Work, N);
    Tanh::row(Work, Work, N);
    TENSORTIDY_INDEPENDENT
    for (int64_t K = 0; K < N; ++K)
      Out[K] = X[K] * Work[K];
  }
};
/// Of floats by Stirling's series, in double: of X + 8 where X is less than 8,
/// from whose gamma function the eight factors between are taken.
struct LogGamma {
  template <class T> T operator()(T X) const { return std::lgamma(X); }
  static void block(const double *X, double *, double *Out, int64_t N) {
    for (int64_t K = 0; K < N; ++K)
      Out[K] = std::lgamma(X[K]);
  }
  static void block(const float *X, float *Work, float *Out, int64_t N) {
    constexpr int64_t Most = 64;
    for (; N > 0; N -= Most, X += Most, Work += Most, Out += Most) {
      const int64_t Now = N < Most ? N : Most;
      double Z[Most], Logs[2 * Most];
      TENSORTIDY_INDEPENDENT
      for (int64_t K = 0; K < Now; ++K) {
        const double V = X[K] > 0 ? X[K] : 1.0, Square = V * (V + 7);
        Z[K] = V < 8 ? V + 8 : V;
        Logs[K] = Z[K];
        Logs[Now + K] =
            V < 8 ? Square * (Square + 6) * (Square + 10) * (Square + 12) : 1.0;
      }
      Log::row(Logs, Logs, 2 * Now);
      TENSORTIDY_INDEPENDENT
      for (int64_t K = 0; K < Now; ++K) {
        const double By = 1 / Z[K], S = By * By;
        double P = S * (1.0 / 156) - 691.0 / 360360; // no loop in a vector's
        P = P * S + 1.0 / 1188;
        P = P * S - 1.0 / 1680;
        P = P * S + 1.0 / 1260;
        P = P * S - 1.0 / 360;
        P = P * S + 1.0 / 12;
        Work[K] =
            static_cast<float>((Z[K] - 0.5) * Logs[K] - Z[K] +
                               0.91893853320467274178 + P * By - Logs[Now + K]);
      }
      int32_t Rare = 0;
      for (int64_t K = 0; K < Now; ++K)
        Rare |= !(X[K] > 0) | !(X[K] < 1e35F) | (X[K] == 1) | (X[K] == 2);
      for (int64_t K = 0; Rare && K < Now; ++K)
        if (X[K] == 1 || X[K] == 2)
          Work[K] = 0;
        else if (!(X[K] > 0 && X[K] < 1e35F))
          Work[K] = std::lgamma(X[K]);
      for (int64_t K = 0; K < Now; ++K)
        Out[K] = Work[K];
    }
  }
};

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
