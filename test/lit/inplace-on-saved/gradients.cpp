// RUN: %check %s --checks=-*,tensor-inplace-on-saved -- %runtime
// The texts. What is reported and what is not, libtorch itself says: test/judges/gradients.cpp.

#include <tensortidy/aten.h>

void leaf() {
  auto w = torch::zeros({3}, torch::requires_grad());
  w.slice(0, 1, 2) += 1;
  // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: '+=' changes a view of 'w' in place, a leaf that requires gradients; throws [tensor-inplace-on-saved]
  // CHECK-MESSAGES: :[[#@LINE-3]]:19: note: the leaf is made here
  // CHECK-MESSAGES: :[[#@LINE-3]]:20: note: a torch::NoGradGuard around it, or data(), allows it
}

void saved(const at::Tensor &x, bool scale) {
  auto w = torch::zeros({3}).requires_grad_();
  auto y = (w * x).tanh();
  if (scale)
    y.mul_(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: mul_() changes 'y', which the gradient of tanh() needs; backward() throws [tensor-inplace-on-saved]
  // CHECK-MESSAGES: :[[#@LINE-4]]:20: note: saved here for the gradient
  // CHECK-MESSAGES: :[[#@LINE+1]]:11: note: backward() needs it here
  y.sum().backward();
}

// Nobody knows whether a parameter requires gradients, nor which of two does.
void unknown(at::Tensor w, at::Tensor x) {
  w.add_(1);
  auto y = w.sigmoid();
  y.mul_(2);
  (y * x).sum().backward();
}

void scopes(bool fast) {
  auto w = torch::zeros({3}, torch::requires_grad());
  {
    torch::NoGradGuard guard;
    if (fast)
      w.add_(1);
  }
  // Nothing is recorded in the callee either.
  auto change = [&] { w.add_(1); };
  torch::NoGradGuard guard;
  change();
}

// A gradient is a tensor of its own.
void gradientOf(const at::Tensor &x) {
  auto w = torch::zeros({3}, torch::requires_grad());
  for (int i = 0; i < 3; ++i) {
    (w * x).sum().backward();
    w.grad().zero_();
    auto g = w.grad();
    g.mul_(2);
  }
  w.data().clamp_(-1, 1);
}
