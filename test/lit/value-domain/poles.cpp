// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-value-domain -- %torch | FileCheck %s --implicit-check-not=warning:
// RUN: %tensortidy %s --checks=-*,tensor-value-domain '--config={CheckOptions: {tensor-value-domain.Level: 0}}' -- %torch | count 0
// Values that are replaced behind an operation that has no finite gradient there.

#include <torch/torch.h>

struct LensImpl : torch::nn::Module {
  explicit LensImpl(int64_t n) {
    at = register_parameter("at", torch::zeros({n, 2}));
    gain = register_parameter("gain", torch::ones({n}));
    fc = register_module("fc", torch::nn::Linear(n, n));
  }

  torch::Tensor radius() {
    auto square = at.square().sum(1);
    // CHECK: :[[#@LINE+2]]:28: warning: clamp_min() changes the value of sqrt() where 'square' is 0, and not its gradient, which is nan there [tensor-value-domain]
    // CHECK: :[[#@LINE+1]]:21: note: replace what is 0 in its operand instead
    auto r = square.sqrt().clamp_min(eps);
    auto good = square.clamp_min(eps * eps).sqrt();
    return r + good;
  }
  torch::Tensor inverse(const torch::Tensor &x) {
    auto square = at.square().sum(1, true);
    // CHECK: :[[#@LINE+1]]:42: warning: clamp_max() changes the value of rsqrt() where 'square' is 0, and not
    return x * at * torch::rsqrt(square).clamp_max(1 / eps) + at / at.norm(2, 1, true).clamp_min(eps);
  }
  torch::Tensor forward(const torch::Tensor &x) {
    auto y = fc(x) * gain;
    // CHECK: :[[#@LINE+2]]:25: warning: where() takes the other value where 'y' is not above 0, but sqrt() runs on all elements: its gradient is nan there
    // CHECK: :[[#@LINE+1]]:45: note: replace what is 0 in its operand instead
    auto curve = torch::where(y > 0, torch::sqrt(y), y);
    // CHECK: :[[#@LINE+1]]:26: warning: where() takes the other value where 'y' is below 0, but rsqrt() runs
    auto curve2 = torch::where(y >= 0, y.rsqrt(), y);
    auto p = torch::softmax(y, -1);
    // CHECK: :[[#@LINE+1]]:27: warning: where() takes the other value where 'p' is 0, but log() runs on all elements
    auto entropy = torch::where(p > 0, p * p.log(), torch::zeros_like(p));
    auto none = p == 0;
    // CHECK: :[[#@LINE+1]]:24: warning: where() takes the other value where 'p' is 0, but '/' runs on all
    auto odds = torch::where(none, torch::zeros_like(p), x / p);
    // CHECK: :[[#@LINE+1]]:31: warning: clamp_min() changes the value of log() where 'p' is 0
    auto nll = -torch::log(p).clamp_min(-100);
    return curve + curve2 + entropy + odds + nll;
  }
  // The operand is replaced, or the pole is where the value is taken, or another tensor is asked.
  torch::Tensor safe(const torch::Tensor &x) {
    auto y = fc(x) * gain;
    auto positive = y > 0;
    auto inside = torch::where(positive, y, torch::ones_like(y));
    auto curve = torch::where(positive, torch::sqrt(inside), y);
    auto p = torch::softmax(y, -1);
    auto logs = torch::where(p < 0.5, p.log(), p) + torch::where(p >= 0, torch::log(p), p);
    auto other = torch::where(x > 0, torch::sqrt(p), p);
    auto capped = torch::log(p).clamp_max(0) + p.rsqrt().clamp_min(1) + p.sqrt().clamp_max(1) + (x / p).clamp_min(0) + p.sqrt().clamp_min(0);
    auto plus = torch::sqrt(p + eps).clamp_min(eps);
    return curve + logs + other + capped + plus;
  }
  // Nothing is recorded.
  torch::Tensor measured() {
    torch::NoGradGuard guard;
    return at.square().sum(1).sqrt().clamp_min(eps);
  }
  torch::Tensor at, gain;
  torch::nn::Linear fc{nullptr};
  double eps = 1e-6;
};

// Whether anybody trains through these is not known.
torch::Tensor masked(const torch::Tensor &x) { return torch::where(x > 0, x.log(), torch::zeros_like(x)) + x.sqrt().clamp_min(1e-6); }
