#pragma once
#include <cstddef>
#define CUDART_VERSION  13000
#define __host__
#define __device__
#define __global__
struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned X = 1, unsigned Y = 1, unsigned Z = 1) : x(X), y(Y), z(Z) {}
};
typedef struct CUstream_st *cudaStream_t;
typedef unsigned long long cudaTextureObject_t;
typedef enum cudaError { cudaSuccess } cudaError_t;
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
// Version 12000 has a name of its own only since.
typedef int (*PFN_encodeTiled_v12000)(void *);
