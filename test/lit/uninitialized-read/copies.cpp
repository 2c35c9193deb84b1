// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-uninitialized-read -- %torch | FileCheck %s --implicit-check-not=warning:
// Copies off a device that are told not to wait, and read on the host at once.

#include <ATen/ATen.h>
#include <cstring>
#include <iostream>
#include <numeric>

at::Tensor work(const at::Tensor &x);

// The tensor is a member, made on the device.
class Lengths {
public:
  explicit Lengths(int64_t most) : all(at::ones({most}, at::dtype(at::kInt).device(at::kCUDA))) {}
  std::vector<int64_t> pages(int64_t n, int64_t size) const {
    auto live = all.narrow(0, 0, n);
    auto host = live.to(at::TensorOptions().device(at::kCPU), /*non_blocking=*/true);
    auto a = host.accessor<int, 1>();
    std::vector<int64_t> out;
    out.reserve(n);
    for (int64_t i = 0; i < n; ++i)
      // CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: reads elements of 'host' that the copy from cuda may not have written yet: nothing has waited for it [tensor-uninitialized-read]
      // CHECK: :[[#@LINE-6]]:22: note: 'to' returns before it is done; call torch::cuda::synchronize() before the read, or leave out non_blocking
      // CHECK: :[[#@LINE-10]]:{{[0-9]+}}: note: 'live' is put on cuda here
      out.push_back((a[i] + size - 1) / size);
    return out;
  }

private:
  at::Tensor all;
};

int64_t longest(const at::Tensor &mask) {
  TORCH_CHECK(mask.is_cuda());
  auto most = mask.sum(1).max().to(at::kCPU, /*non_blocking=*/true);
  // CHECK: :[[#@LINE+1]]:15: warning: reads elements of 'most' that the copy from cuda
  return most.item<int64_t>();
}
double total(const at::Tensor &x) {
  auto host = x.cuda().relu().to("cpu", true);
  // CHECK: :[[#@LINE+1]]:15: warning: reads elements of 'host'
  return host.sum().item<double>();
}
void collect(const at::Tensor &x, std::vector<float> &into) {
  auto y = at::matmul(x.to(at::kCUDA), x.to(at::kCUDA)).flatten();
  const at::Tensor host = y.to(y.options().device(at::kCPU), /*non_blocking=*/true).contiguous();
  const float *p = host.data_ptr<float>();
  into.resize(host.numel());
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: reads elements of 'host'
  std::memcpy(into.data(), p, host.numel() * sizeof(float));
}
std::vector<float> listed(const at::Tensor &x) {
  auto host = x.cuda().to(at::Device(at::kCPU), at::kFloat, true);
  auto same = x.to(at::kCUDA, at::kFloat).to(at::kCPU, at::kFloat, /*non_blocking=*/true);
  auto *p = same.data_ptr<float>();
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: reads elements of 'same'
  return std::vector<float>(p, p + same.numel());
}
float first(const at::Tensor &x) {
  auto on = x.to(at::kCUDA);
  auto host = on.to(at::kCPU, true);
  float *p = host[0].data_ptr<float>();
  float sum = 0;
  for (int i = 0; i < 8; ++i)
    // CHECK: :[[#@LINE+1]]:12: warning: reads elements of 'host'
    sum += p[i];
  return sum;
}
// Pinned memory of its own.
float staged(const at::Tensor &x) {
  auto y = x.cuda();
  auto host = at::empty({8}, at::TensorOptions().dtype(at::kFloat).pinned_memory(true));
  auto on = y.to(at::kFloat).flatten().narrow(0, 0, 8);
  host.copy_(on, /*non_blocking=*/true);
  // CHECK: :[[#@LINE+1]]:10: warning: reads elements of 'host'
  return host.data_ptr<float>()[0];
}
struct Reader {
  at::Tensor stage = at::empty({64}, at::TensorOptions().dtype(at::kFloat).pinned_memory(true));
  float last(const at::Tensor &x) {
    auto y = x.to(at::kCUDA, at::kFloat);
    stage.narrow(0, 0, 8).copy_(y, true);
    auto a = stage.accessor<float, 1>();
    // CHECK: :[[#@LINE+1]]:12: warning: reads elements of 'stage'
    return a[7];
  }
};
// Whoever gives the buffer knows whether it is.
float given(const at::Tensor &x, at::Tensor &stage) {
  TORCH_CHECK(x.is_cuda() && x.scalar_type() == at::kFloat && stage.scalar_type() == at::kFloat);
  stage.copy_(x, /*non_blocking=*/true);
  const float *p = stage.data_ptr<float>();
  // CHECK: :[[#@LINE+1]]:10: warning: reads elements of 'stage' that the copy from cuda may not have written yet: nothing has waited for it, where its memory is pinned
  return p[0];
}
// On one way only something waits.
float sometimes(const at::Tensor &x, bool careful, void (*wait)()) {
  auto host = x.cuda().to(at::kCPU, true);
  if (careful)
    wait();
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: reads elements of 'host'
  return host.item<float>();
}
void shown(const at::Tensor &x) {
  auto host = x.cuda().mean(0).to(at::kCPU, true);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: reads elements of 'host'
  std::cout << host;
}
// The host computes with two of them.
at::Tensor both(const at::Tensor &x) {
  auto on = x.cuda();
  auto low = on.amin(0).to(at::kCPU, true);
  auto high = on.amax(0).to(at::kCPU, true);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: reads elements of 'low'
  return high - low;
}
