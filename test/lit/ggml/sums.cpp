// RUN: %check %s --checks=-*,tensor-view-after-permute,tensor-shape-mismatch -- -std=c++17 -I%S/Inputs
// Parts of rows that are sums: each part is shorter than the row.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

struct Params {
  int64_t n_head, n_head_kv, n_rot, n_plain;
};

T fused(Ctx ctx, T w, T x, const Params &p, int64_t d, int64_t n) {
  const int64_t nq = d * p.n_head, nkv = d * p.n_head_kv;
  T qkv = ggml_reshape_2d(ctx, ggml_mul_mat(ctx, w, x), nq + 2 * nkv, n);
  T q = ggml_view_3d(ctx, qkv, d, p.n_head, n, d * sizeof(float), qkv->nb[1], 0);
  T k = ggml_view_2d(ctx, qkv, nkv, n, qkv->nb[1], nq * sizeof(float));
  k = ggml_reshape_3d(ctx, k, d, p.n_head_kv, n);
  // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: ggml_reshape_3d({{.*}}) needs a contiguous tensor, 'k' has ne [{{.*}}, n], nb [1, {{.*}} + {{.*}}] elements; aborts unless n is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'k' got this layout here
  // CHECK-MESSAGES: note: ggml_cont_3d() copies
  return ggml_mul_mat(ctx, ggml_permute(ctx, k, 0, 2, 1, 3), ggml_permute(ctx, q, 0, 2, 1, 3));
}

// The same part, by heads: a view of three dimensions needs no copy.
T fusedByHeads(Ctx ctx, T w, T x, const Params &p, int64_t d, int64_t n) {
  const int64_t nq = d * p.n_head, nkv = d * p.n_head_kv;
  T qkv = ggml_reshape_2d(ctx, ggml_mul_mat(ctx, w, x), nq + 2 * nkv, n);
  T k = ggml_view_3d(ctx, qkv, d, p.n_head_kv, n, d * sizeof(float), qkv->nb[1], nq * sizeof(float));
  return ggml_cont_2d(ctx, k, nkv, n);
}

T rotated(Ctx ctx, const Params &p, int64_t heads, int64_t n) {
  T q = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, p.n_plain + p.n_rot, heads, n);
  T pe = ggml_view_3d(ctx, q, p.n_rot, heads, n, q->nb[1], q->nb[2], p.n_plain * ggml_element_size(q));
  return ggml_reshape_2d(ctx, pe, p.n_rot * heads, n);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_reshape_2d({{.*}}) needs a contiguous tensor, 'pe' has ne [{{.*}}n_rot, heads, n], nb [1, {{.*}}] elements; aborts unless heads*n is 1 or {{.*}}n_plain is 0 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'pe' got this layout here
  // CHECK-MESSAGES: note: ggml_cont_2d() copies
}

T lastOfState(Ctx ctx, int64_t inner, int64_t groups, int64_t state, int64_t n) {
  T all = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, inner + 2 * groups * state, n);
  T c = ggml_view_2d(ctx, all, groups * state, n, all->nb[1], (inner + groups * state) * ggml_element_size(all));
  return ggml_reshape_3d(ctx, c, state, groups, n);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_reshape_3d({{.*}}) needs a contiguous tensor, 'c' {{.*}}; aborts unless n is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'c' got this layout here
  // CHECK-MESSAGES: note: ggml_cont_3d() copies
}

// --- Right.

T all(Ctx ctx, int64_t a, int64_t b, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a + b, n);
  return ggml_reshape_1d(ctx, ggml_view_2d(ctx, x, b + a, n, x->nb[1], 0), n * a + n * b);
}
T lastRows(Ctx ctx, int64_t a, int64_t b, int64_t w) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, w, a + b);
  return ggml_reshape_1d(ctx, ggml_view_2d(ctx, x, w, b, x->nb[1], a * x->nb[1]), w * b);
}
T joinedRows(Ctx ctx, T x, T y, int64_t w, int64_t a, int64_t b) {
  x = ggml_reshape_2d(ctx, x, w, a);
  y = ggml_reshape_2d(ctx, y, w, b);
  T both = ggml_concat(ctx, x, y, 1);
  return ggml_reshape_2d(ctx, ggml_view_2d(ctx, both, w, b, both->nb[1], a * both->nb[1]), b * w, 1);
}
T oneRow(Ctx ctx, int64_t a, int64_t b) {
  T x = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, a + b);
  return ggml_reshape_2d(ctx, ggml_view_1d(ctx, x, b, a * sizeof(float)), b, 1);
}
