// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// as_strided() beyond the elements of a tensor that has just been made.

#include <tensortidy/aten.h>
using at::Tensor;

Tensor beyond() {
  return at::zeros({10}).as_strided({3, 4}, {4, 1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:26: warning: as_strided({3, 4}, {4, 1}) needs 12 elements of storage, there are 10; throws [tensor-shape-mismatch]
}
Tensor beyondFrom() {
  auto x = at::ones({4, 4});
  return x.as_strided({4, 4}, {4, 1}, 2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: as_strided({4, 4}, {4, 1}, 2) needs 18 elements of storage, there are 16; throws [tensor-shape-mismatch]
}

Tensor within() { return at::zeros({10}).as_strided({3, 4}, {3, 1}); }
Tensor windows(int64_t n, int64_t w) {
  auto x = at::zeros({n});
  return x.as_strided({n - w + 1, w}, {1, 1});
}
// These have, or may have, more than their sizes say.
Tensor shrunk() {
  auto x = at::zeros({100});
  x.resize_({10});
  return x.as_strided({3, 4}, {4, 1});
}
Tensor part() {
  return at::zeros({100}).narrow(0, 0, 10).as_strided({3, 4}, {4, 1});
}
Tensor perhapsPart(const Tensor &a) {
  TORCH_CHECK(a.dim() == 1 && a.size(0) == 10);
  return a.contiguous().as_strided({3, 4}, {4, 1});
}
Tensor filled() {
  auto x = at::zeros({4});
  at::add_out(x, at::zeros({20}), at::zeros({20}));
  return x.as_strided({5, 4}, {4, 1});
}
