//===- cusparse.h - stands in for cuSPARSE -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cuComplex.h>

#define CUSPARSE_VERSION 12300
#define CUSPARSE_VER_MAJOR 12

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct bsrsm2Info *bsrsm2Info_t;
typedef struct bsrsv2Info *bsrsv2Info_t;
typedef struct csrgemm2Info *csrgemm2Info_t;
enum cusparseStatus_t {
  CUSPARSE_STATUS_SUCCESS,
  CUSPARSE_STATUS_NOT_INITIALIZED,
  CUSPARSE_STATUS_ALLOC_FAILED,
  CUSPARSE_STATUS_INVALID_VALUE
};
enum cusparseOperation_t {
  CUSPARSE_OPERATION_NON_TRANSPOSE,
  CUSPARSE_OPERATION_TRANSPOSE,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
};
enum cusparseIndexType_t {
  CUSPARSE_INDEX_16U = 1,
  CUSPARSE_INDEX_32I,
  CUSPARSE_INDEX_64I
};
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE };
enum cusparseMatrixType_t { CUSPARSE_MATRIX_TYPE_GENERAL };
enum cusparseFillMode_t { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER };
enum cusparseDiagType_t {
  CUSPARSE_DIAG_TYPE_NON_UNIT,
  CUSPARSE_DIAG_TYPE_UNIT
};
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW };
enum cusparseDirection_t { CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN };
enum cusparseSolvePolicy_t {
  CUSPARSE_SOLVE_POLICY_NO_LEVEL,
  CUSPARSE_SOLVE_POLICY_USE_LEVEL
};
enum cusparsePointerMode_t {
  CUSPARSE_POINTER_MODE_HOST,
  CUSPARSE_POINTER_MODE_DEVICE
};
enum cusparseSpMMAlg_t {
  CUSPARSE_SPMM_ALG_DEFAULT,
  CUSPARSE_SPMM_CSR_ALG1,
  CUSPARSE_SPMM_CSR_ALG2
};
enum cusparseSpMVAlg_t { CUSPARSE_SPMV_ALG_DEFAULT };
enum cusparseSpGEMMAlg_t { CUSPARSE_SPGEMM_DEFAULT };

extern "C" {
const char *cusparseGetErrorString(cusparseStatus_t);
cusparseStatus_t cusparseCreate(cusparseHandle_t *);
cusparseStatus_t cusparseDestroy(cusparseHandle_t);
cusparseStatus_t cusparseSetStream(cusparseHandle_t, cudaStream_t);
cusparseStatus_t cusparseGetStream(cusparseHandle_t, cudaStream_t *);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t,
                                        cusparsePointerMode_t);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t, cusparseMatrixType_t);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t,
                                         cusparseIndexBase_t);
cusparseStatus_t cusparseDestroySpMat(cusparseSpMatDescr_t);
cusparseStatus_t cusparseDestroyDnMat(cusparseDnMatDescr_t);
cusparseStatus_t cusparseDestroyDnVec(cusparseDnVecDescr_t);
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t);
cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t *);
cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t);
cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t *);
cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t);
}
