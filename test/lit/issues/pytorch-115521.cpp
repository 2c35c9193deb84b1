// https://github.com/pytorch/pytorch/issues/115521
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Everything relative to the first row.

#include <tensortidy/aten.h>

at::Tensor bug() {
  auto a = torch::ones({9, 3});
  a -= a.slice(0, 0, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: -= writes 'a' while it reads an operand, a part of it; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'a' is [9, 3] here
  // CHECK-MESSAGES: note: the tensor is [1, 3] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return a;
}

at::Tensor bugInside() {
  auto a = torch::ones({2, 9, 3});
  a -= a.narrow(1, 0, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: -= writes 'a' while it reads an operand, a part of it; elements are read after they were overwritten, without an error [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'a' is [2, 9, 3] here
  // CHECK-MESSAGES: note: the tensor is [2, 1, 3] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return a;
}

at::Tensor fix() {
  auto a = torch::ones({9, 3});
  return a - a.slice(0, 0, 1);
}
