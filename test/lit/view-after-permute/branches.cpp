// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// One feasible path is enough.

#include <tensortidy/aten.h>

at::Tensor onePath(bool swap, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (swap)
    y = y.t();
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
  // CHECK: :[[#@LINE-3]]:11: note: 'y' got this layout here{{.*}}
}

at::Tensor bothPaths(bool swap, int64_t a, int64_t b, int64_t c) {
  auto x = torch::zeros({a, b, c});
  auto y = swap ? x.permute({2, 0, 1}) : x.permute({1, 2, 0});
  return y.view({a * b * c});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge {{.*}} of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor inSwitch(int mode, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  switch (mode) {
  case 0:
    break;
  case 1:
    y = y.transpose(0, 1);
    break;
  default:
    y = y.contiguous();
  }
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor laterIteration(int64_t n, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  auto total = torch::zeros({a * b});
  for (int64_t i = 0; i < n; ++i) {
    total.add_(y.view(-1));
    // CHECK: :[[#@LINE-1]]:18: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
    y = y.t();
  }
  return total;
}

at::Tensor oneGuardIsNotAll(bool flag, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (flag && !y.is_contiguous())
    y = y.contiguous();
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor wrongGuard(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  auto y = x.t();
  if (x.is_contiguous())
    return y.view(-1);
  // CHECK: :[[#@LINE-1]]:14: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
  return y.reshape(-1);
}

// The result of contiguous() is thrown away.
at::Tensor lostContiguous(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  y.contiguous();
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}
