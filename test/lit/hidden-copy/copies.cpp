// RUN: %check %s --checks=-*,tensor-hidden-copy,tensor-allocation-in-loop -- %runtime
// The same copy, made again by a call that looks like a view.

#include <tensortidy/aten.h>

at::Tensor inLoop(at::Tensor x, int64_t a, int64_t b, int64_t n) {
  auto w = torch::ones({a, b}).t();
  for (int64_t i = 0; i < n; ++i) {
    auto flat = w.reshape({-1});
    // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: reshape() copies 'w' in every iteration (4*a*b bytes each time), unless a or b is 1 [tensor-hidden-copy]
    // CHECK-MESSAGES: note: nothing it depends on changes in this loop: make the copy before it
    // CHECK-MESSAGES: note: 'w' got this layout here: t() of a contiguous [a, b]
    x = x + flat;
  }
  return x;
}
// CHECK-FIXES: {{^}}  auto flat = w.reshape({-1});
// CHECK-FIXES-NEXT: {{^}}  for (int64_t i = 0; i < n; ++i) {
// CHECK-FIXES: {{^}}    x = x + flat;

at::Tensor flattened(at::Tensor x, int64_t n) {
  auto w = torch::ones({3, 4, 5}).permute({1, 0, 2});
  for (int64_t i = 0; i < n; ++i)
    x = x + w.flatten();
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: flatten() copies 'w' in every iteration (240 bytes each time) [tensor-hidden-copy]
  // CHECK-MESSAGES: note: nothing it depends on
  // CHECK-MESSAGES: note: 'w' got this layout here: permute({1, 0, 2}) of a contiguous [3, 4, 5]
  return x;
}

at::Tensor parameter(at::Tensor x, const at::Tensor &w, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    x = x + w.transpose(0, 1).reshape({-1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:31: warning: reshape() copies its operand in every iteration ({{.*}} elements each time), when 'w' is contiguous, unless {{.*}} is 1 [tensor-hidden-copy]
  // CHECK-MESSAGES: note: nothing it depends on
  // CHECK-MESSAGES: note: the operand got this layout here: transpose(0, 1)
  return x;
}

at::Tensor mask(at::Tensor x, const at::Tensor &w, int64_t n) {
  auto some = w > 0;
  for (int64_t i = 0; i < n; ++i)
    x = x + w.index({some}).sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: index() copies 'w' in every iteration [tensor-hidden-copy]
  // CHECK-MESSAGES: note: nothing it depends on
  return x;
}

at::Tensor again(int64_t a, int64_t b) {
  auto w = torch::ones({a, b}).t();
  auto x = w.reshape({-1}) * 2;
  auto y = w.reshape({-1}) + 1;
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: reshape() copies 'w' again (4*a*b bytes each time), unless a or b is 1 [tensor-hidden-copy]
  // CHECK-MESSAGES: :[[#@LINE-3]]:14: note: the same copy is made here: keep its result
  // CHECK-MESSAGES: note: 'w' got this layout here
  return x + y;
}

at::Tensor convertedAgain(int64_t n) {
  auto ids = torch::arange(n);
  auto x = torch::sin(ids.to(torch::kFloat));
  auto y = torch::cos(ids.to(torch::kFloat));
  // CHECK-MESSAGES: :[[#@LINE-1]]:27: warning: to() copies 'ids' again (4*n bytes each time) [tensor-hidden-copy]
  // CHECK-MESSAGES: note: the same copy is made here
  return x + y;
}

at::Tensor againInLoop(at::Tensor x, const at::Tensor &rows, int64_t n) {
  auto some = x > 0;
  for (int64_t i = 0; i < n; ++i) {
    auto row = rows + i;
    auto a = row.index({some}).sum();
    auto b = row.index({some}).mean();
    // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: index() copies 'row' again [tensor-hidden-copy]
    // CHECK-MESSAGES: note: the same copy is made here
    x = x + a + b;
  }
  return x;
}
