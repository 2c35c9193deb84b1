// https://github.com/jeanfeydy/geomloss/issues/12
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A reduction compiled for float gets doubles.

#include <tensortidy/aten.h>

float bug(int64_t n) {
  auto points = torch::zeros({n, 3}, at::kDouble);
  const float *p = points.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:27: warning: data_ptr() asks for float32, 'points' has float64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here: zeros({n, 3}, ...)
  return p[0];
}

float fix(int64_t n) {
  auto points = torch::zeros({n, 3}, at::kDouble);
  points = points.add(1).to(at::kFloat);
  const float *p = points.data_ptr<float>();
  return p[0];
}
