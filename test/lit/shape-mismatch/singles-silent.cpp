// REQUIRES: libtorch
// RUN: %tensortidy %s --checks=-*,tensor-shape-mismatch -- %torch | FileCheck %s --allow-empty --implicit-check-not=warning:
// Other dimensions; sizes that have a name, or that are given; tensors that tests make; what is corrected by nothing.

#include <ATen/ATen.h>
#include <torch/nn.h>

namespace nn = torch::nn;

constexpr int64_t Groups = 1;
enum { Heads = 1 };
#define CLASSES 1

struct HeadImpl : nn::Module {
  HeadImpl(int64_t dims, int64_t classes = 1) : out(nn::Linear(dims, classes)), fixed(nn::Linear(dims, Groups)), many(nn::Linear(dims, 8)) {
    register_module("out", out);
    register_module("fixed", fixed);
    register_module("many", many);
  }
  at::Tensor forward(const at::Tensor &x) { return torch::softmax(out(x), -1) + torch::softmax(fixed(x), -1) + torch::softmax(many(x), -1); }
  nn::Linear out, fixed, many;
};
TORCH_MODULE(Head);
at::Tensor run(const at::Tensor &x) {
  Head head(16, 1);
  return head(x);
}

at::Tensor heads(const at::Tensor &x, int64_t n) { return x.view({x.size(0), n, -1}).softmax(1); }
at::Tensor one(const at::Tensor &x) { return heads(x, 1); }
template <int64_t N> at::Tensor parts(const at::Tensor &x) { return x.view({x.size(0), N, -1}).softmax(1); }
at::Tensor single(const at::Tensor &x) { return parts<1>(x); }
at::Tensor named(const at::Tensor &x) {
  const int64_t only = 1;
  return x.view({-1, Groups, 8}).softmax(1) + x.view({-1, Heads, 8}).softmax(1) + x.view({-1, CLASSES, 8}).softmax(1) + x.view({-1, only, 8}).softmax(1);
}
at::Tensor tested(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 2 && x.size(1) == 1);
  return x.softmax(1);
}
at::Tensor perhaps(const at::Tensor &x, bool wide) {
  auto y = wide ? x.view({4, -1}) : x.view({1, -1});
  return y.softmax(0);
}
// Others along it.
at::Tensor others(const at::Tensor &x) {
  auto m = x.view({-1, 8, 16}).mean(1, true);
  return m.softmax(-1) + x.unsqueeze(0).softmax(1) + x.unsqueeze(-1).softmax(0);
}
// One step of a decoder, one row: what an example makes.
at::Tensor example() {
  auto q = torch::randn({1, 4, 1, 16}), k = torch::randn({1, 4, 1, 16});
  auto w = torch::matmul(q, k.transpose(-2, -1)).softmax(-1);
  return w + torch::softmax(torch::randn({1}), 0) + torch::ones({2, 1}).softmax(1);
}
at::Tensor population(const at::Tensor &x) {
  auto m = x.mean(1, true);
  return m.std({1}, /*unbiased=*/false) + x.std({1}, true);
}
at::Tensor broadcast(const at::Tensor &x, const at::Tensor &bias) {
  return (x.mean(1, true) + bias).softmax(1);
}
at::Tensor expanded(const at::Tensor &x) { return x.unsqueeze(1).expand({-1, 4, -1}).softmax(1); }
at::Tensor normed(const at::Tensor &x, int64_t n) { return torch::layer_norm(x, {n}) + torch::layer_norm(x, {8}); }
