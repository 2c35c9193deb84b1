// https://github.com/pytorch/pytorch/issues/135487
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Subtracting the first column: libtorch notices for one row, not for two.

#include <tensortidy/aten.h>

at::Tensor oneRow() {
  auto a = torch::randn({1, 2});
  a -= a.narrow(1, 0, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: -= writes 'a' while it reads an operand, a part of it; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'a' is [1, 2] here
  // CHECK-MESSAGES: note: the tensor is [1, 1] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return a;
}

at::Tensor bug() {
  auto a = torch::randn({2, 2});
  a -= a.narrow(1, 0, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: -= writes 'a' while it reads an operand, a part of it; elements are read after they were overwritten, without an error [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'a' is [2, 2] here
  // CHECK-MESSAGES: note: the tensor is [2, 1] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return a;
}

at::Tensor fix() {
  auto a = torch::randn({2, 2});
  a -= a.narrow(1, 0, 1).clone();
  return a;
}
