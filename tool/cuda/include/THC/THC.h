//===- THC.h - stands in for libtorch's THC ---------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What extensions still name of THC, which libtorch 1.11 has dropped. What it
// became in ATen comes from libtorch itself.
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cstddef>
#include <cuda_runtime.h>

#if __has_include(<ATen/cuda/CUDAContext.h>)
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/CUDAContext.h>
#endif

struct THCState;
cudaStream_t THCState_getCurrentStream(THCState *State);
void *THCudaMalloc(THCState *State, size_t Size);
void THCudaFree(THCState *State, void *Data);
#define THCudaCheck(Error) static_cast<void>(Error)

// Only declared: many define them again now.
template <class T> T THCCeilDiv(T A, T B);
template <class T> T THCRoundUp(T A, T B);
