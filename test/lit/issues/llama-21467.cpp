// https://github.com/ggml-org/llama.cpp/pull/21467
// RUN: %check %s --checks=-*,tensor-* -- -std=c++17 -I%S/../ggml/Inputs
// The transposed gradient of a product meets an operation on whole rows.

#include "ggml.h"

ggml_tensor *bug(ggml_context *ctx, int64_t n, int64_t m) {
  ggml_tensor *grad = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, m));
  return ggml_sum_rows(ctx, grad);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_sum_rows(ctx, grad) needs {{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'grad' got this layout here
  // CHECK-MESSAGES: note: {{.*}}ggml_cont
}

ggml_tensor *fix(ggml_context *ctx, int64_t n, int64_t m) {
  ggml_tensor *grad = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, m));
  return ggml_sum_rows(ctx, ggml_cont(ctx, grad));
}
