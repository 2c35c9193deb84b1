// https://github.com/pytorch/pytorch/issues/32705
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// The gradient of a permuted unfolding.

#include <tensortidy/aten.h>

at::Tensor bug(int64_t n) {
  auto grad = torch::ones({n, 8}).permute({1, 0}).unsqueeze(0);
  return grad.view({2, 4, n}).sum(1) + grad.view({-1}).sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:45: warning: view({-1}) cannot merge dimensions 1 and 2 of 'grad'{{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'grad' got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}

at::Tensor fix(int64_t n) {
  auto grad = torch::ones({n, 8}).permute({1, 0}).unsqueeze(0).contiguous();
  return grad.view({2, 4, n}).sum(1) + grad.view({-1}).sum();
}
