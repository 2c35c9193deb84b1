// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-inplace-on-saved -- %torch
// Gradients that go through parts of a tensor; parts that may not be written. Each was run with libtorch 1.13.

#include <torch/torch.h>

struct SplineImpl : torch::nn::Module {
  SplineImpl(int64_t in, int64_t bins) : bins_(bins) {
    out_ = register_module("out", torch::nn::Linear(in, 2 * bins));
  }
  torch::Tensor raw(const torch::Tensor &x) { return torch::relu(out_->forward(x)); }
  torch::Tensor loss(const torch::Tensor &x) {
    auto knots = raw(x).slice(-1, 0, 2 * bins_);
    knots /= std::sqrt(64.0);
    // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: '/=' changes 'knots', which the gradient of relu() needs; backward() throws
    auto parts = knots.chunk(2, -1);
    return torch::log_softmax(parts[0], -1) + torch::log_softmax(parts[1], -1);
  }
  torch::Tensor scaled(const torch::Tensor &x) {
    auto knots = raw(x).slice(-1, 0, 2 * bins_);
    knots = knots / std::sqrt(64.0);
    auto parts = knots.chunk(2, -1);
    return torch::log_softmax(parts[0], -1) + torch::log_softmax(parts[1], -1);
  }
  // A sum keeps nothing.
  torch::Tensor plain(const torch::Tensor &x) {
    auto knots = out_->forward(x).slice(-1, 0, 2 * bins_);
    knots /= std::sqrt(64.0);
    auto parts = knots.chunk(2, -1);
    return parts[0] + parts[1];
  }
  int64_t bins_;
  torch::nn::Linear out_{nullptr};
};
TORCH_MODULE(Spline);

double fit(Spline &net, torch::optim::Adam &optimizer, const torch::Tensor &x) {
  optimizer.zero_grad();
  auto loss = -net->loss(x).sum({1}).mean();
  loss.backward();
  auto other = -net->scaled(x).sum({1}).mean() - net->plain(x).mean();
  other.backward();
  optimizer.step();
  return loss.item<double>();
}

void parts() {
  auto w = torch::randn({4, 4}, torch::requires_grad());
  auto y = w * 2;
  auto halves = y.chunk(2, 0);
  halves[0].mul_(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: mul_() changes {{.*}} in place, one of the views that chunk() gives; throws where gradients are recorded
  auto rows = y.unbind(0);
  rows[1].select(0, 0).zero_();
  // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: zero_() changes {{.*}} in place, one of the views that unbind() gives; throws where gradients are recorded
  auto some = y.split_with_sizes({1, 3}, 0);
  some[0].copy_(torch::ones({1, 4}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: copy_() changes {{.*}} in place, one of the views that split_with_sizes() gives; throws where gradients are recorded
}

// Views of one tensor each, copies, what requires no gradients, and what is written where none are recorded.
void fine() {
  auto w = torch::randn({4, 4}, torch::requires_grad());
  auto y = w * 2;
  y.narrow(0, 0, 2).mul_(2);
  auto other = (w * 2).tensor_split(2, 0);
  other[0].mul_(2);
  auto halves = y.chunk(2, 1);
  halves[0].contiguous().mul_(2);
  auto copy = halves[1].clone();
  copy.mul_(2);
  auto plain = torch::ones({4, 4}).chunk(2, 0);
  plain[0].mul_(2);
  {
    torch::NoGradGuard guard;
    halves[0].mul_(2);
  }
}
