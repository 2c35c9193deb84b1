//===- curand_kernel.h - stands in for cuRAND -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cuda_runtime.h>

struct curandStateXORWOW {
  unsigned d, v[5];
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
};
struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
};
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandGenerator_st *curandGenerator_t;
enum curandStatus_t { CURAND_STATUS_SUCCESS };
typedef curandStatus_t curandStatus;
enum curandRngType_t {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
};
template <class S>
void curand_init(unsigned long long, unsigned long long, unsigned long long,
                 S *);
template <class S> unsigned curand(S *);
template <class S> uint4 curand4(S *);
template <class S> float curand_uniform(S *);
template <class S> float2 curand_uniform2(S *);
template <class S> float4 curand_uniform4(S *);
template <class S> double curand_uniform_double(S *);
template <class S> float curand_normal(S *);
template <class S> float2 curand_normal2(S *);
template <class S> float4 curand_normal4(S *);
template <class S> unsigned curand_poisson(S *, double);
uint4 curand_Philox4x32_10(uint4, uint2);

extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t *, curandRngType_t);
curandStatus_t curandDestroyGenerator(curandGenerator_t);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t,
                                                  unsigned long long);
curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t);
curandStatus_t curandGenerateUniform(curandGenerator_t, float *, size_t);
curandStatus_t curandGenerateNormal(curandGenerator_t, float *, size_t, float,
                                    float);
}
