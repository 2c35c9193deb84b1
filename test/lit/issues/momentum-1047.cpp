// https://github.com/facebookresearch/momentum/pull/1047
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A checker adds a dimension for the batch, and an accessor does not know.

#include <tensortidy/aten.h>

static at::Tensor validated(const at::Tensor &x) { return x.dim() == 3 ? x.unsqueeze(0) : x; }

float bug(int64_t n) {
  auto transforms = validated(torch::zeros({n, 4, 4}));
  auto a = transforms.accessor<float, 3>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: accessor() expects 3 dimensions, 'transforms' has 4; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'transforms' is [1, n, 4, 4] here
  return a[0][0][0];
}

float fix(int64_t n) {
  auto transforms = validated(torch::zeros({n, 4, 4})).select(0, 0);
  auto a = transforms.accessor<float, 3>();
  return a[0][0][0];
}
