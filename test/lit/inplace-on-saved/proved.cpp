// RUN: not %tensortidy --checks=-*,tensor-inplace-on-saved %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// backward() proves that what it starts from requires gradients, and what this is computed from.
#include <torch/torch.h>

at::Tensor squared(const at::Tensor &x) {
  auto y = torch::sigmoid(x);
  auto z = y * y;
  y.mul_(2);
  // CHECK: :[[#@LINE-1]]:5: warning: mul_() changes 'y', which the gradient of '*' needs; backward() throws [tensor-inplace-on-saved]
  z.sum().backward();
  return y;
}

at::Tensor grown(at::Tensor x) {
  auto y = torch::exp(x);
  y += 1;
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: '+=' changes 'y', which the gradient of exp() needs; backward() throws
  y.sum().backward();
  return x.grad();
}

at::Tensor layer(torch::nn::Linear &fc, const at::Tensor &x, const at::Tensor &target) {
  auto y = torch::tanh(fc(x));
  y.clamp_(-0.9, 0.9);
  // CHECK: :[[#@LINE-1]]:5: warning: clamp_() changes 'y', which the gradient of tanh() needs; backward() throws
  auto loss = torch::mse_loss(y, target);
  loss.backward();
  return loss;
}

void oneOfTwo(const at::Tensor &x, const at::Tensor &w) {
  auto a = torch::sigmoid(x), b = torch::tanh(w);
  a.mul_(2); // one of the two may not require gradients
  (a + b).sum().backward();
}

at::Tensor fine(const at::Tensor &x, const at::Tensor &w, const at::Tensor &target) {
  auto y = torch::exp(x);
  auto z = y + 1;
  z.mul_(2); // sums keep nothing
  z.sum().backward();
  auto p = torch::exp(x);
  p.sum().backward();
  p.add_(1); // after it
  auto given = torch::sigmoid(target); // may not require gradients
  given.mul_(2);
  torch::mse_loss(x * 2, given).backward();
  return y;
}
