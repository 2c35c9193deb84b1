// https://github.com/pytorch/pytorch/issues/71098
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// What broadcasts out of place does not in place.

#include <tensortidy/aten.h>

at::Tensor bug() {
  auto input = torch::zeros({2}), other = torch::zeros({2, 2});
  return input.mul_(other);
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: mul_(other) would give 2 dimensions, 'input' has 1; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'input' is [2] here
  // CHECK-MESSAGES: note: 'other' is [2, 2] here
}

at::Tensor fix() {
  auto input = torch::zeros({2}), other = torch::zeros({2, 2});
  return input.mul(other);
}
