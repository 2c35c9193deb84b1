// https://github.com/AI-secure/DBA/issues/1
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A running mean that meets a counter of batches.

#include <tensortidy/aten.h>

void bug(int64_t n) {
  auto batches = torch::zeros({n}, at::kLong);
  auto update = torch::ones({n}) * 0.1;
  batches.add_(update);
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: add_(update) gives float32, 'batches' has int64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here
}

void fix(int64_t n) {
  auto batches = torch::zeros({n}, at::kLong);
  auto update = torch::ones({n}) * 0.1;
  batches.add_(update.to(at::kLong));
}
