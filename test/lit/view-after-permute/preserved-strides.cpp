// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Results that keep the permuted strides of their operand.

#include <tensortidy/aten.h>
#include <cmath>

at::Tensor cloned(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t().clone();
  return y.view({a * b});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [b, a], strides [1, b]{{.*}} [tensor-view-after-permute]
}

at::Tensor scaled() {
  auto y = torch::zeros({3, 4}).t() * 2.0;
  return y.view(12);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}12{{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [4, 3], strides [1, 4]; throws [tensor-view-after-permute]
}

at::Tensor added() {
  auto x = torch::zeros({3, 4}).t();
  auto y = torch::zeros({3, 4}).t();
  auto sum = x + y;
  return sum.view(-1);
  // CHECK: :[[#@LINE-1]]:14: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'sum'{{.*}} [tensor-view-after-permute]
}

// The first operand decides the layout of a sum.
at::Tensor firstOperandDecides() {
  auto turned = torch::zeros({3, 4}).t();
  auto dense = torch::zeros({4, 3});
  auto sum = turned + dense;
  return sum.view(-1);
  // CHECK: :[[#@LINE-1]]:14: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'sum'{{.*}} [tensor-view-after-permute]
}

at::Tensor broadcastRow() {
  auto turned = torch::zeros({3, 4}).t();
  auto y = turned.mul(torch::ones({3}));
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor negated() {
  auto y = -torch::zeros({3, 4}).t();
  auto z = y.abs().exp();
  return z.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'z'{{.*}} [tensor-view-after-permute]
}

at::Tensor likeIt() {
  auto x = torch::zeros({3, 4}).t();
  auto y = torch::empty_like(x);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor zerosLikeIt() {
  auto x = torch::zeros({3, 4}).t();
  return torch::zeros_like(x).view(-1);
  // CHECK: :[[#@LINE-1]]:31: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1{{.*}} [tensor-view-after-permute]
}

at::Tensor otherType() {
  auto x = torch::zeros({3, 4}).t();
  auto y = x.to(at::kDouble);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

// A slice with a gap is packed by the copy, a permuted one stays permuted.
at::Tensor sliceOfPermuted() {
  auto x = torch::zeros({4, 6}).t().narrow(0, 0, 3); // [3, 4], strides [1, 6]
  auto y = x.clone();                                // strides [1, 3]
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [3, 4], strides [1, 3]; throws [tensor-view-after-permute]
}

at::Tensor scaledByExpression(double d) {
  auto y = torch::zeros({3, 4}).t() * (1.0 / std::sqrt(d));
  return y.view(12);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}12{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}
