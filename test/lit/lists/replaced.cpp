// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// A list whose elements a loop replaces: before the loop has done so it has
// none, whatever it was made with.

#include <tensortidy/aten.h>
#include <vector>
using Tensors = std::vector<at::Tensor>;

Tensors summed(const Tensors &rewards, const Tensors &values) {
  Tensors sums(rewards.size(), torch::zeros({1}));
  for (size_t i = rewards.size(); i-- > 0;)
    sums[i] = rewards[i] + values[i];
  return sums;
}

int64_t columns(const Tensors &rewards, const Tensors &values) {
  return torch::cat(summed(rewards, values)).size(1);
}

int64_t inPlace(const Tensors &rewards) {
  Tensors sums(rewards.size(), torch::zeros({1}));
  for (size_t i = 0; i < rewards.size(); ++i)
    sums[i] = rewards[i] * 2;
  return torch::cat(sums).size(1);
}

int64_t kept(const Tensors &rewards) {
  Tensors sums(rewards.size(), torch::zeros({1}));
  return torch::cat(sums).size(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:27: warning: size(1): dimension 1 is out of range [-1, 0]; throws [tensor-shape-mismatch]
}

int64_t alike(const Tensors &rewards) {
  Tensors sums(rewards.size(), torch::zeros({1}));
  for (size_t i = 0; i < rewards.size(); ++i)
    sums[i] = torch::ones({1});
  return torch::cat(sums).size(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:27: warning: size(1): dimension 1 is out of range [-1, 0]; throws [tensor-shape-mismatch]
}
