// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// Views into rows: strides and offsets in elements, strides of the other
// dimension, and parts that do not follow each other.
#include "ggml.h"
using Ctx = ggml_context *;
using T = ggml_tensor *;
struct Hp { int64_t n_embd, n_head, n_head_kv, n_embd_head, n_ctx; int64_t n_gqa() const { return n_embd_head * n_head_kv; } };

T keys(Ctx ctx, const Hp &hp, int64_t n_kv, T q) {
  T cache = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, hp.n_gqa(), hp.n_ctx);
  const size_t row = ggml_row_size(cache->type, hp.n_gqa()), head = ggml_row_size(cache->type, hp.n_embd_head);
  T k = ggml_view_3d(ctx, cache, hp.n_embd_head, n_kv, hp.n_head_kv, hp.n_gqa(), head, 0);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_view_3d(ctx, cache, {{.*}}, 0): nb1 is {{.*}} bytes, not the {{.*}} of so many elements; it reads other elements [tensor-shape-mismatch]
  T turned = ggml_view_3d(ctx, cache, hp.n_embd_head, n_kv, hp.n_head_kv, head, row, 0);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_view_3d(ctx, cache, {{.*}}, 0): nb2 is hp.n_head_kv times the stride before it, which is for as many rows as come next; its rows overlap unless n_kv is hp.n_head_kv
  T right = ggml_view_3d(ctx, cache, hp.n_embd_head, n_kv, hp.n_head_kv, row, head, 0);
  T unpermuted = ggml_view_3d(ctx, cache, hp.n_embd_head, hp.n_head_kv, n_kv, head, row, 0);
  T kq = ggml_add(ctx, ggml_mul_mat(ctx, right, q), ggml_mul_mat(ctx, ggml_permute(ctx, unpermuted, 0, 2, 1, 3), q));
  return ggml_add(ctx, kq, ggml_add(ctx, ggml_mul_mat(ctx, k, q), ggml_mul_mat(ctx, turned, q)));
}

T lastToken(Ctx ctx, const Hp &hp, int64_t n_tokens) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, hp.n_embd, n_tokens);
  T last = ggml_view_1d(ctx, x, hp.n_embd, (n_tokens - 1) * hp.n_embd);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_view_1d(ctx, x, hp.n_embd, {{.*}}): the offset is {{.*}} bytes, not the {{.*}} of so many elements; it starts at another element
  T right = ggml_view_1d(ctx, x, hp.n_embd, (n_tokens - 1) * x->nb[1]);
  T same = ggml_view_1d(ctx, x, hp.n_embd, (n_tokens - 1) * hp.n_embd * sizeof(float));
  return ggml_add(ctx, last, ggml_add(ctx, right, same));
}

// Queries, keys and values of one product.
T fused(Ctx ctx, const Hp &hp, T x, int64_t n_tokens) {
  const int64_t n_q = hp.n_head * hp.n_embd_head;
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, hp.n_embd, n_q + 2 * hp.n_gqa());
  T cur = ggml_mul_mat(ctx, w, x);
  const size_t head = sizeof(float) * hp.n_embd_head;
  T q = ggml_view_3d(ctx, cur, hp.n_embd_head, hp.n_head, n_tokens, head, cur->nb[1], 0);
  T k = ggml_view_3d(ctx, cur, hp.n_embd_head, hp.n_head_kv, n_tokens, head, cur->nb[1], sizeof(float) * hp.n_embd);
  T v = ggml_view_3d(ctx, cur, hp.n_embd_head, hp.n_head_kv, n_tokens, head, cur->nb[1], sizeof(float) * (hp.n_embd + hp.n_gqa()));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_view_3d(ctx, cur, {{.*}}): the parts that views take of its rows add up to {{.*}} elements, and none starts at hp.n_head*hp.n_embd_head, where others end: they start at 0, hp.n_embd, {{.*}}; it reads other elements
  return ggml_concat(ctx, q, ggml_concat(ctx, k, v, 1), 1);
}

T fusedRight(Ctx ctx, const Hp &hp, T x, int64_t n_tokens) {
  const int64_t n_q = hp.n_head * hp.n_embd_head;
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, hp.n_embd, n_q + 2 * hp.n_gqa());
  T cur = ggml_mul_mat(ctx, w, x);
  const size_t head = sizeof(float) * hp.n_embd_head;
  T q = ggml_view_3d(ctx, cur, hp.n_embd_head, hp.n_head, n_tokens, head, cur->nb[1], 0);
  T v = ggml_view_3d(ctx, cur, hp.n_embd_head, hp.n_head_kv, n_tokens, head, cur->nb[1], sizeof(float) * (n_q + hp.n_gqa()));
  T k = ggml_view_3d(ctx, cur, hp.n_embd_head, hp.n_head_kv, n_tokens, head, cur->nb[1], sizeof(float) * n_q);
  return ggml_concat(ctx, q, ggml_concat(ctx, k, v, 1), 1);
}

// Where heads divide the width, it is what they have together.
T heads(Ctx ctx, int64_t n_embd, int64_t n_head, T x, int64_t n_tokens) {
  const int64_t d = n_embd / n_head;
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, n_embd, 3 * n_embd);
  T cur = ggml_mul_mat(ctx, w, x);
  T q = ggml_view_3d(ctx, cur, d, n_head, n_tokens, sizeof(float) * d, cur->nb[1], 0);
  T k = ggml_view_3d(ctx, cur, d, n_head, n_tokens, sizeof(float) * d, cur->nb[1], sizeof(float) * n_embd);
  T v = ggml_view_3d(ctx, cur, d, n_head, n_tokens, sizeof(float) * d, cur->nb[1], 2 * sizeof(float) * n_embd);
  return ggml_add(ctx, q, ggml_add(ctx, k, v));
}

T same(Ctx ctx, T x, int64_t n_embd, int64_t n_tokens) {
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, n_embd, 3 * n_embd);
  T cur = ggml_mul_mat(ctx, w, x);
  T q = ggml_view_2d(ctx, cur, n_embd, n_tokens, cur->nb[1], 0);
  T k = ggml_view_2d(ctx, cur, n_embd, n_tokens, cur->nb[1], sizeof(float) * n_embd);
  T v = ggml_view_2d(ctx, cur, n_embd, n_tokens, cur->nb[1], sizeof(float) * n_embd);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_view_2d(ctx, cur, {{.*}}): the parts that views take of its rows add up to 3*n_embd elements, and none starts at 2*n_embd, where others end: they start at 0, n_embd, n_embd; it reads other elements
  return ggml_add(ctx, q, ggml_add(ctx, k, v));
}

// A part that is looked at twice, and rows that are not all taken.
T parts(Ctx ctx, T x, int64_t n_embd, int64_t n_tokens) {
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, n_embd, 4 * n_embd);
  T cur = ggml_mul_mat(ctx, w, x);
  T a = ggml_view_2d(ctx, cur, n_embd, n_tokens, cur->nb[1], sizeof(float) * n_embd);
  T b = ggml_view_2d(ctx, cur, n_embd, n_tokens, cur->nb[1], 3 * sizeof(float) * n_embd);
  return ggml_add(ctx, a, b);
}

// Of a row that nobody counted: the last part ends where all three together do.
T startsInTheFirst(Ctx ctx, T w, T x, const Hp &hp, int64_t n) {
  T y = ggml_mul_mat(ctx, w, x);
  const size_t head = ggml_row_size(y->type, hp.n_embd_head), q = head * hp.n_head, k = head * hp.n_head_kv;
  T Q = ggml_view_3d(ctx, y, hp.n_embd_head, hp.n_head, n, head, y->nb[1], 0);
  T K = ggml_view_3d(ctx, y, hp.n_embd_head, hp.n_head_kv, n, head, y->nb[1], k);
  T V = ggml_view_3d(ctx, y, hp.n_embd_head, hp.n_head_kv, n, head, y->nb[1], q + k);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_view_3d(ctx, y, {{.*}}): the parts that views take of its rows add up to {{.*}} elements, and none starts at hp.n_embd_head*hp.n_head, where others end: they start at 0, hp.n_embd_head*hp.n_head_kv, {{.*}}; it reads other elements
  return ggml_mul_mat(ctx, ggml_add(ctx, K, V), Q);
}
T oneBehindAnother(Ctx ctx, T w, T x, const Hp &hp, int64_t n) {
  T y = ggml_mul_mat(ctx, w, x);
  const size_t head = ggml_row_size(y->type, hp.n_embd_head), q = head * hp.n_head, k = head * hp.n_head_kv;
  T Q = ggml_view_3d(ctx, y, hp.n_embd_head, hp.n_head, n, head, y->nb[1], 0);
  T K = ggml_view_3d(ctx, y, hp.n_embd_head, hp.n_head_kv, n, head, y->nb[1], q);
  T V = ggml_view_3d(ctx, y, hp.n_embd_head, hp.n_head_kv, n, head, y->nb[1], q + k);
  return ggml_mul_mat(ctx, ggml_add(ctx, K, V), Q);
}
