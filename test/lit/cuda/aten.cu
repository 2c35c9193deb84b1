// REQUIRES: libtorch
// libtorch's own CUDA headers, without a toolkit.
//
// RUN: env CUDA_HOME=/nowhere %check %s -- %plain-torch

#include <ATen/ATen.h>
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/detail/IndexUtils.cuh>
#include <ATen/cuda/detail/TensorInfo.cuh>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

// Gone since 1.11, and still included.
#include <THC/THC.h>
#include <THC/THCAtomics.cuh>
#include <THC/THCDeviceUtils.cuh>

template <class T>
__global__ void add(at::PackedTensorAccessor32<T, 2, at::RestrictPtrTraits> In,
                    T *Out) {
  gpuAtomicAdd(Out, In[blockIdx.x][threadIdx.x]);
}

at::Tensor launched(const at::Tensor &X) {
  const at::cuda::OptionalCUDAGuard Guard(at::device_of(X));
  auto Y = at::zeros({X.size(0), X.size(1)}, X.options());
  auto Stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(X.scalar_type(), "add", [&] {
    add<scalar_t><<<X.size(0), X.size(1), 0, Stream>>>(
        X.packed_accessor32<scalar_t, 2, at::RestrictPtrTraits>(),
        Y.data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  AT_CUDA_CHECK(cudaGetLastError());
  auto Z = at::zeros({X.size(0), X.size(1)}, X.options()).t();
  return Z.view(-1);
// CHECK-MESSAGES: :[[@LINE-1]]:12: warning: view({-1}) cannot merge
}

at::Tensor old(const at::Tensor &X) {
  auto Y = at::zeros({X.size(0), X.size(1)}, X.options()).t();
  const dim3 Grid(std::min(THCCeilDiv(X.numel(), 512L), 4096L));
  add<float><<<Grid, 512>>>(
      X.packed_accessor32<float, 2, at::RestrictPtrTraits>(),
      Y.data_ptr<float>());
  THCudaCheck(cudaGetLastError());
  return Y.view(-1);
// CHECK-MESSAGES: :[[@LINE-1]]:12: warning: view({-1}) cannot merge
}
