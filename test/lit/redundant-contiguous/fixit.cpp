// RUN: cp %s %t.cpp
// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous --fix %t.cpp -- %runtime
// RUN: FileCheck %s < %t.cpp --match-full-lines --strict-whitespace
// RUN: %settles %t.cpp --checks=-*,tensor-redundant-contiguous -- %runtime
// The fix-it drops the call, and only where nothing else changes with it.

#include <tensortidy/aten.h>
#include <utility>

at::Tensor returned(int64_t a) {
  auto y = torch::zeros({a, 2});
  return y.contiguous();
// CHECK:  return y;
}

at::Tensor copied(int64_t a) {
  auto y = torch::zeros({a, 2}).contiguous();
// CHECK:  auto y = torch::zeros({a, 2});
  return y;
}

float chained(int64_t a) {
  auto y = torch::zeros({a, 2});
  return y.contiguous().sum().item<float>();
// CHECK:  return y.sum().item<float>();
}

at::Tensor argument(int64_t a, const at::Tensor &x) {
  auto y = torch::zeros({a, 2});
  return torch::matmul(y.contiguous(), x);
// CHECK:  return torch::matmul(y, x);
}

// A handle of its own becomes a name for y, and y changes: no fix-it.
at::Tensor reference(int64_t a) {
  auto y = torch::zeros({a, 2});
  const at::Tensor &r = y.contiguous();
// CHECK:  const at::Tensor &r = y.contiguous();
  y = y.t();
  return r;
}

// `x.contiguous() = v` copies v into x, `x = v` would rebind x.
void assigned(int64_t a, const at::Tensor &v) {
  auto y = torch::zeros({a, 2});
  y.contiguous() = v;
// CHECK:  y.contiguous() = v;
}

void consume(at::Tensor &&x);
void moved(int64_t a) {
  auto y = torch::zeros({a, 2});
  consume(y.contiguous());
// CHECK:  consume(y.contiguous());
}

void change(at::Tensor x);
auto deduced(int64_t a) {
  auto y = torch::zeros({a, 2});
  auto &&r = y.contiguous();
// CHECK:  auto &&r = y.contiguous();
  y = y.t();
  return r.sum();
}

at::Tensor itself(int64_t a) {
  auto y = torch::zeros({a, 2});
  y = y.contiguous();
// CHECK:  y = y.contiguous();
  return y;
}

#define DENSE(x) (x).contiguous()

at::Tensor macro(int64_t a) {
  auto y = torch::zeros({a, 2});
  return DENSE(y);
// CHECK:  return DENSE(y);
}
