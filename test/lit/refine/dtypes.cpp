// RUN: %exits 1 %tensortidy --checks=-*,tensor-shape-mismatch %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// A switch over the dtype leaves out the cases of others.
#include <stdexcept>
#include <tensortidy/aten.h>

void *pointer(at::Tensor &x) {
  switch (x.scalar_type()) {
  case at::kFloat:
    return x.data_ptr<float>();
  case at::kDouble:
    return x.data_ptr<double>();
  default:
    throw std::runtime_error("neither float nor double");
  }
}

at::ScalarType typeOf(int precision) {
  switch (precision) {
  case 0:
    return at::kFloat;
  case 1:
    return at::kDouble;
  default:
    throw std::runtime_error("unknown precision");
  }
}

void *made(int precision, at::Tensor &out) {
  out = torch::empty({4, 5}, at::TensorOptions().dtype(typeOf(precision)));
  return pointer(out);
}

float *wrong(int which) {
  auto x = torch::zeros({4});
  switch (x.scalar_type()) {
  case at::kDouble:
    x.view({5}); // not reached
    break;
  default:
    if (which)
      x.view({6});
    // CHECK: :[[#@LINE-1]]:9: warning: {{.*}}shape [6] does not fit the 4 elements
  }
  return x.data_ptr<float>();
}
