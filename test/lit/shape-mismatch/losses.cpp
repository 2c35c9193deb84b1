// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Losses of a column and a row: each element is compared with all of the other tensor.
#include <torch/torch.h>

at::Tensor regression(torch::nn::Linear &fc, const at::Tensor &x, int64_t b) {
  auto y = fc(x.view({b, 16})).view({b, 1});
  auto target = torch::zeros({b});
  return torch::mse_loss(y, target);
  // CHECK: :[[#@LINE-1]]:17: warning: mse_loss(y, target) compares each element with all of the other tensor: sizes [b, 1] and [b] broadcast to [b, b]; wrong unless b is 1 [tensor-shape-mismatch]
}

at::Tensor critic(torch::nn::Sequential &net, const at::Tensor &states, const at::Tensor &actions, const at::Tensor &best) {
  auto q = net->forward(states).view({32, 4}).gather(1, actions.view({32, 1}));
  return torch::nn::functional::smooth_l1_loss(q, best.view({32}).detach());
  // CHECK: :[[#@LINE-1]]:33: warning: smooth_l1_loss(q, ...) compares each element with all of the other tensor: sizes [32, 1] and [32] broadcast to [32, 32]; wrong [tensor-shape-mismatch]
}

at::Tensor fine(torch::nn::Linear &fc, const at::Tensor &x, int64_t b) {
  auto y = fc(x.view({b, 16})).view({b, 1});
  auto column = torch::zeros({b, 1}), row = torch::zeros({b});
  auto weights = torch::ones({b, 16}), one = torch::ones({1, 16}), number = torch::zeros({});
  return torch::mse_loss(y, column) + torch::mse_loss(y.squeeze(1), row) + torch::mse_loss(weights, one) +
         torch::l1_loss(y, number) + torch::mse_loss(y.view({-1}), row);
}
