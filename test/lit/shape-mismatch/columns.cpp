// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-shape-mismatch -- %torch | FileCheck %s --implicit-check-not=warning:
// A column that a layer gives, and a vector of the same length: each element meets all others, without an error.

#include <torch/torch.h>

namespace nn = torch::nn;

struct NetImpl : nn::Module {
  NetImpl() : hidden(register_module("hidden", nn::Linear(4, 8))), out(register_module("out", nn::Linear(8, 1))) {}
  at::Tensor forward(const at::Tensor &x) { return torch::sigmoid(out(torch::relu(hidden(x)))); }
  nn::Linear hidden, out;
};
TORCH_MODULE(Net);

at::Tensor squares(Net &net, const at::Tensor &x) {
  auto target = torch::rand({x.size(0)});
  auto y = net(x.view({x.size(0), 4}));
  // CHECK: :[[#@LINE+1]]:13: warning: y - target compares each element with all of the other tensor: sizes [x.size(0), 1] and [x.size(0)] broadcast to [x.size(0), x.size(0)]; wrong unless x.size(0) is 1 [tensor-shape-mismatch]
  return (y - target).pow(2).mean();
}

at::Tensor hits(Net &net, int64_t n) {
  auto x = torch::rand({n, 4}), labels = torch::ones({n});
  auto y = net->forward(x) > 0.5;
  // CHECK: :[[#@LINE+1]]:18: warning: labels == y compares each element with all of the other tensor
  return (labels == y).sum();
}

// A vector of another length, a column that is made on purpose, both of them layers, a product that belongs together.
at::Tensor legal(Net &net, const at::Tensor &x, int64_t n, int64_t k) {
  auto in = torch::rand({n, 4}), target = torch::rand({n}), knots = torch::rand({k});
  auto y = net(in);
  auto basis = torch::exp(-(y - knots).pow(2));
  auto distance = (target.unsqueeze(1) - target).abs();
  auto pairs = y - net(in).squeeze(1);
  auto flat = (y.squeeze(1) - target).pow(2).mean() + (y - target.unsqueeze(1)).pow(2).mean();
  auto batch = net(torch::rand({1, 4})) - torch::rand({1});
  return basis.sum() + distance.sum() + pairs.sum() + flat + batch;
}

// The other way around: a column that was kept, and what a layer gives as a vector.
at::Tensor kept(Net &net, int64_t n) {
  auto x = torch::rand({n, 4}), returns = torch::zeros({n, 1});
  auto values = net(x).squeeze(-1);
  // CHECK: :[[#@LINE+1]]:19: warning: returns - values compares each element with all of the other tensor
  return (returns - values).pow(2).mean();
}

// All pairs, on purpose.
at::Tensor pairs(Net &net, int64_t n) {
  auto x = torch::rand({n, 4}), returns = torch::zeros({n});
  auto values = net(x).squeeze(-1);
  return (returns.unsqueeze(1) - values).abs().mean();
}
