// RUN: env CUDA_HOME=/nowhere %check %s --checks=-*,tensor-raw-pointer-layout -- %plain-runtime

#include <tensortidy/aten.h>

template <class T>
__global__ void scale(const T *In, T *Out, int B, int N, int C) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < B * N * C)
    Out[I] = In[I] * T(2);
}
__global__ void strided(const float *In, int B, int C, int RowStride) {}

at::Tensor launched(int64_t B, int64_t C, int64_t N, cudaStream_t Stream) {
  auto X = torch::zeros({B, C, N});
  auto Y = X.transpose(1, 2);
  auto Out = torch::empty({B, N, C});
  scale<float><<<B, 256, 0, Stream>>>(Y.data_ptr<float>(), Out.data_ptr<float>(), B, N, C);
  // CHECK-MESSAGES: :[[@LINE-1]]:41: warning: 'scale' gets 'Y' without its strides and takes them for [C*N, C, 1]: sizes [B, N, C], strides [C*N, 1, N]; wrong unless C or N is 1
  scale<float><<<B, 256>>>(Y.contiguous().data_ptr<float>(), Out.data_ptr<float>(), B, N, C);
  scale<float><<<B, 256>>>(X.data_ptr<float>(), Out.data_ptr<float>(), B, C, N);
  auto Z = torch::zeros({B, C}).t();
  strided<<<1, 1>>>(Z.data_ptr<float>(), C, B, Z.stride(1));
  cudaMemcpyAsync(Out.data_ptr<float>(), Y.data_ptr<float>(), Y.numel() * sizeof(float), cudaMemcpyDeviceToDevice, Stream);
  // CHECK-MESSAGES: :[[@LINE-1]]:44: warning: 'cudaMemcpyAsync' gets 'Y' without its strides, together with 'Out', which has others
  return Out;
}
