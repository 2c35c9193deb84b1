// https://github.com/pytorch/pytorch/issues/950
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Differences of neighbours, in place.

#include <tensortidy/aten.h>

at::Tensor bug() {
  auto t = torch::ones({5});
  t.slice(0, 1) -= t.slice(0, 0, 4);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: -= writes its target while it reads an operand, the same memory shifted by 1; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: the tensor is [4] here
  // CHECK-MESSAGES: note: the tensor is [4] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return t;
}

at::Tensor fix() {
  auto t = torch::ones({5});
  t.slice(0, 1).copy_(t.slice(0, 1) - t.slice(0, 0, 4));
  return t;
}
