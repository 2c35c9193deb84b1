// RUN: not %tensortidy --checks=-*,tensor-* %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Operands, indices, modules and host reads on one device or another, each with a correct twin.
#include <torch/torch.h>
at::Tensor bias(const at::Tensor &x) {
  auto y = x.to(torch::kCUDA);
  auto b = torch::zeros({y.size(-1)});
  return y + b;
  // CHECK: :[[#@LINE-1]]:12: warning: y + b needs all on one device, 'y' is on cuda and 'b' on cpu{{.*}}[tensor-device-mismatch]
}
at::Tensor biasFine(const at::Tensor &x) {
  auto y = x.to(torch::kCUDA);
  auto b = torch::zeros({y.size(-1)}, y.options());
  return y + b;
}
at::Tensor gather(const at::Tensor &table, const std::vector<int64_t> &ids) {
  auto t = table.cuda();
  auto i = torch::tensor(ids);
  return t.index_select(0, i);
  // CHECK: :[[#@LINE-1]]:12: warning: index_select(0, i) needs all on one device, 't' is on cuda and 'i' on cpu{{.*}}[tensor-device-mismatch]
}
at::Tensor gatherFine(const at::Tensor &table, const std::vector<int64_t> &ids) {
  auto t = table.cuda();
  auto i = torch::tensor(ids).to(t.device());
  return t.index_select(0, i);
}
struct Net : torch::nn::Module {
  torch::nn::Linear fc{nullptr};
  Net() { fc = register_module("fc", torch::nn::Linear(4, 2)); to(torch::kCUDA); }
  at::Tensor forward(const at::Tensor &x) { return fc(x); }
};
at::Tensor moduleOnGpu() {
  torch::nn::Linear fc(4, 2);
  fc->to(torch::kCUDA);
  auto x = torch::randn({8, 4});
  return fc(x);
  // CHECK: :[[#@LINE-1]]:10: warning: 'fc' is on cuda, and its input 'x' on cpu{{.*}}[tensor-device-mismatch]
}
at::Tensor moduleFine() {
  torch::nn::Linear fc(4, 2);
  fc->to(torch::kCUDA);
  auto x = torch::randn({8, 4}, torch::kCUDA);
  return fc(x);
}
float hostRead() {
  auto x = torch::ones({16}, torch::kCUDA);
  float *p = x.data_ptr<float>();
  return p[0];
  // CHECK: :[[#@LINE-1]]:10: warning: the host reads memory of 'x', which is on cuda; crashes{{.*}}[tensor-device-mismatch]
}
float hostReadFine() {
  auto x = torch::ones({16}, torch::kCUDA).cpu();
  float *p = x.data_ptr<float>();
  return p[0];
}
at::Tensor catTwo(const at::Tensor &x) {
  auto on = x.cuda();
  auto pad = torch::zeros({1, 4});
  return torch::cat({on, pad}, 0);
  // CHECK: :[[#@LINE-1]]:17: warning: cat(..., 0) needs all on one device, 'on' is on cuda and 'pad' on cpu{{.*}}[tensor-device-mismatch]
}
at::Tensor catFine(const at::Tensor &x) {
  auto on = x.cuda();
  auto pad = torch::zeros({1, 4}, torch::kCUDA);
  return torch::cat({on, pad}, 0);
}
at::Tensor number(const at::Tensor &x) {
  auto on = x.cuda();
  return on * torch::tensor(2.0f);
}
