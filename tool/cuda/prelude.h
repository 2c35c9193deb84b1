//===- prelude.h - the CUDA language for a host-only parse ------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forced into every CUDA source before its first line. The toolkit's headers
// are parsed as an ordinary host compiler sees them, whatever their release;
// then the language that nvcc has built in is declared here. Where there is no
// toolkit, `include` beside this file stands in for it.
//
// Only host code has to parse: what device code calls is declared as loosely
// as can be, and its bodies are not read at all by the command line.
//
//===----------------------------------------------------------------------===//

#pragma once
#pragma clang system_header

// Whatever is not a kernel may be called from anywhere, except what <new>
// declares: clang has declared it already, for one side each.
#pragma clang force_cuda_host_device begin
#if __has_include(<bits/exception.h>)
#include <bits/exception.h>
#endif
#pragma clang force_cuda_host_device end
#include <new>
#pragma clang force_cuda_host_device begin

// nvcc brings these along; code for recent releases of PyTorch counts on it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <math.h> // ::isnan
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#if __cplusplus >= 201703L
#include <optional>
#include <string_view>
#include <variant>
#endif

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// To the host they mean nothing; to clang they are what makes a launch legal.
#undef __host__
#undef __device__
#undef __global__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

// Variables of device code are the host's here: nothing runs.
#undef __shared__
#undef __constant__
#undef __managed__
#undef __grid_constant__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#undef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#undef __launch_bounds__
#define __launch_bounds__(...)
#undef __cluster_dims__
#define __cluster_dims__(...)
#undef __maxnreg__
#define __maxnreg__(...)
#undef __block_size__
#define __block_size__(...)
#undef __nv_pure__
#define __nv_pure__
// libstdc++ writes __attribute__((__noinline__)), which a macro would break.
#undef __noinline__

extern "C" {
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = nullptr);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = nullptr);
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance();
}

// --- what the runtime offers to nvcc only; host compilers see none of it ---
// All with bodies: of a function that takes a type in an anonymous namespace,
// such as a kernel's parameters, clang wants to see one.
#define TENSORTIDY_CUDA_CALL(Name)                                             \
  template <class... Args> cudaError_t Name(Args &&...) { return cudaSuccess; }
TENSORTIDY_CUDA_CALL(cudaFuncGetAttributes)
TENSORTIDY_CUDA_CALL(cudaFuncSetAttribute)
TENSORTIDY_CUDA_CALL(cudaFuncSetCacheConfig)
TENSORTIDY_CUDA_CALL(cudaFuncSetSharedMemConfig)
TENSORTIDY_CUDA_CALL(cudaGetSymbolAddress)
TENSORTIDY_CUDA_CALL(cudaGetSymbolSize)
TENSORTIDY_CUDA_CALL(cudaGraphExecUpdate)
TENSORTIDY_CUDA_CALL(cudaGraphInstantiate)
TENSORTIDY_CUDA_CALL(cudaLaunchCooperativeKernel)
TENSORTIDY_CUDA_CALL(cudaLaunchKernel)
TENSORTIDY_CUDA_CALL(cudaLaunchKernelEx)
TENSORTIDY_CUDA_CALL(cudaLaunchKernelExC)
TENSORTIDY_CUDA_CALL(cudaMemcpyFromSymbol)
TENSORTIDY_CUDA_CALL(cudaMemcpyFromSymbolAsync)
TENSORTIDY_CUDA_CALL(cudaMemcpyToSymbol)
TENSORTIDY_CUDA_CALL(cudaMemcpyToSymbolAsync)
TENSORTIDY_CUDA_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor)
TENSORTIDY_CUDA_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
TENSORTIDY_CUDA_CALL(cudaOccupancyMaxActiveClusters)
TENSORTIDY_CUDA_CALL(cudaOccupancyMaxPotentialBlockSize)
TENSORTIDY_CUDA_CALL(cudaOccupancyMaxPotentialBlockSizeVariableSMem)
#undef TENSORTIDY_CUDA_CALL

// --- synchronisation and votes ---
#define __syncthreads() ((void)0) // a builtin of the device's
int __syncthreads_or(int);
int __syncthreads_and(int);
int __syncthreads_count(int);
void __syncwarp(unsigned = ~0u);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
unsigned __activemask();
unsigned __ballot_sync(unsigned, int);
int __any_sync(unsigned, int);
int __all_sync(unsigned, int);
int __any(int);
int __all(int);
unsigned __ballot(int);
unsigned __match_any_sync(unsigned, unsigned long long);
unsigned __match_all_sync(unsigned, unsigned long long, int *);
void __trap();
void __brkpt();
void __nanosleep(unsigned);
long long clock64();
void __prof_trigger(int);

// --- shuffles ---
#define TENSORTIDY_SHUFFLE(Name, By)                                           \
  template <class T> T Name##_sync(unsigned, T Value, By, int = 32) {          \
    return Value;                                                              \
  }                                                                            \
  template <class T> T Name(T Value, By, int = 32) { return Value; }
TENSORTIDY_SHUFFLE(__shfl, int)
TENSORTIDY_SHUFFLE(__shfl_up, unsigned)
TENSORTIDY_SHUFFLE(__shfl_down, unsigned)
TENSORTIDY_SHUFFLE(__shfl_xor, int)
#undef TENSORTIDY_SHUFFLE
unsigned __reduce_add_sync(unsigned, unsigned);
unsigned __reduce_min_sync(unsigned, unsigned);
unsigned __reduce_max_sync(unsigned, unsigned);

// --- memory ---
#define TENSORTIDY_LOAD(Name)                                                  \
  template <class T> T Name(const T *From) { return *From; }
TENSORTIDY_LOAD(__ldg)
TENSORTIDY_LOAD(__ldcg)
TENSORTIDY_LOAD(__ldca)
TENSORTIDY_LOAD(__ldcs)
TENSORTIDY_LOAD(__ldlu)
TENSORTIDY_LOAD(__ldcv)
#undef TENSORTIDY_LOAD
#define TENSORTIDY_STORE(Name)                                                 \
  template <class T, class U> void Name(T *, U) {}
TENSORTIDY_STORE(__stcs)
TENSORTIDY_STORE(__stcg)
TENSORTIDY_STORE(__stwb)
TENSORTIDY_STORE(__stwt)
#undef TENSORTIDY_STORE
#define TENSORTIDY_ATOMIC(Name)                                                \
  template <class T, class U> T Name(T *At, U) { return *At; }                 \
  template <class T, class U> T Name##_block(T *At, U) { return *At; }         \
  template <class T, class U> T Name##_system(T *At, U) { return *At; }
TENSORTIDY_ATOMIC(atomicAdd)
TENSORTIDY_ATOMIC(atomicSub)
TENSORTIDY_ATOMIC(atomicExch)
TENSORTIDY_ATOMIC(atomicMin)
TENSORTIDY_ATOMIC(atomicMax)
TENSORTIDY_ATOMIC(atomicInc)
TENSORTIDY_ATOMIC(atomicDec)
TENSORTIDY_ATOMIC(atomicAnd)
TENSORTIDY_ATOMIC(atomicOr)
TENSORTIDY_ATOMIC(atomicXor)
#undef TENSORTIDY_ATOMIC
template <class T, class U, class V> T atomicCAS(T *At, U, V) { return *At; }
size_t __cvta_generic_to_shared(const void *);
size_t __cvta_generic_to_global(const void *);
size_t __cvta_generic_to_local(const void *);
size_t __cvta_generic_to_constant(const void *);
void *__cvta_shared_to_generic(size_t);
void *__cvta_global_to_generic(size_t);
void *__cvta_local_to_generic(size_t);
void *__cvta_constant_to_generic(size_t);
unsigned __isShared(const void *);
unsigned __isGlobal(const void *);
unsigned __isConstant(const void *);
unsigned __isLocal(const void *);
unsigned __isGridConstant(const void *);

// --- bits and numbers ---
int __popc(unsigned);
int __popcll(unsigned long long);
int __clz(int);
int __clzll(long long);
int __ffs(int);
int __ffsll(long long);
unsigned __brev(unsigned);
unsigned __byte_perm(unsigned, unsigned, unsigned);
unsigned __funnelshift_l(unsigned, unsigned, unsigned);
unsigned __funnelshift_r(unsigned, unsigned, unsigned);
int __mulhi(int, int);
unsigned __umulhi(unsigned, unsigned);
unsigned long long __umul64hi(unsigned long long, unsigned long long);
int __mul24(int, int);
int __dp4a(int, int, int);
unsigned __sad(int, int, unsigned);
float __int_as_float(int);
int __float_as_int(float);
float __uint_as_float(unsigned);
unsigned __float_as_uint(float);
double __longlong_as_double(long long);
long long __double_as_longlong(double);
int __double2hiint(double);
int __double2loint(double);
double __hiloint2double(int, int);
int __float2int_rn(float);
int __float2int_rz(float);
int __float2int_rd(float);
int __float2int_ru(float);
unsigned __float2uint_rn(float);
unsigned __float2uint_rz(float);
float __int2float_rn(int);
float __uint2float_rn(unsigned);
float __double2float_rn(double);
int __double2int_rn(double);
float __fadd_rn(float, float);
float __fsub_rn(float, float);
float __fmul_rn(float, float);
float __fmaf_rn(float, float, float);
float __frcp_rn(float);
float __fsqrt_rn(float);
float __fdiv_rn(float, float);
float __fdividef(float, float);
double __dadd_rn(double, double);
double __dmul_rn(double, double);
float __expf(float);
float __exp10f(float);
float __logf(float);
float __log2f(float);
float __log10f(float);
float __sinf(float);
float __cosf(float);
float __tanf(float);
float __powf(float, float);
float __saturatef(float);
void __sincosf(float, float *, float *);
float rsqrtf(float);
double rsqrt(double);
float rcbrtf(float);
float norm3df(float, float, float);
float rnorm3df(float, float, float);
float normcdff(float);
float normcdfinvf(float);
float erfinvf(float);
float erfcxf(float);
float exp10f(float);
float sinpif(float);
float cospif(float);
void sincospif(float, float *, float *);
double sinpi(double);
double cospi(double);
double normcdfinv(double);
double erfinv(double);

// --- textures ---
template <class T> T tex1D(cudaTextureObject_t, float) { return T(); }
template <class T> T tex1Dfetch(cudaTextureObject_t, int) { return T(); }
template <class T> T tex2D(cudaTextureObject_t, float, float) { return T(); }
template <class T> T tex3D(cudaTextureObject_t, float, float, float) {
  return T();
}
template <class T> T tex2DLayered(cudaTextureObject_t, float, float, int) {
  return T();
}

// min and max of the global namespace: functions of exactly these types, not
// templates, which would be ambiguous beside those of libraries.
#define TENSORTIDY_LEAST(Result, A, B)                                         \
  constexpr Result min(A X, B Y) {                                             \
    return (Result)Y < (Result)X ? (Result)Y : (Result)X;                      \
  }                                                                            \
  constexpr Result max(A X, B Y) {                                             \
    return (Result)X < (Result)Y ? (Result)Y : (Result)X;                      \
  }
#define TENSORTIDY_LEAST_INTEGER(T)                                            \
  TENSORTIDY_LEAST(T, T, T)                                                    \
  TENSORTIDY_LEAST(unsigned T, unsigned T, unsigned T)                         \
  TENSORTIDY_LEAST(unsigned T, T, unsigned T)                                  \
  TENSORTIDY_LEAST(unsigned T, unsigned T, T)
TENSORTIDY_LEAST_INTEGER(int)
TENSORTIDY_LEAST_INTEGER(long)
TENSORTIDY_LEAST_INTEGER(long long)
TENSORTIDY_LEAST(float, float, float)
TENSORTIDY_LEAST(double, double, double)
TENSORTIDY_LEAST(double, float, double)
TENSORTIDY_LEAST(double, double, float)
#undef TENSORTIDY_LEAST_INTEGER
#undef TENSORTIDY_LEAST

// What nvcc knows of lambdas that are written with __device__: here none is.
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false

// From here on the source sees what nvcc shows it. The flags give the release
// of a toolkit that is installed.
#define __NVCC__ 1
#define __CUDACC__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#endif
