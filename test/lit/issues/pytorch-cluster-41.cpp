// https://github.com/rusty1s/pytorch_cluster/issues/41
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Batch numbers that were made as floats.

#include <tensortidy/aten.h>

static int64_t last(const at::Tensor &batch) {
  return batch.data_ptr<int64_t>()[batch.numel() - 1];
}

int64_t bug(int64_t n) {
  auto batch = torch::zeros({n}, at::kFloat);
  return *batch.data_ptr<int64_t>() + last(batch.to(at::kLong));
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: data_ptr() asks for int64, 'batch' has float32; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here: zeros({n}, ...)
}

int64_t fix(int64_t n) {
  auto batch = torch::zeros({n}, at::kLong);
  return last(batch);
}
