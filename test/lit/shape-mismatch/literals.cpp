// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute -- %runtime
// Sizes that stand in the text of tensor(), stack() of tensors that differ, and
// dimensions counted from either end.

#include <tensortidy/aten.h>

at::Tensor row() {
  return torch::tensor({1, 2}).view({3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:32: warning: view({3}): shape [3] does not fit the 2 elements; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is [2] here: tensor(...)
}

at::Tensor matrix() {
  auto m = torch::tensor({{1, 2, 3}, {4, 5, 6}});
  return m.matmul(m);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(m): shapes 2x3 and 2x3 cannot be multiplied; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'm' is [2, 3] here
  // CHECK-MESSAGES: note: 'm' is [2, 3] here
}

at::Tensor number() { return torch::tensor(3).expand({2, 2}); }
at::Tensor empty() { return torch::tensor({1, 2, 3, 4}).view({2, 2}).t(); }

at::Tensor stacked() {
  return torch::stack({torch::zeros({2, 3}), torch::zeros({2, 4})});
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: stack({..., ...}): tensor 1 has size 4 in dimension 1, the first has 3; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is [2, 3] here
  // CHECK-MESSAGES: note: the tensor is [2, 4] here
}

at::Tensor ranks() {
  return torch::stack({torch::zeros({2, 3}), torch::zeros({2})});
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: stack({..., ...}): tensor 1 has 1 dimensions, expected 2; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is [2, 3] here
  // CHECK-MESSAGES: note: the tensor is [2] here
}

// Of one dimension, 0 and -1 are the same.
at::Tensor ends(const at::Tensor &x) { return x.transpose(0, -1).view({-1}); }
at::Tensor nearEnds(const at::Tensor &x) { return x.transpose(1, -2).view({-1}); }
at::Tensor apart(const at::Tensor &x) {
  auto n = x.size(2);
  return x.transpose(0, -1).view({-1}) * n;
  // CHECK-MESSAGES: :[[#@LINE-1]]:29: warning: view({-1}) cannot merge dimensions {{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}

// What is learnt later of a tensor that nobody knew.
at::Tensor converted(const at::Tensor &x) {
  auto y = x.to(torch::kFloat);
  if (y.dim() == 2)
    return y.size(2) > 1 ? y : x;
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: size(2): dimension 2 of 'y' is out of range [-2, 1]; throws [tensor-shape-mismatch]
  return x;
}
