// https://github.com/pytorch/pytorch/issues/957
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Doubling one number that is shown three times.

#include <tensortidy/aten.h>

at::Tensor bug() {
  auto t = torch::full({1}, 2).expand({1, 3});
  return t.mul_(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: mul_() writes elements of 't' more than once: a dimension of size 3 has stride 0; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 't' is [1, 3] here
  // CHECK-MESSAGES: note: clone() the tensor first
}

at::Tensor fix() {
  auto t = torch::full({1}, 2).repeat({1, 3});
  return t.mul_(2);
}
