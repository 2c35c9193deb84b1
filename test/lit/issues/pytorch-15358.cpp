// https://github.com/pytorch/pytorch/issues/15358
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Adding a matrix to one row shown five times.

#include <tensortidy/aten.h>

at::Tensor bug() {
  auto a = torch::arange(4).expand({5, 4});
  a += torch::arange(20).view({5, 4});
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: += writes elements of 'a' more than once: a dimension of size 5 has stride 0; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'a' is [5, 4] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return a;
}

at::Tensor fix() {
  auto a = torch::arange(4).expand({5, 4});
  a = a + torch::arange(20).view({5, 4});
  return a;
}
