//===- cuda_bf16.h - stands in for CUDA's bfloat16 -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cuda_runtime.h>

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct alignas(2) __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  constexpr __nv_bfloat16(const __nv_bfloat16_raw &R) : __x(R.x) {}
  __nv_bfloat16(float);
  __nv_bfloat16(double);
  __nv_bfloat16(int);
  __nv_bfloat16(unsigned);
  __nv_bfloat16(long);
  __nv_bfloat16(unsigned long);
  __nv_bfloat16(long long);
  __nv_bfloat16(unsigned long long);
  __nv_bfloat16 &operator=(float);
  operator float() const;
  operator __nv_bfloat16_raw() const;
  __nv_bfloat16 &operator+=(__nv_bfloat16);
  __nv_bfloat16 &operator-=(__nv_bfloat16);
  __nv_bfloat16 &operator*=(__nv_bfloat16);
  __nv_bfloat16 &operator/=(__nv_bfloat16);
};
struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __nv_bfloat162(__nv_bfloat16 X, __nv_bfloat16 Y) : x(X), y(Y) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__nv_bfloat16 __float2bfloat16(float);
__nv_bfloat16 __float2bfloat16_rn(float);
__nv_bfloat16 __ushort_as_bfloat16(unsigned short);
unsigned short __bfloat16_as_ushort(__nv_bfloat16);
float __bfloat162float(__nv_bfloat16);
__nv_bfloat162 __floats2bfloat162_rn(float, float);
__nv_bfloat162 __float2bfloat162_rn(float);
__nv_bfloat162 __float22bfloat162_rn(float2);
float2 __bfloat1622float2(__nv_bfloat162);
__nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16);
__nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16);
__nv_bfloat16 __low2bfloat16(__nv_bfloat162);
__nv_bfloat16 __high2bfloat16(__nv_bfloat162);
float __low2float(__nv_bfloat162);
float __high2float(__nv_bfloat162);

// --- arithmetic of one and of two ---
#define TENSORTIDY_CUDA_ARITHMETIC(T)                                          \
  T __hadd(T, T);                                                              \
  T __hsub(T, T);                                                              \
  T __hmul(T, T);                                                              \
  T __hdiv(T, T);                                                              \
  T __hfma(T, T, T);                                                           \
  T __hneg(T);                                                                 \
  T __habs(T);                                                                 \
  T __hmax(T, T);                                                              \
  T __hmin(T, T);
TENSORTIDY_CUDA_ARITHMETIC(__nv_bfloat16)
#undef TENSORTIDY_CUDA_ARITHMETIC
bool __heq(__nv_bfloat16, __nv_bfloat16);
bool __hne(__nv_bfloat16, __nv_bfloat16);
bool __hlt(__nv_bfloat16, __nv_bfloat16);
bool __hle(__nv_bfloat16, __nv_bfloat16);
bool __hgt(__nv_bfloat16, __nv_bfloat16);
bool __hge(__nv_bfloat16, __nv_bfloat16);
bool __hisnan(__nv_bfloat16);
int __hisinf(__nv_bfloat16);
__nv_bfloat162 __hadd2(__nv_bfloat162, __nv_bfloat162);
__nv_bfloat162 __hsub2(__nv_bfloat162, __nv_bfloat162);
__nv_bfloat162 __hmul2(__nv_bfloat162, __nv_bfloat162);
__nv_bfloat162 __hfma2(__nv_bfloat162, __nv_bfloat162, __nv_bfloat162);
__nv_bfloat162 __hmax2(__nv_bfloat162, __nv_bfloat162);
__nv_bfloat162 __hmin2(__nv_bfloat162, __nv_bfloat162);
__nv_bfloat162 __h2div(__nv_bfloat162, __nv_bfloat162);
__nv_bfloat16 hexp(__nv_bfloat16);
__nv_bfloat16 hlog(__nv_bfloat16);
__nv_bfloat16 hsqrt(__nv_bfloat16);
__nv_bfloat16 hrsqrt(__nv_bfloat16);
__nv_bfloat16 hrcp(__nv_bfloat16);
__nv_bfloat162 h2exp(__nv_bfloat162);
