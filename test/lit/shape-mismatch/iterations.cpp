// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute -- %runtime
// What holds in the first iteration and not in the next is said so.

#include <tensortidy/aten.h>

void split(int64_t n, int64_t g, int64_t k, int64_t w, at::Tensor out) {
  auto columns = torch::zeros({g * k, w});
  for (int64_t i = 0; i < n; ++i) {
    columns = columns.view({g, columns.size(0) / g, columns.size(1)});
    // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: view({g, 1, k}): shape [g, 1, k] does not fit the g*k*w elements of 'columns'; throws in a later iteration, unless w is 1 [tensor-shape-mismatch]
    out.add_(columns.sum());
  }
}

void turned(int64_t n, int64_t a, int64_t b, bool flip, at::Tensor out) {
  auto x = torch::zeros({a, b});
  while (--n > 0) {
    out.add_(x.view({a * b}).sum());
    // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: view({a*b}) cannot merge dimensions 0 and 1 of 'x': sizes [b, a], strides [1, b]; throws in a later iteration, unless a or b is 1 [tensor-view-after-permute]
    x = x.t();
  }
}

// In every iteration: nothing to add.
void always(int64_t n, int64_t a, int64_t b, at::Tensor out) {
  for (int64_t i = 0; i < n; ++i)
    out.add_(torch::zeros({a, b}).t().view({a * b}).sum());
  // CHECK-MESSAGES: :[[#@LINE-1]]:39: warning: view({a*b}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}

// After the loop it is no iteration any more.
at::Tensor after(int64_t n, int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  for (int64_t i = 0; i < n; ++i)
    x = torch::zeros({a, b}).t();
  return x.view({a * b});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({a*b}) cannot merge dimensions 0 and 1 of 'x': sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
