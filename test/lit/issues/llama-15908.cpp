// https://github.com/ggml-org/llama.cpp/pull/15908
// RUN: %check %s --checks=-*,tensor-* -- -std=c++17 -I%S/../ggml/Inputs
// Heads cut from a wider projection are split into streams.

#include "ggml.h"

ggml_tensor *bug(ggml_context *ctx, int64_t d, int64_t h, int64_t n) {
  ggml_tensor *qkv = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, 3 * h, n);
  ggml_tensor *q = ggml_view_3d(ctx, qkv, d, h, n, qkv->nb[1], qkv->nb[2], 0);
  return ggml_reshape_4d(ctx, q, d, h, n / 2, 2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_reshape_4d({{.*}}) needs a contiguous tensor, 'q' has ne [d, h, n]{{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'q' got this layout here
  // CHECK-MESSAGES: note: ggml_cont_4d() copies
}

ggml_tensor *fix(ggml_context *ctx, int64_t d, int64_t h, int64_t n) {
  ggml_tensor *qkv = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, 3 * h, n);
  ggml_tensor *q = ggml_view_3d(ctx, qkv, d, h, n, qkv->nb[1], qkv->nb[2], 0);
  return ggml_reshape_4d(ctx, ggml_cont(ctx, q), d, h, n / 2, 2);
}
