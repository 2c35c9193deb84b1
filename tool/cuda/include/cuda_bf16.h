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

TENSORTIDY_CUDA_ARITHMETIC(__nv_bfloat16, __nv_bfloat162)
