// RUN: cp %s %t.cpp
// RUN: not %tensortidy --checks=-*,tensor-allocation-in-loop --fix %t.cpp -- %runtime
// RUN: FileCheck %s < %t.cpp --match-full-lines --strict-whitespace
// RUN: %settles %t.cpp --checks=-*,tensor-allocation-in-loop -- %runtime
// The fix-it moves a plain declaration before its loop.

#include <tensortidy/aten.h>

at::Tensor plain(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto mask = torch::ones({64, 64});
    x = x.mul(mask);
  }
// CHECK:  auto mask = torch::ones({64, 64});
// CHECK-NEXT:  for (int64_t i = 0; i < n; ++i) {
// CHECK-NOT:    auto mask = torch::ones({64, 64});
// CHECK:    x = x.mul(mask);
  return x;
}

// Two names in one declaration: no fix-it.
at::Tensor two(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    at::Tensor up = torch::ones({64}), down = torch::zeros({64});
    x = x.mul(up).add(down);
  }
// CHECK:    at::Tensor up = torch::ones({64}), down = torch::zeros({64});
  return x;
}

// Depends on a variable of the loop's body: no fix-it, or both would have to move.
at::Tensor local(at::Tensor x, int64_t n, int64_t k) {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t twice = 2 * k;
    auto bias = torch::ones({twice});
    x = x.add(bias);
  }
// CHECK:    auto bias = torch::ones({twice});
  return x;
}

// The name is taken outside: no fix-it.
at::Tensor shadows(at::Tensor x, int64_t n) {
  auto bias = x;
  for (int64_t i = 0; i < n; ++i) {
    auto bias = torch::ones({7});
    x = x.add(bias);
  }
// CHECK:    auto bias = torch::ones({7});
  return x + bias;
}

// The function has the variable's name, and is named with its namespace.
at::Tensor namesake(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto ones = torch::ones({32, 32});
    x = x.mul(ones);
  }
// CHECK:  auto ones = torch::ones({32, 32});
// CHECK-NEXT:  for (int64_t i = 0; i < n; ++i) {
// CHECK-NEXT:    x = x.mul(ones);
  return x;
}

// Without, it would name the variable: no fix-it.
using torch::zeros;
at::Tensor hides(at::Tensor x, int64_t n) {
  auto before = zeros({16, 8});
  for (int64_t i = 0; i < n; ++i) {
    auto zeros = torch::zeros({16, 16});
    x = x.mul(zeros);
  }
// CHECK:    auto zeros = torch::zeros({16, 16});
// CHECK-NEXT:    x = x.mul(zeros);
  return x.add(before);
}
