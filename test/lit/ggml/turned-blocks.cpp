// RUN: %check %s --checks=-*,tensor-shape-mismatch -- -std=c++17 -I%S/Inputs
// Copies of tensors of a type in blocks, which lie along rows: other orders of dimensions cannot be copied so.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

T turned(Ctx ctx, int64_t n_embd, int64_t n_vocab) {
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, n_embd, n_vocab);
  return ggml_cont(ctx, ggml_transpose(ctx, w));
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: {{.*}}: the blocks of operand 1 do not lie along its rows, so elements cannot be moved one by one: it is of q8_0, which is stored 32 elements in 34 bytes; it reads other elements [tensor-shape-mismatch]
}
T counted(Ctx ctx) {
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, 4096, 32);
  T wt = ggml_transpose(ctx, w);
  return ggml_cont_2d(ctx, wt, 32, 4096);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: {{.*}}: the blocks of 'wt' do not lie along its rows
}
T duplicated(Ctx ctx, T w) {
  T q = ggml_new_tensor_3d(ctx, GGML_TYPE_Q8_0, 128, 8, 64);
  return ggml_dup(ctx, ggml_permute(ctx, q, 1, 0, 2, 3));
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: {{.*}} do not lie along its rows
}
T into(Ctx ctx, int64_t n, int64_t m) {
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, n, m);
  T to = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, m, n);
  return ggml_cpy(ctx, ggml_transpose(ctx, w), to);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: {{.*}} do not lie along its rows
}

// Rows as they are; types without blocks; floats first.
T rows(Ctx ctx, int64_t n, int64_t m, int64_t k) {
  T w = ggml_new_tensor_3d(ctx, GGML_TYPE_Q8_0, n, m, k);
  return ggml_cont(ctx, ggml_permute(ctx, w, 0, 2, 1, 3));
}
T halves(Ctx ctx, int64_t n, int64_t m) {
  return ggml_cont(ctx, ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F16, n, m)));
}
T floats(Ctx ctx, int64_t n, int64_t m) {
  T w = ggml_cast(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, n, m), GGML_TYPE_F32);
  return ggml_cont(ctx, ggml_transpose(ctx, w));
}
T unknown(Ctx ctx, T w) { return ggml_cont(ctx, ggml_transpose(ctx, w)); }
T back(Ctx ctx, int64_t n, int64_t m) {
  T w = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, n, m));
  return ggml_cont(ctx, ggml_transpose(ctx, w));
}
