//===- cuComplex.h - stands in for CUDA's complex numbers -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cuda_runtime.h>

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
inline cuFloatComplex make_cuFloatComplex(float R, float I) { return {R, I}; }
inline cuComplex make_cuComplex(float R, float I) { return {R, I}; }
inline cuDoubleComplex make_cuDoubleComplex(double R, double I) {
  return {R, I};
}
inline float cuCrealf(cuComplex C) { return C.x; }
inline float cuCimagf(cuComplex C) { return C.y; }
inline double cuCreal(cuDoubleComplex C) { return C.x; }
inline double cuCimag(cuDoubleComplex C) { return C.y; }
