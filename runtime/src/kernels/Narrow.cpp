//===- Narrow.cpp - rows of numbers that become smaller -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Narrow.h"
#include "core/Impl.h"
#include "kernels/Vectors.h"
#if defined(TENSORTIDY_AVX2)
#include <immintrin.h>
#endif

namespace tensortidy::detail {
namespace {

#if defined(TENSORTIDY_AVX2)

TENSORTIDY_AVX2 __m128i eightAt(const void *P) {
  return _mm_loadu_si128(static_cast<const __m128i *>(P));
}
TENSORTIDY_AVX2 __m256 floats(const Half *From) {
  return _mm256_cvtph_ps(eightAt(From));
}
TENSORTIDY_AVX2 __m256 floats(const BFloat16 *From) {
  return _mm256_castsi256_ps(
      _mm256_slli_epi32(_mm256_cvtepu16_epi32(eightAt(From)), 16));
}
/// The upper halves, rounded to even, each in 32 bits; a NaN stays one.
TENSORTIDY_AVX2 __m256i upperHalves(const float *From) {
  const __m256 X = _mm256_loadu_ps(From);
  const __m256i Bits = _mm256_castps_si256(X);
  const __m256i Upper = _mm256_srli_epi32(Bits, 16);
  const __m256i Odd = _mm256_and_si256(Upper, _mm256_set1_epi32(1));
  const __m256i Sum =
      _mm256_add_epi32(Bits, _mm256_add_epi32(Odd, _mm256_set1_epi32(0x7fff)));
  const __m256i Quiet = _mm256_castps_si256(
      _mm256_and_ps(_mm256_cmp_ps(X, X, _CMP_UNORD_Q),
                    _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc0))));
  return _mm256_or_si256(_mm256_srli_epi32(Sum, 16), Quiet);
}
TENSORTIDY_AVX2 void sixteen(const float *From, BFloat16 *To) {
  const __m256i Packed =
      _mm256_packus_epi32(upperHalves(From), upperHalves(From + 8));
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(To),
                      _mm256_permute4x64_epi64(Packed, 0xd8));
}
TENSORTIDY_AVX2 void sixteen(const float *From, Half *To) {
  for (int K = 0; K < 16; K += 8)
    _mm_storeu_si128(
        reinterpret_cast<__m128i *>(To + K),
        _mm256_cvtps_ph(_mm256_loadu_ps(From + K), _MM_FROUND_TO_NEAREST_INT));
}

TENSORTIDY_AVX2 __m256 floats(const float *From) {
  return _mm256_loadu_ps(From);
}
/// Cut; what does not fit, as a NaN, becomes the least integer.
template <class E> TENSORTIDY_AVX2 __m256i eightWhole(const E *From) {
  return _mm256_cvttps_epi32(floats(From));
}
TENSORTIDY_AVX2 __m256i eightWhole(const double *From) {
  return _mm256_set_m128i(_mm256_cvttpd_epi32(_mm256_loadu_pd(From + 4)),
                          _mm256_cvttpd_epi32(_mm256_loadu_pd(From)));
}
template <class E>
TENSORTIDY_AVX2 int64_t wholeVectors(const E *From, int32_t *To, int64_t N,
                                     bool &Fits) {
  __m256i Least = _mm256_setzero_si256();
  int64_t K = 0;
  for (; K + 8 <= N; K += 8) {
    const __m256i V = eightWhole(From + K);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(To + K), V);
    Least = _mm256_or_si256(
        Least, _mm256_cmpeq_epi32(V, _mm256_set1_epi32(INT32_MIN)));
  }
  Fits = _mm256_testz_si256(Least, Least) != 0;
  return K;
}

/// How many of \p N are done in whole vectors.
template <class E>
TENSORTIDY_AVX2 int64_t widenVectors(const E *From, float *To, int64_t N) {
  int64_t K = 0;
  for (; K + 8 <= N; K += 8)
    _mm256_storeu_ps(To + K, floats(From + K));
  return K;
}
template <class E>
TENSORTIDY_AVX2 int64_t narrowVectors(const float *From, E *To, int64_t N) {
  int64_t K = 0;
  for (; K + 16 <= N; K += 16)
    sixteen(From + K, To + K);
  return K;
}

#else

bool hasAvx2() { return false; }
template <class E> int64_t widenVectors(const E *, float *, int64_t) {
  return 0;
}
template <class E> int64_t narrowVectors(const float *, E *, int64_t) {
  return 0;
}
template <class E> int64_t wholeVectors(const E *, int32_t *, int64_t, bool &) {
  return 0;
}

#endif

template <class E> void widenRow(const E *From, float *To, int64_t N) {
  for (int64_t K = hasAvx2() ? widenVectors(From, To, N) : 0; K < N; ++K)
    To[K] = load(From[K]);
}
template <class E> void narrowRow(const float *From, E *To, int64_t N) {
  for (int64_t K = hasAvx2() ? narrowVectors(From, To, N) : 0; K < N; ++K)
    store(To[K], From[K]);
}

template <class E> bool wholeRow(const E *From, int32_t *To, int64_t N) {
  bool Fits = true;
  for (int64_t K = hasAvx2() ? wholeVectors(From, To, N, Fits) : 0; K < N;
       ++K) {
    const auto V = load(From[K]);
    const bool Is = V > -0x1p31 && V < 0x1p31;
    To[K] = static_cast<int32_t>(Is ? V : 0);
    Fits = Fits && Is;
  }
  return Fits;
}

} // namespace

bool whole(const float *From, int32_t *To, int64_t N) {
  return wholeRow(From, To, N);
}
bool whole(const double *From, int32_t *To, int64_t N) {
  return wholeRow(From, To, N);
}
bool whole(const BFloat16 *From, int32_t *To, int64_t N) {
  return wholeRow(From, To, N);
}
void widen(const Half *From, float *To, int64_t N) { widenRow(From, To, N); }
void widen(const BFloat16 *From, float *To, int64_t N) {
  widenRow(From, To, N);
}
void narrow(const float *From, Half *To, int64_t N) { narrowRow(From, To, N); }
void narrow(const float *From, BFloat16 *To, int64_t N) {
  narrowRow(From, To, N);
}

} // namespace tensortidy::detail
