//===- cublas_v2.h - stands in for cuBLAS -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef struct cublasContext *cublasHandle_t;
typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDesc *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayout *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreference *cublasLtMatmulPreference_t;
enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS,
  CUBLAS_STATUS_NOT_INITIALIZED,
  CUBLAS_STATUS_ALLOC_FAILED,
  CUBLAS_STATUS_INVALID_VALUE,
  CUBLAS_STATUS_ARCH_MISMATCH,
  CUBLAS_STATUS_MAPPING_ERROR,
  CUBLAS_STATUS_EXECUTION_FAILED,
  CUBLAS_STATUS_INTERNAL_ERROR,
  CUBLAS_STATUS_NOT_SUPPORTED,
  CUBLAS_STATUS_LICENSE_ERROR
};
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasFillMode_t {
  CUBLAS_FILL_MODE_LOWER,
  CUBLAS_FILL_MODE_UPPER,
  CUBLAS_FILL_MODE_FULL
};
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasPointerMode_t {
  CUBLAS_POINTER_MODE_HOST,
  CUBLAS_POINTER_MODE_DEVICE
};
enum cublasMath_t {
  CUBLAS_DEFAULT_MATH,
  CUBLAS_TENSOR_OP_MATH,
  CUBLAS_PEDANTIC_MATH,
  CUBLAS_TF32_TENSOR_OP_MATH,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
enum cublasGemmAlgo_t {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
};
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72
};
typedef cudaDataType cublasDataType_t;

extern "C" {
const char *cublasGetStatusString(cublasStatus_t);
cublasStatus_t cublasCreate(cublasHandle_t *);
cublasStatus_t cublasDestroy(cublasHandle_t);
cublasStatus_t cublasGetStream(cublasHandle_t, cudaStream_t *);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetMathMode(cublasHandle_t, cublasMath_t *);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasGetPointerMode(cublasHandle_t, cublasPointerMode_t *);
cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t);
cublasStatus_t cublasLtCreate(cublasLtHandle_t *);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t);
}

// Their parameters are of no interest here.
#define TENSORTIDY_CUBLAS(Name)                                                \
  template <class... Args> cublasStatus_t Name(cublasHandle_t, Args...);
#define TENSORTIDY_CUBLAS_SDCZ(Name)                                           \
  TENSORTIDY_CUBLAS(cublasS##Name)                                             \
  TENSORTIDY_CUBLAS(cublasD##Name)                                             \
  TENSORTIDY_CUBLAS(cublasC##Name)                                             \
  TENSORTIDY_CUBLAS(cublasZ##Name)
TENSORTIDY_CUBLAS_SDCZ(gemm)
TENSORTIDY_CUBLAS_SDCZ(gemv)
TENSORTIDY_CUBLAS_SDCZ(gemmBatched)
TENSORTIDY_CUBLAS_SDCZ(gemmStridedBatched)
TENSORTIDY_CUBLAS_SDCZ(trsm)
TENSORTIDY_CUBLAS_SDCZ(trsmBatched)
TENSORTIDY_CUBLAS_SDCZ(syrk)
TENSORTIDY_CUBLAS_SDCZ(geam)
TENSORTIDY_CUBLAS_SDCZ(axpy)
TENSORTIDY_CUBLAS_SDCZ(scal)
TENSORTIDY_CUBLAS_SDCZ(dot)
TENSORTIDY_CUBLAS_SDCZ(nrm2)
TENSORTIDY_CUBLAS_SDCZ(getrfBatched)
TENSORTIDY_CUBLAS_SDCZ(getriBatched)
TENSORTIDY_CUBLAS_SDCZ(getrsBatched)
TENSORTIDY_CUBLAS(cublasHgemm)
TENSORTIDY_CUBLAS(cublasHgemmBatched)
TENSORTIDY_CUBLAS(cublasHgemmStridedBatched)
TENSORTIDY_CUBLAS(cublasGemmEx)
TENSORTIDY_CUBLAS(cublasSgemmEx)
TENSORTIDY_CUBLAS(cublasGemmBatchedEx)
TENSORTIDY_CUBLAS(cublasGemmStridedBatchedEx)
#undef TENSORTIDY_CUBLAS_SDCZ
#undef TENSORTIDY_CUBLAS
