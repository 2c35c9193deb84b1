// A toolkit as a host compiler sees it: nothing of the device language.
#pragma once
#include <cstddef>
#define __host__
#define __device__
#define __global__
#define __noinline__ __attribute__((noinline))
struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned X = 1, unsigned Y = 1, unsigned Z = 1) : x(X), y(Y), z(Z) {}
};
typedef struct CUstream_st *cudaStream_t;
typedef unsigned long long cudaTextureObject_t;
typedef enum cudaError { cudaSuccess, onlyTheToolkitHasThis } cudaError_t;
inline cudaError_t ofTheToolkit() { return onlyTheToolkitHasThis; }
