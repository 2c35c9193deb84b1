// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Windows that become one: who goes on with the channels alone knows the size of the input.

#include <torch/torch.h>
using torch::Tensor;

struct Net : torch::nn::Module {
  torch::nn::Conv1d first{nullptr}, second{nullptr};
  torch::nn::Linear fc{nullptr};
  Net() {
    first = register_module("first", torch::nn::Conv1d(1, 16, 5));
    second = register_module("second", torch::nn::Conv1d(16, 120, 5));
    fc = register_module("fc", torch::nn::Linear(120, 10));
  }
  Tensor forward(Tensor x) {
    TORCH_CHECK(x.dim() == 3);
    x = second(torch::max_pool1d(first(x), 2));
    return fc(x.view({x.size(0), -1}));
  }
  Tensor counted(Tensor x) {
    TORCH_CHECK(x.dim() == 3);
    x = second(first(x));
    return fc(x.view({x.size(0), 120}));
  }
  Tensor square(Tensor x) {
    TORCH_CHECK(x.dim() == 4 && x.size(1) == 120);
    auto least = torch::max_pool2d(x, x.size(3), 1);
    x = torch::avg_pool2d(x, x.size(2));
    return fc(x.view({x.size(0), -1})) + fc(least.flatten(1));
  }
  // One size stands for all others, and nobody would mean that here.
  Tensor skips(Tensor x) {
    TORCH_CHECK(x.dim() == 3);
    return x + first(x);
    // CHECK: :[[#@LINE-1]]:14: warning: x + ...: sizes x.size(2) and x.size(2) - 4 do not match at dimension 2; throws unless x.size(2) or x.size(2) - 4 is 1
  }
  Tensor whole(Tensor x) {
    TORCH_CHECK(x.dim() == 3 && x.size(2) == 120);
    return fc(x.reshape({x.size(0), -1}));
    // CHECK: :[[#@LINE-1]]:12: warning: fc(...): shapes [x.size(0), {{.*}}] and 120x10 cannot be multiplied; throws when x.size(2) is 120 and x.dim() is 3, unless x.size(1) is 1
  }
};
