// RUN: %check %s --checks=-*,tensor-value-domain -- %torch
// REQUIRES: libtorch

#include <limits>
#include <torch/torch.h>

using torch::Tensor;

Tensor zeroed(const Tensor &q, const Tensor &k, const Tensor &future) {
  auto scores = q.matmul(k.transpose(-2, -1)) / 8.0;
  scores = scores.masked_fill(future, 0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: masked_fill() with 0 leaves masked elements in: softmax() gives each of them exp(0), a weight as others have [tensor-value-domain]
  return torch::softmax(scores, -1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: note: softmax() reads them here; -infinity leaves them out
}

Tensor least(const Tensor &q, const Tensor &k, const Tensor &future) {
  auto scores = torch::bmm(q, k.transpose(1, 2));
  return scores.masked_fill(future, std::numeric_limits<float>::min()).softmax(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: masked_fill() with the least number above 0 leaves masked elements in: softmax() gives each of them exp(0), a weight as others have [tensor-value-domain]
}
