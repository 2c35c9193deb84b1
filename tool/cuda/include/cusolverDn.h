//===- cusolverDn.h - stands in for cuSOLVER -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cublas_v2.h>

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct syevjInfo *syevjInfo_t;
enum cusolverStatus_t {
  CUSOLVER_STATUS_SUCCESS,
  CUSOLVER_STATUS_NOT_INITIALIZED,
  CUSOLVER_STATUS_ALLOC_FAILED,
  CUSOLVER_STATUS_INVALID_VALUE,
  CUSOLVER_STATUS_EXECUTION_FAILED = 6
};
enum cusolverEigMode_t { CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR };
extern "C" {
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t, cudaStream_t);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t);
}
