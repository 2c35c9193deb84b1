// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// reshape() copies, and what it gives is contiguous, unless a size of 1 makes it
// a view: that may have other strides.

#include <tensortidy/aten.h>

// One sequence: [1, r] with strides [1, 0] becomes [r] with stride 0.
at::Tensor repeated(int64_t n, int64_t r) {
  auto e = torch::zeros({n}).unsqueeze(1).expand({n, r}).reshape({n * r});
  return e.contiguous();
}
// One batch: its heads lie between the rows.
at::Tensor heads(int64_t B, int64_t H, int64_t W, int64_t h, int64_t C) {
  auto x = torch::zeros({B, H, W, h, C});
  return x.permute({0, 3, 1, 2, 4}).reshape({B * h, H, W, C}).contiguous();
}
// So on one of two paths.
at::Tensor folded(const at::Tensor &t, int64_t B, int64_t H, int64_t h, int64_t C) {
  if (h == 1)
    return t;
  return t.reshape({B, H, h, C}).permute({0, 2, 1, 3}).reshape({B * h, H, C});
}
at::Tensor twoPaths(int64_t B, int64_t H, int64_t h, int64_t C) {
  return folded(torch::zeros({B, H, h * C}), B, H, h, C).contiguous();
}
// A view of it too.
at::Tensor again(int64_t n, int64_t r) {
  auto e = torch::zeros({n}).unsqueeze(1).expand({n, r}).reshape({n * r});
  return e.unsqueeze(0).contiguous();
}

at::Tensor rows(int64_t B, int64_t T, int64_t H, int64_t D) {
  auto x = torch::zeros({B, T, H, D}).transpose(1, 2);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: contiguous() does nothing
  return x.reshape({B, H * T, D}).contiguous();
}
at::Tensor turned(int64_t n, int64_t m) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: contiguous() does nothing
  return torch::zeros({n, m}).t().reshape({-1}).contiguous();
}
// What it gives is dense all the same for a view() after it.
at::Tensor viewed(int64_t B, int64_t T, int64_t H, int64_t D) {
  auto x = torch::zeros({B, H, T, D}).transpose(1, 2).reshape({B, T, H * D});
  return x.view({B * T, H * D});
}
