// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// A size of which nothing is known and a 1 that is written: who writes the 1
// says what the size is.

#include <tensortidy/aten.h>

at::Tensor made(const at::Tensor &);

/// \p column is one.
at::Tensor outer(const at::Tensor &column, const at::Tensor &row) {
  TORCH_CHECK(column.dim() == 2 && row.dim() == 1);
  return column.mm(row.unsqueeze(0));
}

at::Tensor oneOfABatch(const at::Tensor &x) {
  return at::bmm(made(x), at::ones({1, 3, 4}));
}

at::Tensor oneBeside(const at::Tensor &x) {
  return at::cat({x, at::ones({1, 4})}, 1);
}

/// Both come through a function that has its callers in view.
at::Tensor weighted(const at::Tensor &scores, const at::Tensor &values) {
  return at::bmm(made(scores), values);
}

at::Tensor oneStep(const at::Tensor &x) {
  return weighted(x, at::zeros({1, 5, 8}));
}

/// Grey images for a layer that is made elsewhere.
at::Tensor grey(int64_t channels, int64_t out) {
  auto weight = at::ones({out, channels, 3, 3});
  return at::conv2d(at::zeros({16, 1, 28, 28}), weight);
}
at::Tensor colour(int64_t out) {
  auto weight = at::ones({out, 3, 3, 3});
  return at::conv2d(at::zeros({16, 1, 28, 28}), weight);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: conv2d(..., weight): the weight wants 3 channels in 1 group, the input has 1; throws [tensor-shape-mismatch]
}

at::Tensor named(const at::Tensor &x) {
  const int64_t B = x.size(0), T = x.size(1);
  return at::bmm(x.view({B, T, 3}), at::ones({1, 3, 4}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: bmm(..., ...): sizes B and 1 do not match at dimension 0; throws unless B is 1 [tensor-shape-mismatch]
}
