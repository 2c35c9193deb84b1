//===- cuda_fp16.h - stands in for CUDA's half -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cuda_runtime.h>

struct __half_raw {
  unsigned short x;
};
struct alignas(2) __half {
  unsigned short __x;
  __half() = default;
  constexpr __half(const __half_raw &R) : __x(R.x) {}
  __half(float);
  __half(double);
  __half(int);
  __half(unsigned);
  __half(long);
  __half(unsigned long);
  __half(long long);
  __half(unsigned long long);
  __half &operator=(float);
  operator float() const;
  operator __half_raw() const;
  __half &operator+=(__half);
  __half &operator-=(__half);
  __half &operator*=(__half);
  __half &operator/=(__half);
};
struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  __half2(__half X, __half Y) : x(X), y(Y) {}
};
typedef __half half;
typedef __half2 half2;
typedef __half2 __half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;

__half __float2half(float);
__half __float2half_rn(float);
__half __double2half(double);
__half __int2half_rn(int);
__half __ushort_as_half(unsigned short);
unsigned short __half_as_ushort(__half);
float __half2float(__half);
int __half2int_rn(__half);
__half2 __floats2half2_rn(float, float);
__half2 __float2half2_rn(float);
__half2 __float22half2_rn(float2);
float2 __half22float2(__half2);
__half2 __halves2half2(__half, __half);
__half2 __half2half2(__half);
__half2 make_half2(__half, __half);
__half __low2half(__half2);
__half __high2half(__half2);
float __low2float(__half2);
float __high2float(__half2);

TENSORTIDY_CUDA_ARITHMETIC(__half, __half2)
