// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-inplace-on-saved -- %torch
// RUN: %silent %s --checks=-*,tensor-inplace-on-saved --config='{CheckOptions: {tensor-inplace-on-saved.Level: 0}}' -- %torch
// backward() of a function of one's own writes what is not its own.

#include <torch/torch.h>

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct Gate : torch::autograd::Function<Gate> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &gate, const at::Tensor &up) {
    ctx->save_for_backward({gate, up});
    return gate * up;
  }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto saved = ctx->get_saved_variables();
    auto gate = saved[0], up = saved[1];
    auto ofUp = grads[0] * gate;
    gate.copy_(grads[0] * up);
    // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: copy_() changes 'gate' in place, which forward() has saved: it is its caller's [tensor-inplace-on-saved]
    return {gate, ofUp};
  }
};

struct Scale : torch::autograd::Function<Scale> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, double by) {
    ctx->saved_data["by"] = by;
    return x * by;
  }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto grad = grads[0];
    grad.mul_(ctx->saved_data["by"].toDouble());
    // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: mul_() changes 'grad' in place, a gradient that autograd may have given to others too
    return {grad, at::Tensor()};
  }
};

// Copies, what was allocated here, and rows of a new tensor are its own.
struct Own : torch::autograd::Function<Own> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x) {
    auto y = x.exp();
    ctx->save_for_backward({y});
    y.requires_grad();
    return y;
  }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto saved = ctx->get_saved_variables();
    auto grad = grads[0].clone();
    grad.mul_(saved[0]);
    auto to = torch::zeros_like(grad);
    to[0].add_(grad[0]);
    auto sum = grads[0] + grad;
    sum.add_(to);
    return {sum};
  }
};
