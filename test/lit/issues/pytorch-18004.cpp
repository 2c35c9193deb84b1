// https://github.com/pytorch/pytorch/issues/18004
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Weights were traced as doubles, the input is of floats.

#include <tensortidy/aten.h>

at::Tensor bug(float *data) {
  auto weight = torch::ones({1, 4}, at::kDouble);
  auto input = torch::from_blob(data, {4, 1}, at::kFloat);
  return torch::mm(input, weight);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: mm(input, weight) needs float32 on both sides, 'weight' has float64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here
}

at::Tensor fix(float *data) {
  auto weight = torch::ones({1, 4}, at::kDouble);
  auto input = torch::from_blob(data, {4, 1}, at::kFloat).to(at::kDouble);
  return torch::mm(input, weight);
}
