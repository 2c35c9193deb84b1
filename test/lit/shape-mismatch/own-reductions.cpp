// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %torch
// A tensor and what it was reduced to without keepdim: its dimensions meet others of the same tensor.

#include <torch/torch.h>

using at::Tensor;

// Rows of unit length.
Tensor normalized(const Tensor &features) {
  TORCH_CHECK(features.dim() == 2, "[n, d]");
  auto x = features.to(torch::kFloat);
  return x / x.norm(2, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: x / ...: sizes features.size(1) and features.size(0) do not match at dimension 1; throws unless features.size(0) or features.size(1) is 1, or features.size(1) is features.size(0) [tensor-shape-mismatch]
}
Tensor clamped(const Tensor &x) {
  TORCH_CHECK(x.dim() == 2);
  auto length = x.norm(2, 1);
  length = length.clamp_min(1e-8);
  return torch::div(x, length);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: div(x, length): sizes x.size(1) and x.size(0) do not match at dimension 1
}
Tensor rootMeanSquare(const Tensor &x, const Tensor &weight) {
  TORCH_CHECK(x.dim() == 2);
  auto scale = torch::rsqrt(x.pow(2).mean(-1) + 1e-6);
  return weight * (x * scale);
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: x * scale: sizes x.size(1) and x.size(0) do not match at dimension 1
}

// Whatever the rank is: the first two dimensions meet.
Tensor standardized(const Tensor &x) {
  auto mean = x.mean(1), deviation = x.std(1);
  return (x - mean) / deviation;
  // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: x - mean: sizes x.size(1) and x.size(0) do not match at dimension 1; throws unless x.size(0) or x.size(1) is 1, or x.size(1) is x.size(0)
}

// A size that is written.
Tensor embedded(int64_t n) {
  auto table = torch::randn({n, 64});
  auto other = torch::randn({8, 16});
  other = other / other.sum(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: other / ...: sizes 16 and 8 do not match at dimension 1; throws [tensor-shape-mismatch]
  return table / table.norm(2, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: table / ...: sizes 64 and n do not match at dimension 1; throws unless n is 1 or n is 64
}
Tensor inPlace(const Tensor &weights) {
  auto w = weights.view({-1, 64});
  w /= w.norm(2, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: w /= ...: size weights.view(...).size(0) does not fit into the size 64 of dimension 1 of 'w'; throws unless weights.view(...).size(0) is 1 or weights.view(...).size(0) is 64
  return w;
}

// A softmax by hand.
Tensor attention(const Tensor &q, const Tensor &k, const Tensor &v) {
  TORCH_CHECK(q.dim() == 4 && k.dim() == 4 && v.dim() == 4);
  auto scores = torch::matmul(q, k.transpose(-2, -1)) / 8.0;
  auto e = (scores - scores.amax(-1)).exp();
  // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: scores - ...: sizes k.size(2) and q.size(2) do not match at dimension 3
  return torch::matmul(e / e.sum(-1, true), v);
}
Tensor shifted(const Tensor &logits) {
  TORCH_CHECK(logits.dim() == 2);
  auto [most, at] = logits.max(1);
  return (logits - most).exp();
  // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: logits - most: sizes logits.size(1) and logits.size(0) do not match at dimension 1
}
Tensor above(const std::vector<Tensor> &rows) {
  std::vector<Tensor> masks;
  for (const auto &x : rows) {
    TORCH_CHECK(x.dim() == 3);
    masks.push_back(x > x.mean(2));
    // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: x > ...: sizes x.size(2) and x.size(1) do not match at dimension 2
  }
  return torch::cat(masks);
}

// The channels meet the columns.
Tensor whitened(const Tensor &images) {
  TORCH_CHECK(images.dim() == 4);
  return images - images.mean({0, 2, 3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: images - ...: sizes images.size(3) and images.size(1) do not match at dimension 3
}

/// The last two sizes, of however many there are.
Tensor centred(const Tensor &x) {
  auto rows = at::zeros({x.size(-2), 3});
  auto m = x.mean(-1);
  // CHECK-MESSAGES: :[[#@LINE+1]]:12: warning: x - m: sizes x.size(-1) and x.size(-2) do not match at dimension 1; throws unless
  return x - m;
}
Tensor centredFine(const Tensor &x) {
  auto rows = at::zeros({x.size(-2), 3});
  return (x - x.mean(-1, true)) / (x.mean(-1) - 1).unsqueeze(-1);
}
/// Of a vector, a number is left.
Tensor vectorOrMatrix(const Tensor &x) { return x - x.mean(-1); }
