// With a toolkit its headers are used, as a host compiler sees them; the device
// language is still there, and so is what this toolkit lacks.
//
// RUN: env CUDA_HOME=%S/Inputs/toolkit %check %s -- %plain-runtime
// RUN: env CUDA_HOME=/nowhere %exits 2 %tensortidy %s -- %plain-runtime | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: error: use of undeclared identifier 'ofTheToolkit'

#include <cuda_runtime.h>
#include <cub/cub.cuh>
#include <tensortidy/aten.h>

__global__ void kernel(float *Out) { Out[threadIdx.x] = 1; }

at::Tensor launched() {
  auto Y = torch::zeros({2, 3}, torch::device(torch::kCUDA)).t();
  cudaTextureObject_t Handle = 0;
  kernel<<<1, 6>>>(Y.data_ptr<float>());
  if (ofTheToolkit() != cudaSuccess && Handle)
    return Y;
  return Y.view(-1);
// CHECK-MESSAGES: :[[@LINE-1]]:12: warning: view({-1}) cannot merge
}
