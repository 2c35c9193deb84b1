// https://github.com/pytorch/pytorch/issues/48074
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Groups are shuffled, then merged again.

#include <tensortidy/aten.h>

at::Tensor bug(int64_t n, int64_t groups, int64_t k, int64_t m) {
  auto x = torch::rand({n, groups * k}), weights = torch::rand({groups, k, m});
  auto y = x.view({n, groups, -1}).transpose(0, 1);
  y = torch::bmm(y, weights).permute({1, 2, 0});
  return y.view({n, -1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({n, -1}) cannot {{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'y' got this layout here: permute({1, 2, 0})
  // CHECK-MESSAGES: note: reshape() copies
}

at::Tensor fix(int64_t n, int64_t groups, int64_t k, int64_t m) {
  auto x = torch::rand({n, groups * k}), weights = torch::rand({groups, k, m});
  auto y = x.view({n, groups, -1}).transpose(0, 1);
  y = torch::bmm(y, weights).permute({1, 2, 0});
  return y.contiguous().view({n, -1});
}
