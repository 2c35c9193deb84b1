// The host functions of a CUDA source are analysed, its kernels are not even
// parsed: this machine needs no toolkit.
//
// RUN: env CUDA_HOME=/nowhere %check %s -- %plain-runtime
// RUN: env CUDA_HOME=/nowhere %exits 1 %tensortidy --stats --checks=tensor-view-after-permute %s -- %plain-runtime 2>&1 | FileCheck %s --check-prefix=STATS
// STATS: functions that mention a tensor: 5
// STATS: functions analysed: 5 of 5

#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <tensortidy/aten.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

__constant__ float Table[16];

template <class T> __device__ __forceinline__ T warpSum(T V) {
  for (int Step = 16; Step > 0; Step /= 2)
    V += __shfl_down_sync(0xffffffff, V, Step);
  return this_is_never_read(V);
}

template <class T>
__global__ void __launch_bounds__(256) sum(const T *In, T *Out, int64_t N) {
  extern __shared__ unsigned char Shared[];
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("bar.sync 0;");
  if (I < N)
    atomicAdd(Out, warpSum(__ldg(In + I)) * Table[I % 16]);
  __syncthreads();
}

struct Scale {
  float By;
  __host__ __device__ float operator()(float V) const { return V * By; }
};

constexpr int Threads = 256;
int blocks(int64_t N) { return min((N + Threads - 1) / Threads, 65535L); }

at::Tensor launched(const at::Tensor &X) {
  auto Y = torch::zeros({X.size(0), X.size(1)}, X.options()).t();
  auto Out = torch::zeros({1}, X.options());
  const dim3 Grid(blocks(X.numel()));
  cudaStream_t Stream = nullptr;
  cudaFuncSetAttribute(sum<float>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       1024);
  sum<float><<<Grid, Threads, 1024, Stream>>>(Y.data_ptr<float>(),
                                              Out.data_ptr<float>(), Y.numel());
  cudaError_t E = cudaGetLastError();
  if (E != cudaSuccess)
    printf("%s\n", cudaGetErrorString(E));
  return Y.view(-1);
// CHECK-MESSAGES: :[[@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'Y'
}

at::Tensor libraries(const at::Tensor &X, cublasHandle_t Blas) {
  auto Y = X.new_empty({X.size(0), X.size(1)}).t();
  float *Data = Y.data_ptr<float>(), One = 1;
  int N = Y.size(0);
  size_t Bytes = 0;
  cub::DeviceScan::InclusiveSum(nullptr, Bytes, Data, Data, N);
  cub::DoubleBuffer<float> Buffer(Data, Data);
  cub::DeviceRadixSort::SortKeys(nullptr, Bytes, Buffer, N);
  thrust::sort(thrust::cuda::par.on(nullptr), Data, Data + N);
  thrust::transform(thrust::device, Data, Data + N, Data, Scale{2});
  cublasSgemm(Blas, CUBLAS_OP_N, CUBLAS_OP_T, N, N, N, &One, Data, N, Data, N,
              &One, Data, N);
  cudaMemcpyToSymbol(Table, &One, sizeof One);
  return Y.view(-1);
// CHECK-MESSAGES: :[[@LINE-1]]:12: warning: view({-1}) cannot merge
}

template <class T> at::Tensor typed(const at::Tensor &X) {
  auto Y = torch::empty({2, 3}).t();
  sum<T><<<1, 32>>>(X.data_ptr<T>(), X.data_ptr<T>(), 1);
  return Y.view(-1);
// CHECK-MESSAGES: :[[@LINE-1]]:12: warning: view({-1}) cannot merge
}
template at::Tensor typed<float>(const at::Tensor &);

at::Tensor lambda(const at::Tensor &X) {
  auto Scaled = [=] __device__(float V) { return V * 2; };
  auto Y = torch::empty({2, 3});
  (void)Scaled;
  return Y.view(-1);
}

at::Tensor halves(const at::Tensor &X) {
  __half H = __float2half(1.0f);
  __nv_bfloat16 B = 2.0f;
  float4 V = make_float4(H, B, 0, 0);
  auto Y = torch::full({2, 3}, V.x).t();
  return Y.view(-1);
// CHECK-MESSAGES: :[[@LINE-1]]:12: warning: view({-1}) cannot merge
}
