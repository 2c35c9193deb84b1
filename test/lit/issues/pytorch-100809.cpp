// https://github.com/pytorch/pytorch/issues/100809
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A column that a matrix is added to.

#include <tensortidy/aten.h>

at::Tensor bug() {
  auto x = torch::randn({5, 1});
  x += torch::randn({5, 20}) * 0.1;
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: x += ...: size 20 does not fit into the size 1 of dimension 1 of 'x'; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [5, 1] here
  // CHECK-MESSAGES: note: the tensor is [5, 20] here
  return x;
}

at::Tensor fix() {
  auto x = torch::randn({5, 1});
  x = x + torch::randn({5, 20}) * 0.1;
  return x;
}
