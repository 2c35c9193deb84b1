//===- nccl.h - stands in for NCCL -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cuda_runtime.h>

#define NCCL_MAJOR 2
#define NCCL_MINOR 18
#define NCCL_PATCH 0
#define NCCL_VERSION_CODE 21800

typedef struct ncclComm *ncclComm_t;
typedef struct {
  char internal[128];
} ncclUniqueId;
enum ncclResult_t { ncclSuccess, ncclUnhandledCudaError, ncclSystemError };
enum ncclRedOp_t { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg };
enum ncclDataType_t {
  ncclInt8,
  ncclUint8,
  ncclInt32,
  ncclUint32,
  ncclInt64,
  ncclUint64,
  ncclHalf,
  ncclFloat,
  ncclDouble,
  ncclBfloat16,
  ncclFloat16 = ncclHalf,
  ncclFloat32 = ncclFloat,
  ncclFloat64 = ncclDouble
};
extern "C" {
const char *ncclGetErrorString(ncclResult_t);
ncclResult_t ncclGetUniqueId(ncclUniqueId *);
ncclResult_t ncclCommInitRank(ncclComm_t *, int, ncclUniqueId, int);
ncclResult_t ncclCommDestroy(ncclComm_t);
ncclResult_t ncclAllReduce(const void *, void *, size_t, ncclDataType_t,
                           ncclRedOp_t, ncclComm_t, cudaStream_t);
ncclResult_t ncclAllGather(const void *, void *, size_t, ncclDataType_t,
                           ncclComm_t, cudaStream_t);
ncclResult_t ncclReduceScatter(const void *, void *, size_t, ncclDataType_t,
                               ncclRedOp_t, ncclComm_t, cudaStream_t);
ncclResult_t ncclBroadcast(const void *, void *, size_t, ncclDataType_t, int,
                           ncclComm_t, cudaStream_t);
ncclResult_t ncclSend(const void *, size_t, ncclDataType_t, int, ncclComm_t,
                      cudaStream_t);
ncclResult_t ncclRecv(void *, size_t, ncclDataType_t, int, ncclComm_t,
                      cudaStream_t);
ncclResult_t ncclGroupStart();
ncclResult_t ncclGroupEnd();
}
