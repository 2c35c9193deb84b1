// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// The second of two calls.

#include <tensortidy/aten.h>

at::Tensor chained(const at::Tensor &x) {
  return x.t().contiguous().contiguous();
  // CHECK: :[[#@LINE-1]]:29: warning: contiguous() does nothing{{.*}} [tensor-redundant-contiguous]
}

at::Tensor named(const at::Tensor &x) {
  auto y = x.contiguous();
  auto z = y + 1;
  return y.contiguous() * z;
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-4]]:14: note: 'y' is the result of contiguous() here
}

at::Tensor parameter(at::Tensor x) {
  x = x.contiguous();
  const float *p = x.contiguous().data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: contiguous() does nothing: 'x' is contiguous already [tensor-redundant-contiguous]
  return x + p[0];
}

at::Tensor onBothPaths(const at::Tensor &x, bool turn) {
  at::Tensor y;
  if (turn)
    y = x.t().contiguous();
  else
    y = x.contiguous();
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor onAllPaths(const at::Tensor &x, int mode) {
  at::Tensor y = torch::zeros({3});
  switch (mode) {
  case 1:
    y = x.contiguous();
    break;
  case 2:
    y = torch::matmul(x, x);
    break;
  default:
    break;
  }
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor inLoop(const at::Tensor &x, int64_t n) {
  auto y = x.contiguous();
  auto total = torch::zeros({n});
  for (int64_t i = 0; i < n; ++i)
    total.add_(y.contiguous().select(0, i));
  // CHECK: :[[#@LINE-1]]:18: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
  return total;
}

at::Tensor afterLoop(const at::Tensor &x, int64_t n) {
  at::Tensor y;
  int64_t i = 0;
  do {
    y = x.select(0, i).contiguous();
  } while (++i < n);
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor throughHandle(const at::Tensor &x) {
  auto y = x.contiguous();
  auto z = y;
  auto w = std::move(z);
  return w.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'w' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor freeFunction(const at::Tensor &x) {
  torch::Tensor y = at::clone(x.contiguous());
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}
