// https://github.com/pytorch/FBGEMM/pull/5761
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// The values are made contiguous, the lengths beside them are not.

#include <tensortidy/aten.h>

void pack(const float *values, const int64_t *lengths, int64_t count);

void bug(const at::Tensor &values, int64_t batch) {
  auto lengths = torch::ones({batch, 2}, torch::kLong).select(1, 0);
  auto dense = values.contiguous();
  pack(dense.data_ptr<float>(), lengths.data_ptr<int64_t>(), lengths.numel());
  // CHECK-MESSAGES: :[[#@LINE-1]]:41: warning: 'pack' gets 'lengths' without its strides and takes batch elements in a row: sizes [batch], strides [2]
}

void fix(const at::Tensor &values, int64_t batch) {
  auto lengths = torch::ones({batch, 2}, torch::kLong).select(1, 0).contiguous();
  auto dense = values.contiguous();
  pack(dense.data_ptr<float>(), lengths.data_ptr<int64_t>(), lengths.numel());
}
