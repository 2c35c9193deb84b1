// https://github.com/pytorch/pytorch/issues/7509
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Two elements of a column of an expanded row are one.

#include <tensortidy/aten.h>

at::Tensor bug() {
  auto rows = torch::zeros({4}).unsqueeze(0).expand({4, -1});
  rows.narrow(0, 0, 2).select(1, 0).copy_(torch::arange(2));
  // CHECK-MESSAGES: :[[#@LINE-1]]:37: warning: copy_() writes elements of its target more than once: a dimension of size 2 has stride 0; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: the tensor is [2] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return rows;
}

at::Tensor fix() {
  auto rows = torch::zeros({4}).unsqueeze(0).repeat({4, 1});
  rows.narrow(0, 0, 2).select(1, 0).copy_(torch::arange(2));
  return rows;
}
