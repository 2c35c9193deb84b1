//===- cudnn.h - stands in for cuDNN -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cuda_runtime.h>

#define CUDNN_MAJOR 8
#define CUDNN_MINOR 9
#define CUDNN_PATCHLEVEL 0
#define CUDNN_VERSION 8900

typedef struct cudnnContext *cudnnHandle_t;
typedef struct cudnnTensorStruct *cudnnTensorDescriptor_t;
typedef struct cudnnFilterStruct *cudnnFilterDescriptor_t;
typedef struct cudnnConvolutionStruct *cudnnConvolutionDescriptor_t;
typedef struct cudnnPoolingStruct *cudnnPoolingDescriptor_t;
typedef struct cudnnActivationStruct *cudnnActivationDescriptor_t;
typedef struct cudnnRNNStruct *cudnnRNNDescriptor_t;
typedef struct cudnnDropoutStruct *cudnnDropoutDescriptor_t;
typedef void *cudnnBackendDescriptor_t;
enum cudnnStatus_t {
  CUDNN_STATUS_SUCCESS,
  CUDNN_STATUS_NOT_INITIALIZED,
  CUDNN_STATUS_ALLOC_FAILED,
  CUDNN_STATUS_BAD_PARAM,
  CUDNN_STATUS_NOT_SUPPORTED = 9
};
enum cudnnDataType_t {
  CUDNN_DATA_FLOAT,
  CUDNN_DATA_DOUBLE,
  CUDNN_DATA_HALF,
  CUDNN_DATA_INT8,
  CUDNN_DATA_INT32,
  CUDNN_DATA_BFLOAT16 = 9
};
enum cudnnTensorFormat_t { CUDNN_TENSOR_NCHW, CUDNN_TENSOR_NHWC };
extern "C" {
size_t cudnnGetVersion();
const char *cudnnGetErrorString(cudnnStatus_t);
cudnnStatus_t cudnnCreate(cudnnHandle_t *);
cudnnStatus_t cudnnDestroy(cudnnHandle_t);
cudnnStatus_t cudnnSetStream(cudnnHandle_t, cudaStream_t);
}
