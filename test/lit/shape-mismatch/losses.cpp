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

// The same as modules, which are settings and no more.
struct Trainer {
  torch::nn::MSELoss criterion_;
  torch::nn::CrossEntropyLoss classes_{torch::nn::CrossEntropyLossOptions().reduction(torch::kNone)};
  at::Tensor step(torch::nn::Linear &fc, const at::Tensor &x, const at::Tensor &target, int64_t b) {
    auto y = fc(x.view({b, 16})).view({b, 1});
    return criterion_(y, target.view({b}));
    // CHECK: :[[#@LINE-1]]:42: warning: forward(y, ...) compares each element with all of the other tensor: sizes [b, 1] and [b] broadcast to [b, b]; wrong unless b is 1 [tensor-shape-mismatch]
  }
  at::Tensor labels(const at::Tensor &x, int64_t b) {
    auto target = torch::zeros({b});
    return classes_->forward(x.view({b, 10}), target);
    // CHECK: :[[#@LINE-1]]:22: warning: forward(..., target) needs int64 or uint8, 'target' has float32; throws [tensor-shape-mismatch]
  }
};
at::Tensor binary(const at::Tensor &x, int64_t b) {
  torch::nn::BCELoss loss;
  auto p = torch::sigmoid(x.view({b, 1})), target = torch::ones({b});
  return loss(p, target);
  // CHECK: :[[#@LINE-1]]:24: warning: forward(p, target) expects 2 dimensions, 'target' has 1; throws [tensor-shape-mismatch]
}
at::Tensor fineModules(Trainer &t, const at::Tensor &x, const at::Tensor &logits, const at::Tensor &frames, int64_t b) {
  torch::nn::BCEWithLogitsLoss bce(torch::nn::BCEWithLogitsLossOptions().reduction(torch::kNone));
  torch::nn::NLLLoss nll;
  torch::nn::CTCLoss ctc;
  auto y = x.view({b, 1});
  auto each = bce(y, torch::zeros({b, 1}));
  auto lengths = torch::full({b}, 12, torch::kLong);
  return t.criterion_(y, torch::zeros({b, 1})) + t.criterion_(y.squeeze(1), torch::zeros({b})) + each.view({b}).sum() +
         nll(logits.view({b, 10}), torch::zeros({b}, torch::kLong)) + t.classes_(logits.view({b, 10}), torch::softmax(logits.view({b, 10}), 1)) +
         ctc(frames.view({12, b, 5}), torch::ones({b, 3}, torch::kLong), lengths, torch::full({b}, 3, torch::kLong));
}

// Each element's loss: told by a tag.
struct Tagged {
  torch::Tensor each(const torch::Tensor &x, const torch::Tensor &y) {
    TORCH_CHECK(x.dim() == 3 && x.size(0) == 8 && x.size(1) == 96 && x.size(2) == 14);
    auto loss = torch::nn::functional::mse_loss(x, torch::zeros_like(x), torch::nn::functional::MSELossFuncOptions(torch::kNone));
    // CHECK: :[[#@LINE+1]]:42: warning: ... * loss: sizes 8 and 96 do not match at dimension 1; throws
    return torch::ones({8}).unsqueeze(1) * loss;
  }
};

// The numbers of the classes are int64 (or uint8), or all of their chances are given.
at::Tensor classes(torch::nn::Linear &fc, const at::Tensor &x, const at::Tensor &target) {
  auto ids = target.to(torch::kInt);
  // CHECK: losses.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: cross_entropy({{.*}}needs a floating-point type or int64 or uint8, 'ids' has int32; throws [tensor-shape-mismatch]
  return torch::nn::functional::cross_entropy(fc(x), ids);
}
at::Tensor classesRight(torch::nn::Linear &fc, const at::Tensor &x, const at::Tensor &target) {
  return torch::nn::functional::cross_entropy(fc(x), target.to(torch::kLong)) +
         torch::nn::functional::cross_entropy(fc(x), target.to(torch::kFloat));
}
