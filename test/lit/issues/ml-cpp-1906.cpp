// https://github.com/elastic/ml-cpp/pull/1906
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Results are read as floats of one dimension, whatever they are.

#include <tensortidy/aten.h>

double bug(int64_t n) {
  auto result = torch::zeros({n}, at::kDouble);
  auto values = result.accessor<float, 1>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: accessor() asks for float32, 'result' has float64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here
  return values[0];
}

double fix(int64_t n) {
  auto result = torch::zeros({n}, at::kDouble);
  if (result.scalar_type() == at::kDouble)
    return result.accessor<double, 1>()[0];
  return result.accessor<float, 1>()[0];
}
