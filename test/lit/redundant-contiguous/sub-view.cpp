// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Views of contiguous tensors that are contiguous themselves.

#include <tensortidy/aten.h>

using torch::indexing::Slice;

at::Tensor reshaped(const at::Tensor &x) {
  auto y = x.contiguous().view({-1, 3});
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor row(const at::Tensor &x, int64_t i) {
  auto y = x.contiguous();
  return y[i].contiguous();
  // CHECK: :[[#@LINE-1]]:15: warning: contiguous() does nothing{{.*}} [tensor-redundant-contiguous]
}

at::Tensor selected(int64_t a, int64_t b) {
  return torch::zeros({a, b}).select(0, 2).contiguous();
  // CHECK: :[[#@LINE-1]]:44: warning: contiguous() does nothing{{.*}} [tensor-redundant-contiguous]
}

at::Tensor rows(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).narrow(0, 1, 3);
  auto z = torch::zeros({a, b}).slice(0, 2, 5);
  auto w = torch::zeros({a, b}).index({Slice(1, 4)});
  return y.contiguous() + z.contiguous() + w.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-2]]:29: warning: contiguous() does nothing: 'z' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-3]]:46: warning: contiguous() does nothing: 'w' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor part(int64_t a, int64_t b) {
  auto parts = torch::zeros({a, b}).chunk(2, 0);
  return parts[1].contiguous();
  // CHECK: :[[#@LINE-1]]:19: warning: contiguous() does nothing{{.*}} [tensor-redundant-contiguous]
}

at::Tensor reshapes(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b}).unsqueeze(1).squeeze(0).detach();
  return x.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor turnedTwice(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  auto z = y.transpose(0, 1);
  return z.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'z' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor vectorTurned(int64_t n) {
  auto y = torch::zeros({1, n}).t();
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor whole(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).narrow(1, 0, b);
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor split(const at::Tensor &x, int64_t H) {
  auto B = x.size(0), T = x.size(1), C = x.size(2);
  auto heads = x.contiguous().view({B, T, H, C / H});
  return heads.contiguous();
  // CHECK: :[[#@LINE-1]]:16: warning: contiguous() does nothing: 'heads' is contiguous already [tensor-redundant-contiguous]
}

// The copy that reshape() makes of a permuted tensor is dense.
at::Tensor reshapeCopies(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t().contiguous().reshape({a * b});
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}
