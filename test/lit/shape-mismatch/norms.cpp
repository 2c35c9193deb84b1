// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// InstanceNorm2d takes images with and without a batch: it keeps the sizes that are known, and says nothing of the rank.

#include <torch/torch.h>
using torch::Tensor;

struct Generator : torch::nn::Module {
  torch::nn::Conv2d in, down, up;
  torch::nn::InstanceNorm2d norm, norm2;
  Generator()
      : in(torch::nn::Conv2dOptions(1, 64, 7).padding(3)), down(torch::nn::Conv2dOptions(64, 128, 3).stride(2).padding(1)),
        up(torch::nn::Conv2dOptions(64, 3, 3)), norm(64), norm2(128) {}
  Tensor forward(Tensor x) {
    auto out = torch::relu(norm->forward(in->forward(x)));
    return torch::relu(norm2->forward(down->forward(out)));
  }
  Tensor twice(Tensor x) {
    auto out = torch::relu(norm(in(x)));
    out = norm(out) + out;
    return up(norm2(down(out)));
    // CHECK: :[[#@LINE-1]]:12: warning: up(...): the weight wants 64 channels in 1 group, the input has 128; throws
  }
};
