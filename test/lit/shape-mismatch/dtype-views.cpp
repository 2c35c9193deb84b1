// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute -- %runtime
// view(dtype): the same memory as elements of another size.

#include <tensortidy/aten.h>

void sizes(int64_t n) {
  auto x = at::zeros({4, 6}); // float32
  (void)x.view(at::kDouble).view({4, 3});
  (void)x.view(at::kDouble).view({4, 4});
  // CHECK-MESSAGES: :[[#@LINE-1]]:29: warning: view({4, 4}): shape [4, 4] does not fit the 12 elements; throws [tensor-shape-mismatch]
  (void)x.view(at::kInt).view({4, 6});
  (void)x.view(at::kByte).view({4, 4, 6});
  (void)at::zeros({3, 3}).view(at::kDouble);
  // CHECK-MESSAGES: :[[#@LINE-1]]:27: warning: view(float64): size 3 of dimension 1 is no multiple of 2; throws [tensor-shape-mismatch]
  (void)x.t().view(at::kDouble);
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view(float64): stride 6 of dimension 1 should be 1; throws [tensor-shape-mismatch]
  (void)x.t().view(at::kInt).view({6, 4});
  (void)x.slice(1, 1, 5).view(at::kDouble);
  // CHECK-MESSAGES: :[[#@LINE-1]]:26: warning: view(float64): storage offset 1 is no multiple of 2; throws [tensor-shape-mismatch]
  (void)at::zeros({4, 5}).slice(1, 0, 4).view(at::kDouble);
  // CHECK-MESSAGES: :[[#@LINE-1]]:42: warning: view(float64): stride 5 of dimension 0 is no multiple of 2; throws [tensor-shape-mismatch]
  (void)at::zeros({4, n}).view(at::kDouble);
  (void)at::zeros({4, 2 * n}).view(at::kDouble).view({4, n});
  (void)at::zeros({4, n}, at::kByte).view(at::kFloat);
}

/// Its element type is not known.
void packed(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 2 && x.size(1) == 3);
  (void)x.view(at::kDouble);
}
