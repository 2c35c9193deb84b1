// Ordinary C++ sources include CUDA's headers, too.
//
// RUN: %check %s -- %runtime

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <tensortidy/aten.h>

at::Tensor launched(cudaStream_t Stream) {
  auto Y = torch::zeros({2, 3}).t();
  if (cudaStreamSynchronize(Stream) != cudaSuccess)
    return Y;
  return Y.view(-1);
// CHECK-MESSAGES: :[[@LINE-1]]:12: warning: view({-1}) cannot merge
}
