// https://github.com/rwth-i6/returnn/pull/1509
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// An average of counters.

#include <tensortidy/aten.h>

at::Tensor bug() {
  auto x = torch::ones({1}, at::kLong);
  x /= 1;
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: x /= 1 gives float32, 'x' has int64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here
  return x;
}

at::Tensor fix() {
  auto x = torch::ones({1}, at::kLong);
  return x / 1;
}
