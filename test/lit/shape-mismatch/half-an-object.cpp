// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %torch
// Who sets one tensor of an object sets the other: a path on which one of them
// is defined and the other is not shows no mistake by itself.

#include <torch/torch.h>

struct Cache {
  at::Tensor keys, values;
  void append(const at::Tensor &k, const at::Tensor &v) {
    keys = keys.defined() ? torch::cat({keys, k}, 2) : k;
    values = values.defined() ? torch::cat({values, v}, 2) : v;
  }
};

// qkv: [batch, tokens, 3*heads*size]
at::Tensor attend(const at::Tensor &qkv, Cache &cache, int64_t heads, int64_t size) {
  const auto batch = qkv.size(0), tokens = qkv.size(1);
  auto parts = qkv.view({batch, tokens, 3, heads, size}).permute({2, 0, 3, 1, 4});
  cache.append(parts[1], parts[2]);
  auto scores = torch::matmul(parts[0], cache.keys.transpose(-2, -1));
  return torch::matmul(scores.softmax(-1), cache.values);
}

// The mistake is there on every path.
at::Tensor turned(const at::Tensor &qkv, Cache &cache, int64_t heads, int64_t size) {
  const auto batch = qkv.size(0), tokens = qkv.size(1);
  auto parts = qkv.view({batch, tokens, 3, heads, size}).permute({2, 0, 3, 1, 4});
  cache.append(parts[1], parts[2]);
  auto scores = torch::matmul(parts[0], cache.keys);
  // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: matmul({{.*}} cannot be multiplied
  return torch::matmul(scores.softmax(-1), cache.values);
}
