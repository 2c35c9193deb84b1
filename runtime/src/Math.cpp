//===- Math.cpp - functions of rows of floats -----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C library's vector functions (libmvec, within 4 units in the last place)
// are called by the names its vector ABI gives them: b and d for SSE and AVX2,
// then how many floats. Without it, one number at a time.
//
//===----------------------------------------------------------------------===//

#include "Math.h"
#include "Vectors.h"
#include <cstring>
#include <limits>
#if TENSORTIDY_MVEC
#include <immintrin.h>
#endif

namespace tensortidy::detail {

#if TENSORTIDY_MVEC

#define VECTOR_CALL(NAME, FUNCTION)                                            \
  __m128 NAME(__m128) __asm__("_ZGVbN4v_" FUNCTION);                           \
  TENSORTIDY_AVX2 __m256 NAME(__m256) __asm__("_ZGVdN8v_" FUNCTION);
VECTOR_CALL(vectorCos, "cosf")
VECTOR_CALL(vectorErf, "erff")
VECTOR_CALL(vectorExp, "expf")
VECTOR_CALL(vectorExpm1, "expm1f")
VECTOR_CALL(vectorLog, "logf")
VECTOR_CALL(vectorLog1p, "log1pf")
VECTOR_CALL(vectorSin, "sinf")
VECTOR_CALL(vectorTanh, "tanhf")
#undef VECTOR_CALL

// The library's exp goes number by number through a vector that leaves its
// range, as the -inf of an attention mask does: those are answered here.
#define EXP_OF(VECTOR, TARGET, ANY)                                            \
  TARGET static VECTOR anyExp(VECTOR X) {                                      \
    const VECTOR Zero = {}, Infinite = Zero + __builtin_inff();                \
    const auto Under = X < -104.0F, Over = X > 89.0F;                          \
    if (ANY(reinterpret_cast<VECTOR>(Under | Over)) == 0)                      \
      return vectorExp(X);                                                     \
    const VECTOR Y = vectorExp(Under | Over ? Zero : X);                       \
    return Under ? Zero : Over ? Infinite : Y;                                 \
  }
EXP_OF(__m128, , _mm_movemask_ps)
EXP_OF(__m256, TENSORTIDY_AVX2, _mm256_movemask_ps)
#undef EXP_OF

// And its log, through one that has a zero, a negative or subnormal number,
// infinity or a NaN.
#define LOG_OF(VECTOR, TARGET, ANY)                                            \
  TARGET static VECTOR anyLog(VECTOR X) {                                      \
    const VECTOR Zero = {}, Infinite = Zero + __builtin_inff();                \
    const auto Usual = (X >= 0x1p-126F) & (X < Infinite);                      \
    if (ANY(reinterpret_cast<VECTOR>(~Usual)) == 0)                            \
      return vectorLog(X);                                                     \
    const auto Tiny = (X > Zero) & (X < 0x1p-126F);                            \
    const VECTOR Y = vectorLog(Usual ? X : Tiny ? X * 0x1p24F : Zero + 1.0F);  \
    const VECTOR Odd = X == Zero       ? -Infinite                             \
                       : X < Zero      ? Zero - __builtin_nanf("")             \
                       : X == Infinite ? Infinite                              \
                                       : X;                                    \
    return Usual ? Y : Tiny ? Y - 16.635532333438687F : Odd;                   \
  }
LOG_OF(__m128, , _mm_movemask_ps)
LOG_OF(__m256, TENSORTIDY_AVX2, _mm256_movemask_ps)
#undef LOG_OF

// log1p as well, of -1 and what is below, infinity and NaNs.
#define LOG1P_OF(VECTOR, TARGET, ANY)                                          \
  TARGET static VECTOR anyLog1p(VECTOR X) {                                    \
    const VECTOR Zero = {}, Infinite = Zero + __builtin_inff();                \
    const auto Usual = (X > -1.0F) & (X < Infinite);                           \
    if (ANY(reinterpret_cast<VECTOR>(~Usual)) == 0)                            \
      return vectorLog1p(X);                                                   \
    const VECTOR Y = vectorLog1p(Usual ? X : Zero);                            \
    const VECTOR Odd = X == -1.0F  ? -Infinite                                 \
                       : X < -1.0F ? Zero - __builtin_nanf("")                 \
                                   : X;                                        \
    return Usual ? Y : Odd;                                                    \
  }
LOG1P_OF(__m128, , _mm_movemask_ps)
LOG1P_OF(__m256, TENSORTIDY_AVX2, _mm256_movemask_ps)
#undef LOG1P_OF

// The same expression over vectors of 4 and of 8. The end of a row is computed
// in a vector of its own.
#define ROW_OF(NAME, WIDTH, TARGET, VECTOR, LOAD, STORE, EXPR)                 \
  TARGET static void row##WIDTH##Of##NAME(const float *In, float *Out,         \
                                          int64_t N) {                         \
    int64_t K = 0;                                                             \
    for (; K + WIDTH <= N; K += WIDTH) {                                       \
      const VECTOR X = LOAD(In + K);                                           \
      STORE(Out + K, EXPR);                                                    \
    }                                                                          \
    if (K < N) {                                                               \
      const auto Bytes = static_cast<size_t>(N - K) * sizeof(float);           \
      float Rest[WIDTH] = {};                                                  \
      std::memcpy(Rest, In + K, Bytes);                                        \
      const VECTOR X = LOAD(Rest);                                             \
      STORE(Rest, EXPR);                                                       \
      std::memcpy(Out + K, Rest, Bytes);                                       \
    }                                                                          \
  }
#define ROW(NAME, EXPR)                                                        \
  ROW_OF(NAME, 4, , __m128, _mm_loadu_ps, _mm_storeu_ps, EXPR)                 \
  ROW_OF(NAME, 8, TENSORTIDY_AVX2, __m256, _mm256_loadu_ps, _mm256_storeu_ps,  \
         EXPR)                                                                 \
  void NAME::row(const float *In, float *Out, int64_t N) {                     \
    if (hasAvx2())                                                             \
      row8Of##NAME(In, Out, N);                                                \
    else                                                                       \
      row4Of##NAME(In, Out, N);                                                \
  }
ROW(Cos, vectorCos(X))
ROW(Erf, vectorErf(X))
ROW(Exp, anyExp(X))
ROW(Expm1, vectorExpm1(X))
ROW(Log, anyLog(X))
ROW(Log1p, anyLog1p(X))
ROW(Sin, vectorSin(X))
ROW(Tanh, vectorTanh(X))
ROW(Sigmoid, 1.0F / (1.0F + anyExp(-X)))
ROW(Silu, X / (1.0F + anyExp(-X)))
ROW(Gelu, X * 0.5F * (1.0F + vectorErf(X * 0.7071067811865476F)))
ROW(GeluTanh,
    0.5F * X *
        (1.0F + vectorTanh(0.7978845608028654F * (X + 0.044715F * X * X * X))))
#undef ROW
#undef ROW_OF

#else

#define ROW(NAME)                                                              \
  void NAME::row(const float *In, float *Out, int64_t N) {                     \
    for (int64_t K = 0; K < N; ++K)                                            \
      Out[K] = NAME()(In[K]);                                                  \
  }
ROW(Cos)
ROW(Erf)
ROW(Exp)
ROW(Expm1)
ROW(Log)
ROW(Log1p)
ROW(Sin)
ROW(Tanh)
ROW(Sigmoid)
ROW(Silu)
ROW(Gelu)
ROW(GeluTanh)
#undef ROW

#endif

/// A quotient of polynomials, and two of Newton's steps on erf: near 1, where
/// erf is flat, the result is what that quotient is, so it is libtorch's.
double erfinv(double X) {
  if (std::abs(X) == 1)
    return X * std::numeric_limits<double>::infinity();
  if (!(std::abs(X) < 1))
    return std::numeric_limits<double>::quiet_NaN();
  double R;
  if (std::abs(X) <= 0.7) {
    const double Z = X * X;
    R = X *
        (((-0.140543331 * Z + 0.914624893) * Z - 1.645349621) * Z +
         0.886226899) /
        ((((0.012229801 * Z - 0.329097515) * Z + 1.442710462) * Z -
          2.118377725) *
             Z +
         1);
  } else {
    const double Z = std::sqrt(-std::log((1 - std::abs(X)) / 2));
    R = std::copysign(((1.641345311 * Z + 3.429567803) * Z - 1.624906493) * Z -
                          1.970840454,
                      X) /
        ((1.637067800 * Z + 3.543889200) * Z + 1);
  }
  constexpr double Pi = 3.14159265358979323846;
  for (int Step = 0; Step < 2; ++Step)
    R -= (std::erf(R) - X) / (2 / std::sqrt(Pi) * std::exp(-R * R));
  return R;
}
/// The power series, and for large numbers the asymptotic one.
double besselI0(double X) {
  X = std::abs(X);
  double Term = 1, Sum = 1;
  if (X <= 40) {
    for (int K = 1; Term > Sum * 1e-17; ++K) {
      Term *= X / (2 * K) * (X / (2 * K));
      Sum += Term;
    }
    return X == X ? Sum : X;
  }
  if (std::isinf(X))
    return X;
  for (int K = 1; K < 20; ++K) {
    Term *= (2 * K - 1) * (2 * K - 1) / (8 * K * X);
    Sum += Term;
  }
  return std::exp(X) / std::sqrt(2 * 3.14159265358979323846 * X) * Sum;
}
/// Reflected to positive numbers, stepped up to 10, then the asymptotic series.
double digamma(double X) {
  constexpr double Pi = 3.14159265358979323846;
  if (X == 0)
    return std::copysign(std::numeric_limits<double>::infinity(), -X);
  if (X < 0) {
    if (X == std::trunc(X))
      return std::numeric_limits<double>::quiet_NaN();
    return digamma(1 - X) - Pi / std::tan(Pi * std::fmod(X, 1));
  }
  double R = 0;
  for (; X < 10; ++X)
    R -= 1 / X;
  const double Y = 1 / (X * X);
  const double Series =
      Y * (1.0 / 12 -
           Y * (1.0 / 120 -
                Y * (1.0 / 252 -
                     Y * (1.0 / 240 - Y * (1.0 / 132 - Y * 691.0 / 32760)))));
  return R + std::log(X) - 0.5 / X - Series;
}

} // namespace tensortidy::detail
