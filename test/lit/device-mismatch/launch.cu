// RUN: env CUDA_HOME=/nowhere %check %s --checks=-*,tensor-device-mismatch -- %plain-runtime
// Kernels are given memory of the device.

#include <tensortidy/aten.h>

__global__ void scale(const float *In, float *Out, int64_t N);

at::Tensor scaled(const at::Tensor &X) {
  auto In = X.cuda().contiguous();
  auto Out = torch::empty({In.numel()});
  scale<<<64, 256>>>(In.data_ptr<float>(), Out.data_ptr<float>(), In.numel());
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: kernel 'scale' gets memory of 'Out', which is on cpu; it fails [tensor-device-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-3]]:21: note: 'Out' is put on cpu here
  return Out;
}

at::Tensor right(const at::Tensor &X) {
  auto In = X.cuda().contiguous();
  auto Out = torch::empty({In.numel()}, In.options());
  scale<<<64, 256>>>(In.data_ptr<float>(), Out.data_ptr<float>(), In.numel());
  return Out;
}
at::Tensor unknown(const at::Tensor &X) {
  auto Out = torch::empty_like(X), Pinned = torch::empty({X.numel()}).pin_memory();
  scale<<<64, 256>>>(X.data_ptr<float>(), Out.data_ptr<float>(), X.numel());
  scale<<<64, 256>>>(X.data_ptr<float>(), Pinned.data_ptr<float>(), X.numel());
  return Out;
}
