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
T mergedHeads(Ctx ctx, T wq, T wk, T x, int64_t d, int64_t heads, int64_t n_pos, int64_t n_batch) {
  T q = ggml_reshape_4d(ctx, ggml_mul_mat(ctx, wq, x), d, heads, n_pos, n_batch);
  q = ggml_reshape_3d(ctx, ggml_cont(ctx, ggml_permute(ctx, q, 0, 2, 1, 3)), d, n_pos, heads * n_batch);
  T k = ggml_reshape_4d(ctx, ggml_mul_mat(ctx, wk, x), d, heads, n_pos, n_batch);
  k = ggml_reshape_3d(ctx, ggml_cont(ctx, ggml_permute(ctx, k, 0, 2, 1, 3)), heads * n_batch, n_pos, d);
  return ggml_soft_max(ctx, ggml_mul_mat(ctx, k, q));
  // CHECK-MESSAGES: :[[#@LINE-1]]:29: warning: ggml_mul_mat(ctx, k, q): ne[0] of 'k' is heads*n_batch, ne[0] of 'q' is d; aborts unless heads*n_batch is d [tensor-shape-mismatch]
}
T countedTokens(Ctx ctx, T wq, T wk, T x, const Hp &hp) {
  const int64_t n_tokens = x->ne[1];
  T q = ggml_reshape_3d(ctx, ggml_mul_mat(ctx, wq, x), hp.n_embd_head, hp.n_head, n_tokens);
  T k = ggml_reshape_3d(ctx, ggml_mul_mat(ctx, wk, x), hp.n_embd_head, n_tokens, hp.n_head);
  return ggml_mul_mat(ctx, ggml_permute(ctx, k, 2, 0, 1, 3), ggml_permute(ctx, q, 0, 2, 1, 3));
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_mul_mat(ctx, ..., ...): ne[0] of operand 1 is n_tokens, ne[0] of operand 2 is hp.n_embd_head; aborts unless n_tokens is hp.n_embd_head [tensor-shape-mismatch]
}
T stateOfOther(Ctx ctx, T x, int64_t taps, int64_t ch, int64_t n, int64_t n_seqs) {
  T state = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, ch, taps - 1, n_seqs);
  T fresh = ggml_reshape_3d(ctx, x, n, ch, n_seqs);
  return ggml_concat(ctx, state, fresh, 0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_concat(ctx, state, fresh, 0): ne[1] of 'state' is taps - 1, ne[1] of 'fresh' is ch; aborts unless taps is ch + 1 [tensor-shape-mismatch]
}
T biasFirst(Ctx ctx, T w, int64_t n_embd, int64_t n_tokens) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_embd, n_tokens);
  T bias = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, n_embd);
  return ggml_mul_mat(ctx, w, ggml_add(ctx, bias, x));
  // CHECK-MESSAGES: :[[#@LINE-1]]:31: warning: ggml_add(ctx, bias, x): ne[1] of 'bias' is 1, ne[1] of 'x' is n_tokens, which does not divide it; aborts unless n_tokens is 1 [tensor-shape-mismatch]
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
// A matrix from what heads give back to n_embd, which is as much.
T square(Ctx ctx, T x, int64_t n_embd, int64_t d, int64_t h, int64_t n) {
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, d * h, n_embd);
  T q = ggml_reshape_3d(ctx, x, d, h, n);
  T y = ggml_mul_mat(ctx, w, ggml_reshape_2d(ctx, q, d * h, n));
  return ggml_add(ctx, ggml_reshape_3d(ctx, y, d, h, n), q);
}
T windows(Ctx ctx, T x, int64_t n_embd, int64_t side, int64_t count, int64_t n_batch) {
  const int64_t n_patches = side * count;
  T y = ggml_reshape_3d(ctx, x, n_embd, n_patches, n_batch);
  y = ggml_reshape_4d(ctx, y, n_embd, side, count, n_batch);
  return ggml_reshape_3d(ctx, y, n_embd, side * count, n_batch);
}
T patches(Ctx ctx, T x, T p, int64_t n_embd, int64_t n_patches, int64_t nx, int64_t ny, int64_t n_batch) {
  T y = ggml_reshape_3d(ctx, x, n_embd, n_patches, n_batch);
  T grid = ggml_reshape_4d(ctx, y, n_embd, nx, ny, n_batch);
  return ggml_add(ctx, ggml_reshape_3d(ctx, grid, n_embd, nx * ny, n_batch), ggml_reshape_2d(ctx, p, n_embd, n_patches));
}
// A batch of one: it is no mistake in the order of operands.
T oneBatch(Ctx ctx, T x, int64_t n_embd, int64_t n_batch) {
  T cls = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, n_embd);
  return ggml_concat(ctx, cls, ggml_reshape_2d(ctx, x, n_embd, n_batch), 0);
}
// What heads give back is as much as n_embd, however the axes stand elsewhere.
T merged(Ctx ctx, T wq, T x, T rel, const Hp &hp, int64_t n, int64_t b) {
  T bias = ggml_reshape_4d(ctx, rel, hp.n_embd, hp.n_head, hp.n_embd_head, b);
  T q = ggml_reshape_4d(ctx, ggml_mul_mat(ctx, wq, x), hp.n_embd_head, hp.n_head, n, b);
  T y = ggml_reshape_3d(ctx, ggml_cont(ctx, q), hp.n_embd, n, b);
  return ggml_add(ctx, y, ggml_reshape_1d(ctx, ggml_sum_rows(ctx, bias), hp.n_embd));
}
