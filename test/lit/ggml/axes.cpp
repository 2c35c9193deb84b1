// RUN: %check %s --checks=-*,tensor-shape-mismatch -- -std=c++17 -I%S/Inputs
// Two axes are equal by chance only.

#include "ggml.h"
using Ctx = ggml_context *;
using T = ggml_tensor *;
struct Hp { int64_t n_embd_head, n_head, n_head_kv, n_embd, n_ff; };
T wrongHeads(Ctx ctx, T wq, T wk, T x, const Hp &hp, int64_t n) {
  T q = ggml_reshape_3d(ctx, ggml_mul_mat(ctx, wq, x), hp.n_embd_head, hp.n_head, n);
  T k = ggml_reshape_3d(ctx, ggml_mul_mat(ctx, wk, x), hp.n_embd_head, hp.n_head_kv, n);
  T f = ggml_reshape_2d(ctx, k, hp.n_embd_head * hp.n_head, n);
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: ggml_reshape_2d(ctx, k, hp.n_embd_head*hp.n_head, n): shape [hp.n_embd_head*hp.n_head, n] does not fit the hp.n_embd_head*n*hp.n_head_kv elements of 'k'; aborts unless hp.n_head_kv is hp.n_head [tensor-shape-mismatch]
  return ggml_mul_mat(ctx, f, ggml_reshape_2d(ctx, q, hp.n_embd_head * hp.n_head, n));
}
T unturned(Ctx ctx, T w, T x, int64_t d, int64_t h, int64_t n) {
  T q = ggml_reshape_3d(ctx, x, d, h, n);
  T k = ggml_reshape_3d(ctx, w, d, h, n);
  q = ggml_permute(ctx, q, 0, 2, 1, 3);
  return ggml_mul_mat(ctx, k, q);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_mul_mat(ctx, k, q): ne[2] of 'q' is h, ne[2] of 'k' is n; aborts unless n divides h [tensor-shape-mismatch]
}
T wrongLayer(Ctx ctx, T a, T b, int64_t f, int64_t e, int64_t n) {
  T up = ggml_reshape_2d(ctx, a, f, n), down = ggml_reshape_2d(ctx, b, e, f);
  return ggml_mul_mat(ctx, down, up);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_mul_mat(ctx, down, up): ne[0] of 'down' is e, ne[0] of 'up' is f; aborts unless e is f [tensor-shape-mismatch]
}
T turnedImage(Ctx ctx, int64_t w, int64_t h, int64_t ch) {
  T img = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, w, h, ch);
  T pos = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, h, w);
  return ggml_add(ctx, img, pos);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_add(ctx, img, pos): ne[0] of 'img' is w, ne[0] of 'pos' is h; aborts unless h divides w [tensor-shape-mismatch]
}
T joined(Ctx ctx, T x, int64_t d, int64_t h, int64_t n) {
  T q = ggml_reshape_3d(ctx, x, d, h, n);
  T y = ggml_cont(ctx, ggml_permute(ctx, q, 0, 2, 1, 3));
  T m = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, h, n);
  return ggml_concat(ctx, y, m, 0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_concat(ctx, y, m, 0): ne[1] of 'y' is n, ne[1] of 'm' is h; aborts unless n is h [tensor-shape-mismatch]
}

// --- Nothing says that they differ, or something that they do not.

T split(Ctx ctx, T w, T x, int64_t e, int64_t d, int64_t h, int64_t n) {
  T q = ggml_reshape_2d(ctx, ggml_mul_mat(ctx, w, x), e, n);
  return ggml_reshape_3d(ctx, q, d, h, n);
}
T sequences(Ctx ctx, T x, int64_t n_tokens, int64_t n_seqs, int64_t n_seq_tokens, int64_t d) {
  T q = ggml_reshape_2d(ctx, x, d, n_tokens);
  T s = ggml_reshape_3d(ctx, q, d, n_seq_tokens, n_seqs);
  return ggml_reshape_2d(ctx, s, d, n_tokens);
}
T groups(Ctx ctx, T x, int64_t d, int64_t h, int64_t g, int64_t n) {
  const int64_t hkv = h / g;
  T k = ggml_reshape_3d(ctx, x, d, hkv, n);
  T q = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, h, n);
  return ggml_add(ctx, q, ggml_repeat(ctx, ggml_cont(ctx, k), q));
}
T tested(Ctx ctx, T x, T m, int64_t n_kv, int64_t n_tokens) {
  T s = ggml_reshape_2d(ctx, x, n_kv, n_tokens);
  if (n_kv != n_tokens) __builtin_abort();
  return ggml_add(ctx, s, ggml_reshape_2d(ctx, m, n_tokens, n_kv));
}
