//===- Math.cpp - functions of rows of floats -----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C library's vector functions (libmvec, within 4 units in the last place)
// are called by the names its vector ABI gives them: b, d and e for SSE, AVX2
// and AVX-512, then how many floats. Without it, one number at a time; but for
// exp and erf, which are written here, since most models spend their time in
// them.
//
//===----------------------------------------------------------------------===//

#include "kernels/Math.h"
#include "kernels/Vectors.h"
#include <cstring>
#include <limits>
#if defined(TENSORTIDY_AVX2)
#include <immintrin.h>
#endif

namespace tensortidy::detail {

#if defined(TENSORTIDY_AVX2)

#define TENSORTIDY_AVX512                                                      \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
static bool hasAvx512() {
  static const bool Has = hasAvx2() && __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl");
  return Has;
}

static __m128 multiplyAdd(__m128 A, __m128 B, __m128 C) { return A * B + C; }
TENSORTIDY_AVX2 static __m256 multiplyAdd(__m256 A, __m256 B, __m256 C) {
  return _mm256_fmadd_ps(A, B, C);
}
TENSORTIDY_AVX512 static __m512 multiplyAdd(__m512 A, __m512 B, __m512 C) {
  return _mm512_fmadd_ps(A, B, C);
}

// X = N log(2) + R with |R| <= log(2) / 2; e^R is the polynomial of degree 6
// nearest to it, and 2^N two factors, since it may be subnormal. Adding a large
// number rounds N, and leaves it in the last bits of the sum.
#define EXP_OF(VECTOR, TARGET)                                                 \
  TARGET __attribute__((always_inline)) static inline VECTOR vectorExp(        \
      VECTOR X) {                                                              \
    using Ints = decltype(X < X);                                              \
    const VECTOR Zero = {}, Large = Zero + 0x1.8p23F;                          \
    const Ints Gone = X < -104.0F;                                             \
    X = Gone ? Zero : X > 89.0F ? Zero + 89.0F : X;                            \
    const VECTOR Sum = multiplyAdd(X, Zero + 1.44269504088896341F, Large);     \
    const VECTOR N = Sum - Large;                                              \
    VECTOR R = multiplyAdd(N, Zero - 0x1.63p-1F, X);                           \
    R = multiplyAdd(N, Zero + 2.12194440054690583e-4F, R);                     \
    VECTOR P = Zero + 1.38145400833406e-3F;                                    \
    P = multiplyAdd(P, R, Zero + 8.36874510758793e-3F);                        \
    P = multiplyAdd(P, R, Zero + 4.16683907854244e-2F);                        \
    P = multiplyAdd(P, R, Zero + 1.66665203990575e-1F);                        \
    P = multiplyAdd(P, R, Zero + 4.99999934321201e-1F);                        \
    P = multiplyAdd(P * R, R, R) + 1.0F;                                       \
    const Ints Power = reinterpret_cast<Ints>(Sum) - 0x4b400000,               \
               Half = Power >> 1;                                              \
    P = P * reinterpret_cast<VECTOR>((Half + 127) << 23) *                     \
        reinterpret_cast<VECTOR>((Power - Half + 127) << 23);                  \
    return Gone ? Zero : P;                                                    \
  }
EXP_OF(__m128, )
EXP_OF(__m256, TENSORTIDY_AVX2)
EXP_OF(__m512, TENSORTIDY_AVX512)
#undef EXP_OF

// Near 0, X + X * P(X^2); farther off, 1 - e^Y with Y = -T * Q(T) of T = |X|,
// which is 1 from 4 on. Each polynomial is within 2e-8 of what it stands for. Y
// is never below -18, so that e^Y is simpler to get than by the function above.
#define ERF_OF(VECTOR, TARGET)                                                 \
  TARGET __attribute__((always_inline)) static inline VECTOR vectorErf(        \
      VECTOR X) {                                                              \
    using Ints = decltype(X < X);                                              \
    const VECTOR Zero = {}, Large = Zero + 0x1.8p23F;                          \
    const Ints Sign = reinterpret_cast<Ints>(X) & INT32_MIN;                   \
    const VECTOR T0 =                                                          \
        reinterpret_cast<VECTOR>(reinterpret_cast<Ints>(X) ^ Sign);            \
    const VECTOR T = T0 > 4.0F ? Zero + 4.0F : T0;                             \
    VECTOR Q = Zero - 2.1399361976184246e-4F;                                  \
    Q = multiplyAdd(Q, T, Zero + 3.2150223486145197e-3F);                      \
    Q = multiplyAdd(Q, T, Zero - 2.2890163907144514e-2F);                      \
    Q = multiplyAdd(Q, T, Zero + 1.0526213362579259e-1F);                      \
    Q = multiplyAdd(Q, T, Zero + 6.35718109609872e-1F);                        \
    Q = multiplyAdd(Q, T, Zero + 1.1285144177143613F);                         \
    const VECTOR Y = -T * Q,                                                   \
                 Sum = multiplyAdd(Y, Zero + 1.44269504088896341F, Large),     \
                 R = multiplyAdd(Sum - Large, Zero - 0.69314718055994531F, Y); \
    VECTOR E = Zero + 8.297591122461985e-3F;                                   \
    E = multiplyAdd(E, R, Zero + 4.1915627677754204e-2F);                      \
    E = multiplyAdd(E, R, Zero + 1.666757696345349e-1F);                       \
    E = multiplyAdd(E, R, Zero + 4.999889268002094e-1F);                       \
    E = multiplyAdd(E, R, Zero + 9.999996909457952e-1F);                       \
    E = multiplyAdd(E, R, Zero + 1.00000007186359F);                           \
    const Ints Scaled =                                                        \
        reinterpret_cast<Ints>(E) + (reinterpret_cast<Ints>(Sum) << 23);       \
    const VECTOR Far = 1.0F - reinterpret_cast<VECTOR>(Scaled), S = T * T;     \
    VECTOR P = Zero - 5.95368048225768e-4F;                                    \
    P = multiplyAdd(P, S, Zero + 4.985927232262736e-3F);                       \
    P = multiplyAdd(P, S, Zero - 2.6761709623263276e-2F);                      \
    P = multiplyAdd(P, S, Zero + 1.1281682219076587e-1F);                      \
    P = multiplyAdd(P, S, Zero - 3.7612481064359854e-1F);                      \
    P = multiplyAdd(P, S, Zero + 1.2837914768443556e-1F);                      \
    const VECTOR Erf = T > 0.925F ? Far : multiplyAdd(P, T, T);                \
    return reinterpret_cast<VECTOR>(reinterpret_cast<Ints>(Erf) | Sign);       \
  }
ERF_OF(__m128, )
ERF_OF(__m256, TENSORTIDY_AVX2)
ERF_OF(__m512, TENSORTIDY_AVX512)
#undef ERF_OF

// The same expression over vectors of 4, 8 and 16. The end of a row is computed
// in a vector of its own, which has no number that is not in the row.
#define ROW_OF(NAME, NUMBER, WIDTH, TARGET, VECTOR, LOAD, STORE, EXPR)         \
  TARGET static void row##WIDTH##Of##NAME(const NUMBER *In, NUMBER *Out,       \
                                          int64_t N) {                         \
    int64_t K = 0;                                                             \
    for (; K + WIDTH <= N; K += WIDTH) {                                       \
      const VECTOR X = LOAD(In + K);                                           \
      STORE(Out + K, EXPR);                                                    \
    }                                                                          \
    if (K < N) {                                                               \
      const auto Bytes = static_cast<size_t>(N - K) * sizeof(NUMBER);          \
      NUMBER Rest[WIDTH];                                                      \
      for (NUMBER & R : Rest)                                                  \
        R = In[K];                                                             \
      std::memcpy(Rest, In + K, Bytes);                                        \
      const VECTOR X = LOAD(Rest);                                             \
      STORE(Rest, EXPR);                                                       \
      std::memcpy(Out + K, Rest, Bytes);                                       \
    }                                                                          \
  }
#define ROW(NAME, EXPR)                                                        \
  ROW_OF(NAME, float, 4, , __m128, _mm_loadu_ps, _mm_storeu_ps, EXPR)          \
  ROW_OF(NAME, float, 8, TENSORTIDY_AVX2, __m256, _mm256_loadu_ps,             \
         _mm256_storeu_ps, EXPR)                                               \
  ROW_OF(NAME, float, 16, TENSORTIDY_AVX512, __m512, _mm512_loadu_ps,          \
         _mm512_storeu_ps, EXPR)                                               \
  void NAME::row(const float *In, float *Out, int64_t N) {                     \
    if (hasAvx512())                                                           \
      row16Of##NAME(In, Out, N);                                               \
    else if (hasAvx2())                                                        \
      row8Of##NAME(In, Out, N);                                                \
    else                                                                       \
      row4Of##NAME(In, Out, N);                                                \
  }
ROW(Erf, vectorErf(X))
ROW(Exp, vectorExp(X))
ROW(Gelu, X * 0.5F * (1.0F + vectorErf(X * 0.7071067811865476F)))
ROW(Sigmoid, 1.0F / (1.0F + vectorExp(-X)))
ROW(Silu, X / (1.0F + vectorExp(-X)))

#define EXP_ROW_OF(WIDTH, TARGET, VECTOR, LOAD, STORE)                         \
  TARGET static float exp##WIDTH##Row(const float *In, float Less, float *Out, \
                                      int64_t N) {                             \
    VECTOR Sum = {};                                                           \
    int64_t K = 0;                                                             \
    for (; K + WIDTH <= N; K += WIDTH) {                                       \
      const VECTOR X = vectorExp(LOAD(In + K) - Less);                         \
      STORE(Out + K, X);                                                       \
      Sum += X;                                                                \
    }                                                                          \
    float Lanes[WIDTH];                                                        \
    if (K < N) {                                                               \
      std::memcpy(Lanes, In + K, static_cast<size_t>(N - K) * sizeof(float));  \
      for (int64_t J = N - K; J < WIDTH; ++J)                                  \
        Lanes[J] = -__builtin_inff();                                          \
      const VECTOR X = vectorExp(LOAD(Lanes) - Less);                          \
      Sum += X;                                                                \
      STORE(Lanes, X);                                                         \
      std::memcpy(Out + K, Lanes, static_cast<size_t>(N - K) * sizeof(float)); \
    }                                                                          \
    STORE(Lanes, Sum);                                                         \
    for (int64_t J = WIDTH / 2; J > 0; J /= 2)                                 \
      for (int64_t L = 0; L < J; ++L)                                          \
        Lanes[L] += Lanes[L + J];                                              \
    return Lanes[0];                                                           \
  }
EXP_ROW_OF(4, , __m128, _mm_loadu_ps, _mm_storeu_ps)
EXP_ROW_OF(8, TENSORTIDY_AVX2, __m256, _mm256_loadu_ps, _mm256_storeu_ps)
EXP_ROW_OF(16, TENSORTIDY_AVX512, __m512, _mm512_loadu_ps, _mm512_storeu_ps)
#undef EXP_ROW_OF
float expRow(const float *In, float Less, float *Out, int64_t N) {
  return (hasAvx512() ? exp16Row
          : hasAvx2() ? exp8Row
                      : exp4Row)(In, Less, Out, N);
}

#else

#define ROW(NAME, EXPR)                                                        \
  void NAME::row(const float *In, float *Out, int64_t N) {                     \
    for (int64_t K = 0; K < N; ++K)                                            \
      Out[K] = NAME()(In[K]);                                                  \
  }
ROW(Erf, )
ROW(Exp, )
ROW(Gelu, )
ROW(Sigmoid, )
ROW(Silu, )

float expRow(const float *In, float Less, float *Out, int64_t N) {
  float Sum = 0;
  for (int64_t K = 0; K < N; ++K)
    Sum += Out[K] = std::exp(In[K] - Less);
  return Sum;
}

#endif

#if TENSORTIDY_MVEC && defined(TENSORTIDY_AVX2)

#define VECTOR_CALL(NAME, FUNCTION)                                            \
  __m128d NAME(__m128d) __asm__("_ZGVbN2v_" FUNCTION);                         \
  TENSORTIDY_AVX2 __m256d NAME(__m256d) __asm__("_ZGVdN4v_" FUNCTION);         \
  TENSORTIDY_AVX512 __m512d NAME(__m512d) __asm__("_ZGVeN8v_" FUNCTION);
VECTOR_CALL(vectorErf, "erf")
VECTOR_CALL(vectorExp, "exp")
#define VECTOR_CALLS(NAME, FUNCTION)                                           \
  VECTOR_CALL(NAME, FUNCTION)                                                  \
  __m128 NAME(__m128) __asm__("_ZGVbN4v_" FUNCTION "f");                       \
  TENSORTIDY_AVX2 __m256 NAME(__m256) __asm__("_ZGVdN8v_" FUNCTION "f");       \
  TENSORTIDY_AVX512 __m512 NAME(__m512) __asm__("_ZGVeN16v_" FUNCTION "f");
VECTOR_CALLS(vectorAcos, "acos")
VECTOR_CALLS(vectorAcosh, "acosh")
VECTOR_CALLS(vectorAsin, "asin")
VECTOR_CALLS(vectorAsinh, "asinh")
VECTOR_CALLS(vectorAtan, "atan")
VECTOR_CALLS(vectorAtanh, "atanh")
VECTOR_CALLS(vectorCos, "cos")
VECTOR_CALLS(vectorCosh, "cosh")
VECTOR_CALLS(vectorErfc, "erfc")
VECTOR_CALLS(vectorExp2, "exp2")
VECTOR_CALLS(vectorExpm1, "expm1")
VECTOR_CALLS(vectorLog, "log")
VECTOR_CALLS(vectorLog10, "log10")
VECTOR_CALLS(vectorLog1p, "log1p")
VECTOR_CALLS(vectorLog2, "log2")
VECTOR_CALLS(vectorSin, "sin")
VECTOR_CALLS(vectorSinh, "sinh")
VECTOR_CALLS(vectorTan, "tan")
VECTOR_CALLS(vectorTanh, "tanh")
#undef VECTOR_CALL
#undef VECTOR_CALLS

// A number of any lane is negative, or a mask that is set.
static bool anySign(__m128 X) { return _mm_movemask_ps(X) != 0; }
static bool anySign(__m128d X) { return _mm_movemask_pd(X) != 0; }
TENSORTIDY_AVX2 static bool anySign(__m256 X) {
  return _mm256_movemask_ps(X) != 0;
}
TENSORTIDY_AVX2 static bool anySign(__m256d X) {
  return _mm256_movemask_pd(X) != 0;
}
TENSORTIDY_AVX512 static bool anySign(__m512 X) {
  return _mm512_movepi32_mask(_mm512_castps_si512(X)) != 0;
}
TENSORTIDY_AVX512 static bool anySign(__m512d X) {
  return _mm512_movepi64_mask(_mm512_castpd_si512(X)) != 0;
}

// The library goes number by number through a vector that has one which is not
// usual: it is called with another in its place, and the rest answered here.
#define ANY_OF(VECTOR, TARGET, NUMBER, NAME, USUAL, INSTEAD, REST)             \
  TARGET static VECTOR any##NAME(VECTOR X) {                                   \
    using T = NUMBER;                                                          \
    using Of = std::numeric_limits<T>;                                         \
    [[maybe_unused]] constexpr T Least = Of::min(), Most = Of::max(),          \
                                 Infinite = Of::infinity(),                    \
                                 NaN = Of::quiet_NaN();                        \
    [[maybe_unused]] constexpr bool IsFloat = sizeof(T) == 4;                  \
    const VECTOR Zero = {};                                                    \
    const auto Usual = USUAL;                                                  \
    if (!anySign(reinterpret_cast<VECTOR>(~Usual)))                            \
      return vector##NAME(X);                                                  \
    const VECTOR Y = vector##NAME(Usual ? X : INSTEAD);                        \
    return Usual ? Y : REST;                                                   \
  }
#define ANY_DOUBLE(...)                                                        \
  ANY_OF(__m128d, , double, __VA_ARGS__)                                       \
  ANY_OF(__m256d, TENSORTIDY_AVX2, double, __VA_ARGS__)                        \
  ANY_OF(__m512d, TENSORTIDY_AVX512, double, __VA_ARGS__)
#define ANY(...)                                                               \
  ANY_DOUBLE(__VA_ARGS__)                                                      \
  ANY_OF(__m128, , float, __VA_ARGS__)                                         \
  ANY_OF(__m256, TENSORTIDY_AVX2, float, __VA_ARGS__)                          \
  ANY_OF(__m512, TENSORTIDY_AVX512, float, __VA_ARGS__)
#define WITHIN(LOW, HIGH) (X >= T(LOW)) & (X <= T(HIGH))
// NaNs stay; what is below and above becomes this.
#define ELSE(BELOW, ABOVE)                                                     \
  X<Zero ? Zero + T(BELOW) : X> Zero ? Zero + T(ABOVE) : X
ANY(Acos, WITHIN(-1, 1), Zero, Zero + NaN)
ANY(Asin, WITHIN(-1, 1), Zero, Zero + NaN)
ANY(Acosh, WITHIN(1, Most), Zero + 1, X < 1 ? Zero + NaN : X)
ANY(Atanh, (X > -1) & (X < 1), Zero,
    X == 1    ? Zero + Infinite
    : X == -1 ? Zero - Infinite
              : Zero + NaN)
ANY(Cosh, WITHIN(IsFloat ? -90 : -711, IsFloat ? 90 : 711), Zero,
    ELSE(Infinite, Infinite))
ANY(Sinh, WITHIN(IsFloat ? -90 : -711, IsFloat ? 90 : 711), Zero,
    ELSE(-Infinite, Infinite))
ANY_DOUBLE(Exp, WITHIN(-746, 710), Zero, ELSE(0, Infinite))
ANY(Exp2, WITHIN(IsFloat ? -150 : -1075, IsFloat ? 128 : 1024), Zero,
    ELSE(0, Infinite))
ANY(Expm1, WITHIN(-40, IsFloat ? 89 : 710), Zero, ELSE(-1, Infinite))
ANY(Erfc, WITHIN(IsFloat ? -4 : -6, IsFloat ? 10.06 : 27.3), Zero, ELSE(2, 0))
// Of what is next to 0 it is that itself.
ANY(Log1p, ((X > -1) & (X <= -Least)) | (WITHIN(Least, Most)), Zero,
    X == -1  ? Zero - Infinite
    : X < -1 ? Zero + NaN
             : X)
// Logarithms of subnormal numbers, too.
#define ANY_LOG(NAME, OF2)                                                     \
  ANY(NAME, WITHIN(Least, Most),                                               \
      (X > Zero) & (X < Least) ? X * T(0x1p54) : Zero + 1,                     \
      X == Zero    ? Zero - Infinite                                           \
      : X < Zero   ? Zero + NaN                                                \
      : X <= Least ? Y - T(54 * OF2)                                           \
                   : X)
ANY_LOG(Log, 0.693147180559945309417)
ANY_LOG(Log10, 0.301029995663981195214)
ANY_LOG(Log2, 1)
#undef ANY_LOG
#undef ELSE
#undef WITHIN
#undef ANY
#undef ANY_DOUBLE
#undef ANY_OF

// Doubles by the library's functions, which are exact enough for them as well.
#define DOUBLE_ROW(NAME, EXPR)                                                 \
  namespace doubles {                                                          \
  ROW_OF(NAME, double, 2, , __m128d, _mm_loadu_pd, _mm_storeu_pd, EXPR)        \
  ROW_OF(NAME, double, 4, TENSORTIDY_AVX2, __m256d, _mm256_loadu_pd,           \
         _mm256_storeu_pd, EXPR)                                               \
  ROW_OF(NAME, double, 8, TENSORTIDY_AVX512, __m512d, _mm512_loadu_pd,         \
         _mm512_storeu_pd, EXPR)                                               \
  }                                                                            \
  void NAME::row(const double *In, double *Out, int64_t N) {                   \
    if (hasAvx512())                                                           \
      doubles::row8Of##NAME(In, Out, N);                                       \
    else if (hasAvx2())                                                        \
      doubles::row4Of##NAME(In, Out, N);                                       \
    else                                                                       \
      doubles::row2Of##NAME(In, Out, N);                                       \
  }
#define BOTH_ROWS(NAME, EXPR) ROW(NAME, EXPR) DOUBLE_ROW(NAME, EXPR)
BOTH_ROWS(Acos, anyAcos(X))
BOTH_ROWS(Acosh, anyAcosh(X))
BOTH_ROWS(Asin, anyAsin(X))
BOTH_ROWS(Asinh, vectorAsinh(X))
BOTH_ROWS(Atan, vectorAtan(X))
BOTH_ROWS(Atanh, anyAtanh(X))
BOTH_ROWS(Cos, vectorCos(X))
BOTH_ROWS(Cosh, anyCosh(X))
BOTH_ROWS(Erfc, anyErfc(X))
BOTH_ROWS(Exp2, anyExp2(X))
BOTH_ROWS(Expm1, anyExpm1(X))
BOTH_ROWS(Log, anyLog(X))
BOTH_ROWS(Log10, anyLog10(X))
BOTH_ROWS(Log1p, anyLog1p(X))
BOTH_ROWS(Log2, anyLog2(X))
BOTH_ROWS(Sin, vectorSin(X))
BOTH_ROWS(Sinh, anySinh(X))
BOTH_ROWS(Tan, vectorTan(X))
BOTH_ROWS(Tanh, vectorTanh(X))
ROW(GeluTanh,
    0.5F * X *
        (1.0F + vectorTanh(0.7978845608028654F * (X + 0.044715F * X * X * X))))
DOUBLE_ROW(GeluTanh, 0.5 * X *
                         (1.0 + vectorTanh(0.7978845608028654 *
                                           (X + 0.044715 * X * X * X))))
DOUBLE_ROW(Erf, vectorErf(X))
DOUBLE_ROW(Exp, anyExp(X))
DOUBLE_ROW(Gelu, X * 0.5 * (1.0 + vectorErf(X * 0.7071067811865476)))
DOUBLE_ROW(Sigmoid, 1.0 / (1.0 + anyExp(-X)))
DOUBLE_ROW(Silu, X / (1.0 + anyExp(-X)))
#undef BOTH_ROWS
#undef DOUBLE_ROW
#undef ROW_OF
#undef ROW

// Of two operands, whose rows end in vectors of ones.
#define VECTOR_CALL(NAME, FUNCTION)                                            \
  __m128 NAME(__m128, __m128) __asm__("_ZGVbN4vv_" FUNCTION "f");              \
  __m128d NAME(__m128d, __m128d) __asm__("_ZGVbN2vv_" FUNCTION);               \
  TENSORTIDY_AVX2 __m256 NAME(__m256,                                          \
                              __m256) __asm__("_ZGVdN8vv_" FUNCTION "f");      \
  TENSORTIDY_AVX2 __m256d NAME(__m256d,                                        \
                               __m256d) __asm__("_ZGVdN4vv_" FUNCTION);        \
  TENSORTIDY_AVX512 __m512 NAME(__m512,                                        \
                                __m512) __asm__("_ZGVeN16vv_" FUNCTION "f");   \
  TENSORTIDY_AVX512 __m512d NAME(__m512d,                                      \
                                 __m512d) __asm__("_ZGVeN8vv_" FUNCTION);
VECTOR_CALL(vectorAtan2, "atan2")
VECTOR_CALL(vectorHypot, "hypot")
VECTOR_CALL(vectorPow, "pow")
#undef VECTOR_CALL
#define ROW_OF(NAME, NUMBER, WIDTH, TARGET, LOAD, STORE, CALL)                 \
  TARGET static void NAME##NUMBER##WIDTH(const NUMBER *A, const NUMBER *B,     \
                                         NUMBER *Out, int64_t N) {             \
    int64_t K = 0;                                                             \
    for (; K + WIDTH <= N; K += WIDTH)                                         \
      STORE(Out + K, CALL(LOAD(A + K), LOAD(B + K)));                          \
    if (K < N) {                                                               \
      const auto Bytes = static_cast<size_t>(N - K) * sizeof(NUMBER);          \
      NUMBER X[WIDTH], Y[WIDTH];                                               \
      NUMBER *Both[] = {X, Y};                                                 \
      for (NUMBER * P : Both)                                                  \
        for (int64_t J = 0; J < WIDTH; ++J)                                    \
          P[J] = 1;                                                            \
      std::memcpy(X, A + K, Bytes);                                            \
      std::memcpy(Y, B + K, Bytes);                                            \
      STORE(X, CALL(LOAD(X), LOAD(Y)));                                        \
      std::memcpy(Out + K, X, Bytes);                                          \
    }                                                                          \
  }
#define ROW(NAME, NUMBER, SUFFIX, W4, W8, W16, CALL)                           \
  ROW_OF(NAME, NUMBER, W4, , _mm_loadu_##SUFFIX, _mm_storeu_##SUFFIX, CALL)    \
  ROW_OF(NAME, NUMBER, W8, TENSORTIDY_AVX2, _mm256_loadu_##SUFFIX,             \
         _mm256_storeu_##SUFFIX, CALL)                                         \
  ROW_OF(NAME, NUMBER, W16, TENSORTIDY_AVX512, _mm512_loadu_##SUFFIX,          \
         _mm512_storeu_##SUFFIX, CALL)                                         \
  void NAME::row(const NUMBER *A, const NUMBER *B, NUMBER *Out, int64_t N) {   \
    (hasAvx512() ? NAME##NUMBER##W16                                           \
     : hasAvx2() ? NAME##NUMBER##W8                                            \
                 : NAME##NUMBER##W4)(A, B, Out, N);                            \
  }
#define ROWS(NAME, CALL)                                                       \
  ROW(NAME, float, ps, 4, 8, 16, CALL)                                         \
  ROW(NAME, double, pd, 2, 4, 8, CALL)
ROWS(Atan2, vectorAtan2)
ROWS(Hypot, vectorHypot)
ROWS(RealPow, vectorPow)
#undef ROW_OF

#else

#undef ROW
#define ROW(NAME, T)                                                           \
  void NAME::row(const T *In, T *Out, int64_t N) {                             \
    for (int64_t K = 0; K < N; ++K)                                            \
      Out[K] = NAME()(In[K]);                                                  \
  }
#define BOTH(NAME) ROW(NAME, float) ROW(NAME, double)
BOTH(Acos)
BOTH(Acosh)
BOTH(Asin)
BOTH(Asinh)
BOTH(Atan)
BOTH(Atanh)
BOTH(Cosh)
BOTH(Erfc)
BOTH(Exp2)
BOTH(Log10)
BOTH(Log2)
BOTH(Sinh)
BOTH(Tan)
BOTH(Cos)
BOTH(Expm1)
BOTH(Log)
BOTH(Log1p)
BOTH(Sin)
BOTH(Tanh)
BOTH(GeluTanh)
// Those of floats are above.
ROW(Erf, double)
ROW(Exp, double)
ROW(Gelu, double)
ROW(Sigmoid, double)
ROW(Silu, double)

#undef BOTH
#undef ROW
#define ROWS(NAME)                                                             \
  void NAME::row(const float *A, const float *B, float *Out, int64_t N) {      \
    for (int64_t K = 0; K < N; ++K)                                            \
      Out[K] = NAME()(A[K], B[K]);                                             \
  }                                                                            \
  void NAME::row(const double *A, const double *B, double *Out, int64_t N) {   \
    for (int64_t K = 0; K < N; ++K)                                            \
      Out[K] = NAME()(A[K], B[K]);                                             \
  }
ROWS(Atan2)
ROWS(Hypot)
ROWS(RealPow)

#endif
#undef ROW
#undef ROWS

double expRow(const double *In, double Less, double *Out, int64_t N) {
  double Sum[4] = {};
  for (int64_t K = 0; K < N; ++K)
    Out[K] = In[K] - Less;
  Exp::row(Out, Out, N);
  int64_t K = 0;
  for (; K + 4 <= N; K += 4)
    for (int64_t J = 0; J < 4; ++J)
      Sum[J] += Out[K + J];
  for (; K < N; ++K)
    Sum[0] += Out[K];
  return Sum[0] + Sum[1] + (Sum[2] + Sum[3]);
}

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
