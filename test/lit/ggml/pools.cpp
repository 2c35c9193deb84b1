// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// ggml_pool_1d() goes from row to row by nb[1].

#include "ggml.h"

extern "C" ggml_tensor *ggml_pool_1d(ggml_context *ctx, ggml_tensor *a, int op, int k0, int s0, int p0);

// Rows of a wider matrix are evenly spaced.
ggml_tensor *left(ggml_context *ctx, int64_t width, int64_t frames) {
  ggml_tensor *all = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 2 * width, frames);
  ggml_tensor *half = ggml_view_2d(ctx, all, width, frames, all->nb[1], 0);
  return ggml_pool_1d(ctx, half, 0, 2, 2, 0);
}
// Those of heads that changed places are not.
ggml_tensor *heads(ggml_context *ctx, int64_t d, int64_t h, int64_t n) {
  ggml_tensor *q = ggml_permute(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, h, n), 0, 2, 1, 3);
  return ggml_pool_1d(ctx, q, 0, 2, 2, 0);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_pool_1d(ctx, q, 0, 2, 2, 0) needs a tensor whose rows are dense and evenly spaced
}
