//===- cufft.h - stands in for cuFFT -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cuComplex.h>

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
enum cufftResult {
  CUFFT_SUCCESS,
  CUFFT_INVALID_PLAN,
  CUFFT_ALLOC_FAILED,
  CUFFT_INVALID_TYPE,
  CUFFT_INVALID_VALUE,
  CUFFT_INTERNAL_ERROR,
  CUFFT_EXEC_FAILED,
  CUFFT_SETUP_FAILED,
  CUFFT_INVALID_SIZE
};
typedef cufftResult cufftResult_t;
enum cufftType {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
};
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
extern "C" {
cufftResult cufftCreate(cufftHandle *);
cufftResult cufftDestroy(cufftHandle);
cufftResult cufftSetStream(cufftHandle, cudaStream_t);
cufftResult cufftPlan1d(cufftHandle *, int, cufftType, int);
cufftResult cufftPlan2d(cufftHandle *, int, int, cufftType);
cufftResult cufftPlanMany(cufftHandle *, int, int *, int *, int, int, int *,
                          int, int, cufftType, int);
cufftResult cufftExecC2C(cufftHandle, cufftComplex *, cufftComplex *, int);
cufftResult cufftExecR2C(cufftHandle, cufftReal *, cufftComplex *);
cufftResult cufftExecC2R(cufftHandle, cufftComplex *, cufftReal *);
}
