// RUN: not %tensortidy --checks=-*,tensor-inplace-on-saved %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// What norms and dropout() give requires gradients, as what they are given does.
#include <torch/torch.h>

struct GateImpl : torch::nn::Module {
  torch::nn::Conv2d squeeze{nullptr};
  torch::nn::BatchNorm2d norm{nullptr};
  explicit GateImpl(int64_t channels) {
    squeeze = register_module("squeeze", torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, 1, 3).padding(1)));
    norm = register_module("norm", torch::nn::BatchNorm2d(1));
  }
  torch::Tensor border(const torch::Tensor &x) {
    auto gate = torch::relu(norm(squeeze(x)));
    gate.select(3, 0).zero_();
    // CHECK: :[[#@LINE-1]]:{{.*}} zero_() changes a view of 'gate', which the gradient of relu() needs
    return gate;
  }
  torch::Tensor borderRight(const torch::Tensor &x) {
    auto gate = torch::relu(norm(squeeze(x))).clone();
    gate.select(3, 0).zero_();
    return gate;
  }
  torch::Tensor forward(const torch::Tensor &x) { return border(x) * borderRight(x) * x; }
};
TORCH_MODULE(Gate);

void dropped(const torch::Tensor &x, const torch::Tensor &mask) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto y = torch::sigmoid(torch::dropout(w * x, 0.5, true));
  y.mul_(mask);
  // CHECK: :[[#@LINE-1]]:{{.*}} mul_() changes 'y', which the gradient of sigmoid() needs
  y.sum().backward();
}
void droppedRight(const torch::Tensor &x, const torch::Tensor &mask) {
  auto w = torch::ones({3}, torch::requires_grad());
  auto y = torch::sigmoid(torch::dropout(w * x, 0.5, true));
  auto z = y.mul(mask);
  z.sum().backward();
}
