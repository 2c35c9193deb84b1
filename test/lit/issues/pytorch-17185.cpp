// https://github.com/pytorch/pytorch/issues/17185
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Multiplying in place by a factor for each column.

#include <tensortidy/aten.h>

at::Tensor bug(int64_t n) {
  auto a = torch::ones({1, 3});
  auto b = torch::ones({2, 1});
  a *= b;
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: a *= b: size 2 does not fit into the size 1 of dimension 0 of 'a'; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'a' is [1, 3] here
  // CHECK-MESSAGES: note: 'b' is [2, 1] here
  return a;
}

at::Tensor halfFix() {
  auto a = torch::ones({1, 3}).expand({2, 3});
  a *= torch::ones({2, 1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: *= writes elements of 'a' more than once: a dimension of size 2 has stride 0; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'a' is [2, 3] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return a;
}

at::Tensor fix() {
  auto a = torch::ones({1, 3});
  a = a * torch::ones({2, 1});
  return a;
}
