// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous,tensor-view-after-permute %s -- -std=c++17 -I%S/Inputs | FileCheck %s --check-prefix=NEW --implicit-check-not=warning:
// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous,tensor-view-after-permute %s -- -std=c++17 -I%S/Inputs -DOLD_GGML | FileCheck %s --check-prefix=OLD --implicit-check-not=warning:
// ggml_top_k() once was a view of the sorted rows; and long ago ggml_mul_mat() took a transposed tensor.

#include "ggml.h"

ggml_tensor *best(ggml_context *ctx, int64_t n, int64_t m) {
  ggml_tensor *top = ggml_top_k(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 8, n), 2);
  ggml_tensor *copy = ggml_cont(ctx, top);
  // NEW: :[[#@LINE-1]]:23: warning: ggml_cont(ctx, top) copies 2*n elements; 'top' is contiguous already
  (void)copy;
  return ggml_reshape_1d(ctx, top, 2 * n);
  // OLD: :[[#@LINE-1]]:10: warning: ggml_reshape_1d(ctx, top, 2*n) needs a contiguous tensor, 'top' has ne [2, n], nb [1, 8] elements; aborts unless n is 1
}
ggml_tensor *weighted(ggml_context *ctx, int64_t d, int64_t h, int64_t n, ggml_tensor *scores) {
  ggml_tensor *v = ggml_permute(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, h, n), 1, 2, 0, 3);
  return ggml_mul_mat(ctx, v, scores);
  // NEW: :[[#@LINE-1]]:10: warning: ggml_mul_mat(ctx, v, scores) does not take a transposed tensor
}
