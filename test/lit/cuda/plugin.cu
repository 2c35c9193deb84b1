// clang-tidy needs the flags that --cuda-flags prints.
//
// RUN: env CUDA_HOME=/nowhere %tensortidy --cuda-flags > %t.flags
// RUN: FileCheck %s --check-prefix=FLAGS < %t.flags
// FLAGS: -x cuda --cuda-host-only {{.*}}-include {{.*}}share/tensortidy/cuda/prelude.h
// RUN: bash -c "%clang-tidy --load $(%tensortidy --plugin-path) --checks=-*,tensor-* %s -- $(cat %t.flags) %plain-runtime" | FileCheck %s

#include <cuda_runtime.h>
#include <tensortidy/aten.h>

__global__ void kernel(float *Out) {
  __shared__ float Tile[32];
  Tile[threadIdx.x] = __expf(Out[threadIdx.x]) + std::sqrt(2.0f);
  __syncthreads();
  Out[threadIdx.x] = Tile[31 - threadIdx.x];
}

at::Tensor launched() {
  auto Y = torch::zeros({2, 3}, torch::device(torch::kCUDA)).t();
  kernel<<<1, 6>>>(Y.data_ptr<float>());
  return Y.view(-1); // CHECK: :[[@LINE]]:12: warning: view({-1}) cannot merge
}
