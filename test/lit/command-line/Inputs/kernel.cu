#include <cuda_runtime.h>
#include <tensortidy/aten.h>

__global__ void twice(float *out, const float *in, int64_t n) {
  __shared__ float tile[32];
  int64_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + in[i] + tile[threadIdx.x % warpSize];
  __syncthreads();
}

at::Tensor launched(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}, torch::kCUDA).t();
  auto out = torch::zeros_like(y);
  twice<<<dim3(1), 256, 0, nullptr>>>(out.data_ptr<float>(), y.data_ptr<float>(), a * b);
  return y.view(-1);
}
