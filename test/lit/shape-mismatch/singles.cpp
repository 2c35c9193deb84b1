// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-shape-mismatch -- %torch | FileCheck %s --implicit-check-not=warning:
// softmax() and the like along a dimension that has one element by what is written.

#include <ATen/ATen.h>
#include <torch/nn.h>

namespace nn = torch::nn;
namespace F = torch::nn::functional;

struct AttentionImpl : nn::Module {
  AttentionImpl(int64_t dims, int64_t inner) {
    query = register_module("query", nn::Linear(dims, inner));
    score = register_module("score", nn::Linear(inner, 1));
    w = register_parameter("w", torch::randn({inner, 1}));
  }
  at::Tensor forward(const at::Tensor &x) {
    auto q = query->forward(x);
    auto s = torch::matmul(q, w) * 0.5;
    // CHECK: :[[#@LINE+1]]:21: warning: softmax(s, -1) goes along a dimension of size 1: every value is 1 [tensor-shape-mismatch]
    auto a = torch::softmax(s, /*dim=*/-1);
    // CHECK: :[[#@LINE+1]]:36: warning: softmax(-1) goes along a dimension of size 1: every value is 1
    auto b = torch::tanh(score(q)).softmax(-1);
    // CHECK: :[[#@LINE+1]]:17: warning: {{.*}} goes along a dimension of size 1: every value is 1
    auto c = F::softmax(score(q), F::SoftmaxFuncOptions(-1));
    // CHECK: :[[#@LINE+1]]:17: warning: {{.*}} goes along a dimension of size 1: every value is 0
    auto d = F::log_softmax(score(q), -1);
    return torch::softmax(s, 1) * q + a + b + c + d;
  }
  nn::Linear query{nullptr}, score{nullptr};
  at::Tensor w;
};
TORCH_MODULE(Attention);

struct MaskImpl : nn::Module {
  nn::Conv2d out{nn::Conv2dOptions(64, 1, 1)};
  nn::Softmax soft{nn::SoftmaxOptions(1)};
  nn::LogSoftmax last{1};
  MaskImpl() {
    register_module("out", out);
    register_module("soft", soft);
    register_module("last", last);
  }
  at::Tensor forward(at::Tensor x) {
    TORCH_CHECK(x.dim() == 4);
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: {{.*}} goes along a dimension of size 1: every value is 1
    auto y = soft(out(x));
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: {{.*}} goes along a dimension of size 1: every value is 0
    return y + last(out(x)) + torch::softmax(out(x), 2);
  }
};

at::Tensor pooled(const at::Tensor &x) {
  auto m = x.mean(1, /*keepdim=*/true);
  // CHECK: :[[#@LINE+1]]:16: warning: softmax(m, 1) goes along
  auto a = at::softmax(m, 1);
  // CHECK: :[[#@LINE+1]]:27: warning: softmax(1) goes along
  auto b = x.unsqueeze(1).softmax(1);
  // CHECK: :[[#@LINE+1]]:16: warning: {{.*}} goes along a dimension of size 1: every value is 0
  auto c = at::log_softmax(x.view({x.size(0), 1, -1}), 1);
  // CHECK: :[[#@LINE+1]]:14: warning: {{.*}} goes along a dimension of size 1: every value is nan
  auto d = m.std({1}, /*unbiased=*/true, /*keepdim=*/true);
  return a + b.squeeze(1) + c.squeeze(1) + d;
}
at::Tensor normed(const at::Tensor &x) {
  auto m = x.sum(-1, true);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: {{.*}} goes along a dimension of size 1: every value is 0, but for the bias
  return torch::layer_norm(m, {1});
}
