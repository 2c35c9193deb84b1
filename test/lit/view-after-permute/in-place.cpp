// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Operations that change the tensor every handle shares.

#include <tensortidy/aten.h>

at::Tensor transposedInPlace(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  x.transpose_(0, 1);
  return x.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'x': sizes [b, a], strides [1, b]{{.*}} [tensor-view-after-permute]
  // CHECK: :[[#@LINE-3]]:5: note: 'x' got this layout here: transpose_(0, 1) of a contiguous [a, b]
}

at::Tensor tInPlace(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  return x.t_().view({a * b});
  // CHECK: :[[#@LINE-1]]:17: warning: view({{.*}}) cannot merge dimensions 0 and 1{{.*}} [tensor-view-after-permute]
}

// y is another handle of the same tensor.
at::Tensor throughAlias(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  auto y = x;
  y.t_();
  return x.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'x'{{.*}} [tensor-view-after-permute]
}

at::Tensor throughReference(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  auto &y = x;
  y = y.t();
  return x.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'x'{{.*}} [tensor-view-after-permute]
}

// contiguous() returns x itself, which t_() then turns.
at::Tensor throughContiguous() {
  auto x = torch::zeros({4, 6});
  auto y = x.contiguous();
  y.t_();
  return x.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'x'{{.*}} [tensor-view-after-permute]
}

// Writing elements in place keeps the strides.
at::Tensor arithmeticInPlace(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  y.add_(1).mul_(2);
  y += 1;
  y.zero_();
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor copiedInto(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  y.copy_(torch::ones({b, a}));
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}
