// https://github.com/ggml-org/ggml/issues/530
// RUN: %check %s --checks=-*,tensor-* -- -std=c++17 -I%S/../ggml/Inputs
// The first operand of a sum was permuted.

#include "ggml.h"

ggml_tensor *bug(ggml_context *ctx, int64_t n, int64_t m, ggml_tensor *bias) {
  ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, m);
  x = ggml_permute(ctx, x, 1, 0, 2, 3);
  return ggml_add(ctx, x, bias);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_add(ctx, x, bias) needs {{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'x' got this layout here
  // CHECK-MESSAGES: note: {{.*}}ggml_cont
}

ggml_tensor *fix(ggml_context *ctx, int64_t n, int64_t m, ggml_tensor *bias) {
  ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, m);
  x = ggml_cont(ctx, ggml_permute(ctx, x, 1, 0, 2, 3));
  return ggml_add(ctx, x, bias);
}
