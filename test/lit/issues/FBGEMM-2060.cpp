// https://github.com/pytorch/FBGEMM/pull/2060
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Raw pointers became accessors, which know the strides.

#include <tensortidy/aten.h>

void select(const float *values, const int64_t *rows, int64_t count, int64_t columns);
void select(at::TensorAccessor<float, 2> values, const int64_t *rows, int64_t count);

void bug(int64_t count, int64_t columns) {
  auto values = torch::rand({columns, count}).t();
  auto rows = torch::arange(count);
  select(values.data_ptr<float>(), rows.data_ptr<int64_t>(), values.size(0), values.size(1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: 'select' gets 'values' without its strides and takes them for [columns, 1]: sizes [count, columns], strides [1, count]
}

void fix(int64_t count, int64_t columns) {
  auto values = torch::rand({columns, count}).t();
  auto rows = torch::arange(count);
  select(values.accessor<float, 2>(), rows.data_ptr<int64_t>(), values.size(0));
}
