// https://github.com/ggml-org/ggml/issues/957
// RUN: %check %s --checks=-*,tensor-* -- -std=c++17 -I%S/../ggml/Inputs
// A permuted tensor is no float row any more.

#include "ggml.h"

ggml_tensor *bug(ggml_context *ctx) {
  ggml_tensor *t = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 4, 3, 1, 1);
  ggml_tensor *swapped = ggml_permute(ctx, t, 1, 0, 2, 3);
  return ggml_reshape_1d(ctx, swapped, 12);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_reshape_1d(ctx, swapped, 12) needs a contiguous tensor, 'swapped' has ne [3, 4], nb [4, 1] elements; aborts [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'swapped' got this layout here
  // CHECK-MESSAGES: note: ggml_cont_1d() copies
}

ggml_tensor *fix(ggml_context *ctx) {
  ggml_tensor *t = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 4, 3, 1, 1);
  ggml_tensor *swapped = ggml_cont(ctx, ggml_permute(ctx, t, 1, 0, 2, 3));
  return ggml_reshape_1d(ctx, swapped, 12);
}
