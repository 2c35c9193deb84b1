// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-device-mismatch -- %torch | FileCheck %s --implicit-check-not=warning:
// Pointers into memory of a device and into memory that nobody has put there, given to one function.

#include <torch/torch.h>

void launchPad(int64_t n, const float *in, float *padded, int64_t channels);
void launchLengths(const float *in, const int64_t *lengths, float *out);
void copyRows(const float *from, float *to, int64_t n);
void toHost(float *host, const float *device, int64_t n);

at::Tensor pad(const at::Tensor &one, const at::Tensor &two) {
  TORCH_CHECK(one.is_cuda() && two.is_cuda() && one.is_contiguous() && two.is_contiguous() && one.dim() == 3);
  const int64_t b = one.size(0), c = one.size(1), n = one.size(2);
  auto left = torch::zeros({b, c, n + 8});
  auto right = torch::zeros({b, c, n + 8}, two.options());
  // CHECK: :[[#@LINE+2]]:3: warning: launchPad() gets memory of 'one', which is on cuda, and of 'left', which is on cpu; it fails where it runs on one of them [tensor-device-mismatch]
  // CHECK: :[[#@LINE-3]]:22: note: 'left' is put on cpu here
  launchPad(n, one.data_ptr<float>(), left.data_ptr<float>(), c);
  launchPad(n, two.data_ptr<float>(), right.data_ptr<float>(), c);
  return left.to(right.device()) + right;
}

at::Tensor padOn(const at::Tensor &x, torch::Device device) {
  auto in = x.to(device).contiguous();
  auto out = torch::empty({in.size(0), 8}, torch::kFloat);
  // CHECK: :[[#@LINE+1]]:3: warning: launchPad() gets memory of 'in', which is on 'device', and of 'out', which is on cpu; it fails where it runs on one of them unless 'device' is the CPU [tensor-device-mismatch]
  launchPad(8, in.data_ptr<float>(), out.data_ptr<float>(), 1);
  return out;
}

void launchGatherKernel(const float *in, const int32_t *map, float *out, int64_t n);
static at::Tensor integers(const std::vector<int32_t> &values) {
  return torch::tensor(values, torch::TensorOptions().dtype(torch::kInt32));
}
at::Tensor gathered(const at::Tensor &x, const std::vector<int32_t> &rows) {
  TORCH_CHECK(x.is_cuda() && x.is_contiguous());
  auto out = torch::empty_like(x);
  auto map = integers(rows), moved = integers(rows).to(x.device());
  // CHECK: :[[#@LINE+1]]:3: warning: launchGatherKernel() gets memory of 'x', which is on cuda, and of 'map', which is on cpu; it fails where it runs on one of them [tensor-device-mismatch]
  launchGatherKernel(x.data_ptr<float>(), map.data_ptr<int32_t>(), out.data_ptr<float>(), x.size(0));
  launchGatherKernel(x.data_ptr<float>(), moved.data_ptr<int32_t>(), out.data_ptr<float>(), x.size(0));
  return out;
}

// Lengths may be read by the host, what is put on the CPU by name is meant to be there, and some functions copy.
at::Tensor legal(const at::Tensor &x, int64_t n) {
  TORCH_CHECK(x.is_cuda() && x.is_contiguous());
  auto lengths = torch::full({n}, 4, torch::kLong);
  auto out = torch::zeros({n, 4}, x.options());
  launchLengths(x.data_ptr<float>(), lengths.data_ptr<int64_t>(), out.data_ptr<float>());
  auto named = torch::zeros({n, 4}, torch::kCPU), pinned = torch::zeros({n, 4}).pin_memory(), host = torch::zeros({n, 4});
  launchPad(n, x.data_ptr<float>(), named.data_ptr<float>(), 4);
  launchPad(n, x.data_ptr<float>(), pinned.data_ptr<float>(), 4);
  copyRows(x.data_ptr<float>(), host.data_ptr<float>(), n);
  toHost(host.data_ptr<float>(), x.data_ptr<float>(), n);
  auto a = torch::zeros({n, 4}), b = torch::rand({n, 4});
  launchPad(n, a.data_ptr<float>(), b.data_ptr<float>(), 4);
  return out + named.to(x.device());
}
