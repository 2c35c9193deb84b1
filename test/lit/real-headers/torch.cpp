// RUN: not %tensortidy --checks=-*,tensor-* %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// The three checks behind <torch/torch.h>, in modules and a training step.

#include <torch/torch.h>

struct AttentionImpl : torch::nn::Module {
  AttentionImpl(int64_t width, int64_t heads) : heads(heads) {
    qkv = register_module("qkv", torch::nn::Linear(width, 3 * width));
    out = register_module("out", torch::nn::Linear(width, width));
  }

  torch::Tensor forward(const torch::Tensor &x) {
    auto B = x.size(0), T = x.size(1), C = x.size(2);
    auto parts = qkv->forward(x).view({B, T, 3, heads, C / heads}).permute({2, 0, 3, 1, 4});
    auto scores = torch::matmul(parts[0], parts[1].transpose(-2, -1));
    auto ctx = torch::matmul(torch::softmax(scores, -1), parts[2]);
    return out(ctx.transpose(1, 2).view({B, T, C}));
    // CHECK: :[[#@LINE-1]]:36: warning: view({B, T, C}) cannot merge dimensions 2 and 3{{.*}} [tensor-view-after-permute]
  }

  torch::Tensor right(const torch::Tensor &x) {
    auto B = x.size(0), T = x.size(1), C = x.size(2);
    auto q = qkv->forward(x).narrow(2, 0, C).view({B, T, heads, C / heads}).transpose(1, 2);
    return out(q.transpose(1, 2).contiguous().view({B, T, C}));
  }

  int64_t heads;
  torch::nn::Linear qkv{nullptr}, out{nullptr};
};
TORCH_MODULE(Attention);

double train(Attention &model, torch::optim::Optimizer &optimizer, int64_t steps) {
  double total = 0;
  for (int64_t step = 0; step < steps; ++step) {
    auto target = torch::ones({8, 16, 32});
    auto input = torch::randn({8, 16, 32});
    auto loss = torch::mse_loss(model->right(input), target);
    // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: warning: 'target' is allocated in every iteration with the same arguments{{.*}}(16384 bytes each time) [tensor-allocation-in-loop]
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    total += loss.item<double>();
  }
  return total;
}

torch::Tensor saved(const torch::Tensor &x) {
  auto y = torch::tensor({{1.0, 2.0}, {3.0, 4.0}}).contiguous();
  // CHECK: :[[#@LINE-1]]:52: warning: contiguous() does nothing{{.*}} [tensor-redundant-contiguous]
  return torch::mm(x, y);
}
