// https://github.com/ggml-org/ggml/issues/517
// RUN: %check %s --checks=-*,tensor-* -- -std=c++17 -I%S/../ggml/Inputs
// Scores are permuted, then scaled.

#include "ggml.h"

ggml_tensor *bug(ggml_context *ctx, ggml_tensor *k, ggml_tensor *q) {
  ggml_tensor *scores = ggml_permute(ctx, ggml_mul_mat(ctx, k, q), 1, 0, 2, 3);
  return ggml_scale(ctx, scores, 0.125f);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_scale(ctx, scores, 0.125) needs {{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'scores' got this layout here
  // CHECK-MESSAGES: note: {{.*}}ggml_cont
}

ggml_tensor *fix(ggml_context *ctx, ggml_tensor *k, ggml_tensor *q) {
  ggml_tensor *scores = ggml_permute(ctx, ggml_mul_mat(ctx, k, q), 1, 0, 2, 3);
  return ggml_scale(ctx, ggml_cont(ctx, scores), 0.125f);
}
