// https://github.com/pytorch/pytorch/issues/4664
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Adding in place to an expanded tensor.

#include <tensortidy/aten.h>

at::Tensor bug() {
  auto b = torch::ones({1, 1}).expand({4, 5});
  b += 1;
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: += writes elements of 'b' more than once: a dimension of size 4 has stride 0; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'b' is [4, 5] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return b;
}

at::Tensor fix() {
  auto b = torch::ones({1, 1}).expand({4, 5}).clone();
  b += 1;
  return b;
}
