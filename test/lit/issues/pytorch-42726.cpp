// https://github.com/pytorch/pytorch/issues/42726
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// One slice of a mask that was expanded to a weight's sizes.

#include <tensortidy/aten.h>

at::Tensor bug() {
  auto weight = torch::rand({4, 4, 4, 4});
  auto mask = torch::ones({4}).view({4, 1, 1, 1}).expand_as(weight);
  mask[0] = torch::zeros({4, 4, 4});
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: = writes elements of its target more than once: a dimension of size 4 has stride 0; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: the tensor is [4, 4, 4] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return mask;
}

at::Tensor fix() {
  auto weight = torch::rand({4, 4, 4, 4});
  auto mask = torch::ones({4}).view({4, 1, 1, 1}).expand_as(weight).clone();
  mask[0] = torch::zeros({4, 4, 4});
  return mask;
}
