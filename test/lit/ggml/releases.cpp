// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous,tensor-view-after-permute %s -- -std=c++17 -I%S/Inputs | FileCheck %s --check-prefixes=NEW,NOW --implicit-check-not=warning:
// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous,tensor-view-after-permute %s -- -std=c++17 -I%S/Inputs -DOLD_GGML | FileCheck %s --check-prefix=OLD --implicit-check-not=warning:
// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous,tensor-view-after-permute %s -- -std=c++17 -I%S/Inputs -DNEXT_GGML | FileCheck %s --check-prefixes=NEW,NEXT --implicit-check-not=warning:
// ggml_top_k() once was a view of the sorted rows, ggml_clamp() one of its operand until 0.27 (NEXT); and long ago ggml_mul_mat() took a transposed tensor.

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
#ifdef NEXT_GGML
// Parameters need no names in a declaration.
extern "C" ggml_tensor *ggml_clamp_inplace(ggml_context *, ggml_tensor *, float, float);
#endif
ggml_tensor *limited(ggml_context *ctx, int64_t d, int64_t h, int64_t n) {
  ggml_tensor *q = ggml_permute(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, h, n), 0, 2, 1, 3);
  ggml_tensor *most = ggml_clamp(ctx, q, -65504.0f, 65504.0f);
  // NOW: :[[#@LINE-1]]:23: warning: ggml_clamp(ctx, q, -65504, 65504) needs a tensor whose rows are dense and evenly spaced
  // OLD: :[[#@LINE-2]]:23: warning: ggml_clamp(ctx, q, -65504, 65504) needs a tensor whose rows are dense and evenly spaced
  return ggml_reshape_2d(ctx, most, d * n, h);
  // NOW: :[[#@LINE-1]]:10: warning: ggml_reshape_2d(ctx, most, d*n, h) needs a contiguous tensor
  // OLD: :[[#@LINE-2]]:10: warning: ggml_reshape_2d(ctx, most, d*n, h) needs a contiguous tensor
}
#ifdef NEXT_GGML
ggml_tensor *limitedInPlace(ggml_context *ctx, int64_t d, int64_t h, int64_t n) {
  ggml_tensor *q = ggml_permute(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, h, n), 0, 2, 1, 3);
  return ggml_reshape_2d(ctx, ggml_clamp_inplace(ctx, q, -1.0f, 1.0f), d * n, h);
  // NEXT: :[[#@LINE-1]]:10: warning: ggml_reshape_2d(ctx, ..., d*n, h) needs a contiguous tensor
}
#endif
