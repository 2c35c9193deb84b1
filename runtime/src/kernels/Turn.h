//===- Turn.h - rows become columns -----------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks that fill vectors are turned in them, half by half:
//
//   from  a b c d      pairs  a e b f      to  a e i m
//         e f g h             c g d h          b f j n
//         i j k l             i m j n          c g k o
//         m n o p             k o l p          d h l p
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_TURN_H
#define TENSORTIDY_RUNTIME_TURN_H

#include "kernels/Vectors.h"
#include <cstdint>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace tensortidy::detail {

/// Where the elements of a run are: evenly apart, or each somewhere.
template <class Pointer> struct Even {
  Pointer First;
  int64_t Step;
  Pointer operator[](int64_t K) const { return First + K * Step; }
  /// Without the first \p K, \p Bytes further on.
  Even from(int64_t K, int64_t Bytes) const {
    return {First + K * Step + Bytes, Step};
  }
};
template <class Pointer> struct Placed {
  Pointer First;
  const int64_t *At;
  Pointer operator[](int64_t K) const { return First + At[K]; }
  Placed from(int64_t K, int64_t Bytes) const {
    return {First + Bytes, At + K};
  }
};

/// \p H rows that begin at \p To from \p W columns that begin at \p From, one
/// by one.
template <class E, class T, class F>
void turnPlain(T To, F From, int64_t H, int64_t W) {
  for (int64_t R = 0; R < H; ++R) {
    auto *Row = reinterpret_cast<E *>(To[R]);
    for (int64_t C = 0; C < W; ++C)
      Row[C] = reinterpret_cast<const E *>(From[C])[R];
  }
}

#if defined(__SSE2__)
/// Rows and columns of a block of elements of type E.
template <class E>
inline constexpr int64_t TurnBlock = sizeof(E) == 8   ? 2
                                     : sizeof(E) == 4 ? 4
                                                      : 8;
template <class E, class T, class F> void turnBlock(T To, F From) {
  auto Load = [&](int64_t C) {
    auto *At = reinterpret_cast<const __m128i *>(From[C]);
    return sizeof(E) == 1 ? _mm_loadl_epi64(At) : _mm_loadu_si128(At);
  };
  auto Store = [&](int64_t R, __m128i V) {
    _mm_storeu_si128(reinterpret_cast<__m128i *>(To[R]), V);
  };
  if constexpr (sizeof(E) == 8) {
    const __m128i A = Load(0), B = Load(1);
    Store(0, _mm_unpacklo_epi64(A, B));
    Store(1, _mm_unpackhi_epi64(A, B));
  } else if constexpr (sizeof(E) == 4) {
    const __m128i A = Load(0), B = Load(1), C = Load(2), D = Load(3);
    const __m128i P = _mm_unpacklo_epi32(A, B), Q = _mm_unpackhi_epi32(A, B),
                  R = _mm_unpacklo_epi32(C, D), S = _mm_unpackhi_epi32(C, D);
    Store(0, _mm_unpacklo_epi64(P, R));
    Store(1, _mm_unpackhi_epi64(P, R));
    Store(2, _mm_unpacklo_epi64(Q, S));
    Store(3, _mm_unpackhi_epi64(Q, S));
  } else if constexpr (sizeof(E) == 2) {
    __m128i Fours[2][4]; // of four columns, two rows in each
    for (int64_t C = 0; C < 2; ++C) {
      const __m128i A = Load(4 * C), B = Load(4 * C + 1), D = Load(4 * C + 2),
                    G = Load(4 * C + 3);
      const __m128i P = _mm_unpacklo_epi16(A, B), Q = _mm_unpackhi_epi16(A, B),
                    R = _mm_unpacklo_epi16(D, G), S = _mm_unpackhi_epi16(D, G);
      Fours[C][0] = _mm_unpacklo_epi32(P, R);
      Fours[C][1] = _mm_unpackhi_epi32(P, R);
      Fours[C][2] = _mm_unpacklo_epi32(Q, S);
      Fours[C][3] = _mm_unpackhi_epi32(Q, S);
    }
    for (int64_t R = 0; R < 4; ++R) {
      Store(2 * R, _mm_unpacklo_epi64(Fours[0][R], Fours[1][R]));
      Store(2 * R + 1, _mm_unpackhi_epi64(Fours[0][R], Fours[1][R]));
    }
  } else {
    __m128i Fours[2][2]; // of four columns, four rows in each
    for (int64_t C = 0; C < 2; ++C) {
      const __m128i P = _mm_unpacklo_epi8(Load(4 * C), Load(4 * C + 1)),
                    Q = _mm_unpacklo_epi8(Load(4 * C + 2), Load(4 * C + 3));
      Fours[C][0] = _mm_unpacklo_epi16(P, Q);
      Fours[C][1] = _mm_unpackhi_epi16(P, Q);
    }
    auto StoreTwo = [&](int64_t R, __m128i V) {
      _mm_storel_epi64(reinterpret_cast<__m128i *>(To[R]), V);
      _mm_storel_epi64(reinterpret_cast<__m128i *>(To[R + 1]),
                       _mm_unpackhi_epi64(V, V));
    };
    for (int64_t R = 0; R < 2; ++R) {
      StoreTwo(4 * R, _mm_unpacklo_epi32(Fours[0][R], Fours[1][R]));
      StoreTwo(4 * R + 2, _mm_unpackhi_epi32(Fours[0][R], Fours[1][R]));
    }
  }
}
#endif

/// The same as turnPlain(), by blocks: along the rows, so that each is written
/// once, or \p DownFirst, so that each column is read once. That matters where
/// columns are a power of two apart and push each other out of the first cache.
template <class E, bool DownFirst = false, class T, class F>
void turn(T To, F From, int64_t H, int64_t W) {
#if defined(__SSE2__)
  constexpr int64_t Size = sizeof(E), B = TurnBlock<E>;
  const int64_t WholeW = W / B * B, WholeH = H / B * B;
  auto Block = [&](int64_t I, int64_t J) {
    turnBlock<E>(To.from(I, J * Size), From.from(J, I * Size));
  };
  if constexpr (DownFirst)
    for (int64_t J = 0; J < WholeW; J += B)
      for (int64_t I = 0; I < WholeH; I += B)
        Block(I, J);
  else
    for (int64_t I = 0; I < WholeH; I += B)
      for (int64_t J = 0; J < WholeW; J += B)
        Block(I, J);
  turnPlain<E>(To.from(0, WholeW * Size), From.from(WholeW, 0), WholeH,
               W - WholeW);
  turnPlain<E>(To.from(WholeH, 0), From.from(0, WholeH * Size), H - WholeH, W);
#else
  turnPlain<E>(To, From, H, W);
#endif
}

#if defined(TENSORTIDY_AVX2)
// What is inlined into functions for AVX2 must be one itself.
#define TENSORTIDY_AVX2_INLINE TENSORTIDY_AVX2 __attribute__((always_inline))
/// A block of 8 by 8 elements of 4 bytes: pairs of columns, fours, then the
/// halves change places.
template <class T, class F>
TENSORTIDY_AVX2_INLINE inline void turnWideBlock4(T To, F From) {
  auto *F0 = reinterpret_cast<const float *>(From[0]),
       *F1 = reinterpret_cast<const float *>(From[1]),
       *F2 = reinterpret_cast<const float *>(From[2]),
       *F3 = reinterpret_cast<const float *>(From[3]),
       *F4 = reinterpret_cast<const float *>(From[4]),
       *F5 = reinterpret_cast<const float *>(From[5]),
       *F6 = reinterpret_cast<const float *>(From[6]),
       *F7 = reinterpret_cast<const float *>(From[7]);
  const __m256 X0 = _mm256_loadu_ps(F0), X1 = _mm256_loadu_ps(F1),
               X2 = _mm256_loadu_ps(F2), X3 = _mm256_loadu_ps(F3),
               X4 = _mm256_loadu_ps(F4), X5 = _mm256_loadu_ps(F5),
               X6 = _mm256_loadu_ps(F6), X7 = _mm256_loadu_ps(F7);
  const __m256d L0 = _mm256_castps_pd(_mm256_unpacklo_ps(X0, X1)),
                H0 = _mm256_castps_pd(_mm256_unpackhi_ps(X0, X1)),
                L2 = _mm256_castps_pd(_mm256_unpacklo_ps(X2, X3)),
                H2 = _mm256_castps_pd(_mm256_unpackhi_ps(X2, X3)),
                L4 = _mm256_castps_pd(_mm256_unpacklo_ps(X4, X5)),
                H4 = _mm256_castps_pd(_mm256_unpackhi_ps(X4, X5)),
                L6 = _mm256_castps_pd(_mm256_unpacklo_ps(X6, X7)),
                H6 = _mm256_castps_pd(_mm256_unpackhi_ps(X6, X7));
  const __m256d Y0 = _mm256_unpacklo_pd(L0, L2),
                Y1 = _mm256_unpackhi_pd(L0, L2),
                Y2 = _mm256_unpacklo_pd(H0, H2),
                Y3 = _mm256_unpackhi_pd(H0, H2),
                Y4 = _mm256_unpacklo_pd(L4, L6),
                Y5 = _mm256_unpackhi_pd(L4, L6),
                Y6 = _mm256_unpacklo_pd(H4, H6),
                Y7 = _mm256_unpackhi_pd(H4, H6);
  _mm256_storeu_pd(reinterpret_cast<double *>(To[0]),
                   _mm256_permute2f128_pd(Y0, Y4, 0x20));
  _mm256_storeu_pd(reinterpret_cast<double *>(To[1]),
                   _mm256_permute2f128_pd(Y1, Y5, 0x20));
  _mm256_storeu_pd(reinterpret_cast<double *>(To[2]),
                   _mm256_permute2f128_pd(Y2, Y6, 0x20));
  _mm256_storeu_pd(reinterpret_cast<double *>(To[3]),
                   _mm256_permute2f128_pd(Y3, Y7, 0x20));
  _mm256_storeu_pd(reinterpret_cast<double *>(To[4]),
                   _mm256_permute2f128_pd(Y0, Y4, 0x31));
  _mm256_storeu_pd(reinterpret_cast<double *>(To[5]),
                   _mm256_permute2f128_pd(Y1, Y5, 0x31));
  _mm256_storeu_pd(reinterpret_cast<double *>(To[6]),
                   _mm256_permute2f128_pd(Y2, Y6, 0x31));
  _mm256_storeu_pd(reinterpret_cast<double *>(To[7]),
                   _mm256_permute2f128_pd(Y3, Y7, 0x31));
}
/// The same of 4 by 4 elements of 8 bytes.
template <class T, class F>
TENSORTIDY_AVX2_INLINE inline void turnWideBlock8(T To, F From) {
  const __m256d A = _mm256_loadu_pd(reinterpret_cast<const double *>(From[0])),
                B = _mm256_loadu_pd(reinterpret_cast<const double *>(From[1])),
                C = _mm256_loadu_pd(reinterpret_cast<const double *>(From[2])),
                D = _mm256_loadu_pd(reinterpret_cast<const double *>(From[3]));
  const __m256d P = _mm256_unpacklo_pd(A, B), Q = _mm256_unpackhi_pd(A, B),
                R = _mm256_unpacklo_pd(C, D), S = _mm256_unpackhi_pd(C, D);
  _mm256_storeu_pd(reinterpret_cast<double *>(To[0]),
                   _mm256_permute2f128_pd(P, R, 0x20));
  _mm256_storeu_pd(reinterpret_cast<double *>(To[1]),
                   _mm256_permute2f128_pd(Q, S, 0x20));
  _mm256_storeu_pd(reinterpret_cast<double *>(To[2]),
                   _mm256_permute2f128_pd(P, R, 0x31));
  _mm256_storeu_pd(reinterpret_cast<double *>(To[3]),
                   _mm256_permute2f128_pd(Q, S, 0x31));
}
/// turn(), each column read once, with the vectors of AVX2.
template <class E, class T, class F>
TENSORTIDY_AVX2 void turnWide(T To, F From, int64_t H, int64_t W) {
  constexpr int64_t Size = sizeof(E), B = 32 / Size;
  const int64_t WholeW = W / B * B, WholeH = H / B * B;
  auto Block = [&](int64_t I, int64_t J) TENSORTIDY_AVX2_INLINE {
    if constexpr (Size == 4)
      turnWideBlock4(To.from(I, J * Size), From.from(J, I * Size));
    else
      turnWideBlock8(To.from(I, J * Size), From.from(J, I * Size));
  };
  for (int64_t J = 0; J < WholeW; J += B) {
    int64_t I = 0;
    for (; I + B < WholeH; I += 2 * B) { // a line of each column
      Block(I, J);
      Block(I + B, J);
    }
    if (I < WholeH)
      Block(I, J);
  }
  if (WholeH != H)
    turn<E, true>(To.from(WholeH, 0), From.from(0, WholeH * Size), H - WholeH,
                  WholeW);
  if (WholeW != W)
    turn<E, true>(To.from(0, WholeW * Size), From.from(WholeW, 0), H,
                  W - WholeW);
}
#endif

} // namespace tensortidy::detail

#endif
