// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// Element counts, broadcasting, joining, expanding.

#include <tensortidy/aten.h>

at::Tensor count() {
  auto x = torch::zeros({2, 3});
  return x.view({4, 2});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({4, 2}): shape [4, 2] does not fit the 6 elements of 'x'; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [2, 3] here: zeros({2, 3})
}

at::Tensor reshapeCount(int64_t n) {
  auto x = torch::zeros({n, 6});
  return x.reshape({n, 2, 4});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: reshape({n, 2, 4}): shape [n, 2, 4] does not fit the 6*n elements of 'x'; throws unless it is empty [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [n, 6] here
}

at::Tensor inferred() {
  return torch::zeros({10}).view({-1, 3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:29: warning: view({-1, 3}): shape [-1, 3] does not fit the 10 elements; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is [10] here
}

at::Tensor twoInferred(const at::Tensor &x) {
  return x.view({-1, 3, -1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({-1, 3, -1}): only one dimension can be inferred; throws [tensor-shape-mismatch]
}

at::Tensor degenerate(int64_t b, int64_t h, int64_t d) {
  auto x = torch::zeros({b, h, d});
  return x.view({b, d});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({b, d}): shape [b, d] does not fit the b*h*d elements of 'x'; throws unless h is 1 [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [b, h, d] here
}

at::Tensor broadcast() {
  auto x = torch::zeros({2, 3});
  auto y = torch::ones({2, 4});
  return x + y;
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: x + y: sizes 3 and 4 do not match at dimension 1; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [2, 3] here
  // CHECK-MESSAGES: note: 'y' is [2, 4] here
}

at::Tensor joined(int64_t n) {
  auto x = torch::zeros({n, 3});
  auto y = torch::ones({n, 4});
  return torch::cat({x, y}, 0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: cat({x, y}, 0): tensor 1 has size 4, expected 3 (except in dimension 0); throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [n, 3] here
  // CHECK-MESSAGES: note: 'y' is [n, 4] here
}

at::Tensor stacked() {
  auto x = torch::zeros({3});
  auto y = torch::ones({1, 3});
  return torch::stack({x, y});
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: stack({x, y}): tensor 1 has 2 dimensions, expected 1; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [3] here
  // CHECK-MESSAGES: note: 'y' is [1, 3] here
}

at::Tensor expanded(int64_t n) {
  auto x = torch::zeros({3, 2});
  return x.expand({n, 4, 2});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: expand({n, 4, 2}): size 3 of dimension 1 of 'x' is neither 1 nor 4; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [3, 2] here
}

double itemOfMany() {
  auto x = torch::zeros({3});
  return x.item().toDouble();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: item() expects one element, 'x' has 3; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [3] here
}

at::Tensor fits(int64_t n, int64_t m, const at::Tensor &p) {
  auto x = torch::zeros({n, 6});
  auto y = x.view({-1, 2, 3}).reshape({n, 6}) + torch::ones({6}) + torch::ones({n, 1}) + p;
  auto z = torch::cat({x, torch::zeros({m, 6})});
  if (n == m)
    z = torch::cat({x, torch::zeros({m, 6})}, 1);
  auto one = torch::zeros({n, 1}).expand({n, m}) + torch::zeros({1, 1}).item().toDouble();
  return p.view({n, m}) + p.view({n, -1}) + y.sum() + z.sum() + one.sum();
}

at::Tensor maybe(int64_t n, int64_t m) {
  return torch::zeros({n}).view({m}) + torch::zeros({n + m, 2}).view({m, n}).sum().item().toDouble();
}

at::Tensor pieces(bool wide) {
  auto x = torch::zeros({3, 4});
  if (wide)
    x = torch::zeros({3, 8});
  return x.view({3, 4});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({3, 4}): shape [3, 4] does not fit the 24 elements of 'x'; throws when 'wide' is true [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [3, 8] here
}
