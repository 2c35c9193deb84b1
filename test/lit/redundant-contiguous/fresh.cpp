// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Fresh tensors are contiguous.

#include <tensortidy/aten.h>

at::Tensor zeros(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: note: 'y' is a fresh allocation made here
}

at::Tensor factories(at::IntArrayRef shape) {
  auto a = torch::empty(shape).contiguous();
  // CHECK: :[[#@LINE-1]]:32: warning: contiguous() does nothing{{.*}} [tensor-redundant-contiguous]
  auto b = torch::full(shape, 3.0).contiguous();
  // CHECK: :[[#@LINE-1]]:36: warning: contiguous() does nothing{{.*}} [tensor-redundant-contiguous]
  auto c = torch::rand(shape).contiguous();
  // CHECK: :[[#@LINE-1]]:31: warning: contiguous() does nothing{{.*}} [tensor-redundant-contiguous]
  auto d = torch::arange(10).contiguous();
  // CHECK: :[[#@LINE-1]]:30: warning: contiguous() does nothing{{.*}} [tensor-redundant-contiguous]
  return a + b + c + d;
}

// The layout of 'x' does not matter here.
at::Tensor fromSizes(const at::Tensor &x) {
  auto y = torch::ones(x.sizes());
  auto z = x.new_zeros({3, 4});
  return y.contiguous() + z.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-2]]:29: warning: contiguous() does nothing: 'z' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor product(const at::Tensor &x, const at::Tensor &w) {
  auto y = torch::matmul(x, w);
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: note: 'y'
}

at::Tensor reduced(const at::Tensor &x) {
  auto y = x.sum(0);
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor arithmetic(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  auto y = x * 2.0 + 1.0;
  auto z = y - x;
  return z.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'z' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor likeDense(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  auto y = torch::empty_like(x);
  auto z = x.clone();
  auto w = x.to(at::kDouble);
  return y.contiguous() + z.contiguous() + w.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-2]]:29: warning: contiguous() does nothing: 'z' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-3]]:46: warning: contiguous() does nothing: 'w' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor denseClone(const at::Tensor &x) {
  auto y = x.t().clone(at::MemoryFormat::Contiguous);
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor borrowed(float *data) {
  auto y = torch::from_blob(data, {4, 5});
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor writtenSince(int64_t a, int64_t b, const at::Tensor &x) {
  auto y = torch::empty({a, b});
  y.copy_(x);
  y.add_(x.t()).mul_(2);
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor negative() {
  auto x = -torch::ones({3, 4});
  return x.contiguous();
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: contiguous() does nothing: 'x' is contiguous already
  // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: note: 'x' is a fresh allocation made here: -...
}
