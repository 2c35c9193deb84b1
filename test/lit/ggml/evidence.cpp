// RUN: %check %s --checks=-*,tensor-view-after-permute -- -std=c++17 -I%S/Inputs
// Views at offsets of rows of unknown width prove how long these are.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

struct Params {
  int64_t n_embd_head, n_head, n_head_kv;
};

// The views of k and v come later, and are on every path.
T attention(Ctx ctx, T wqkv, T x, const Params &hp, int64_t n) {
  T qkv = ggml_mul_mat(ctx, wqkv, x);
  const int64_t nq = hp.n_embd_head * hp.n_head, nkv = hp.n_embd_head * hp.n_head_kv;
  T q = ggml_view_2d(ctx, qkv, nq, n, qkv->nb[1], 0);
  q = ggml_reshape_3d(ctx, q, hp.n_embd_head, hp.n_head, n);
  // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: ggml_reshape_3d(ctx, q, hp.n_embd_head, hp.n_head, n) needs a contiguous tensor, 'q' has ne [hp.n_embd_head*hp.n_head, n], nb [1, wqkv->ne[1]] elements; aborts unless n is 1 or hp.n_head_kv is 0 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'q' got this layout here
  // CHECK-MESSAGES: note: wqkv->ne[1] is at least {{.*}}n_head_kv{{.*}} by this
  // CHECK-MESSAGES: note: ggml_cont_3d() copies
  T k = ggml_view_2d(ctx, qkv, nkv, n, qkv->nb[1], ggml_row_size(qkv->type, nq));
  T v = ggml_view_2d(ctx, qkv, nkv, n, qkv->nb[1], ggml_row_size(qkv->type, nq + nkv));
  k = ggml_cont_3d(ctx, k, hp.n_embd_head, hp.n_head_kv, n);
  v = ggml_cont_3d(ctx, v, hp.n_embd_head, hp.n_head_kv, n);
  return ggml_flash_attn_ext(ctx, q, k, v, nullptr, 1.0f, 0.0f, 0.0f);
}

T values(Ctx ctx, T w, T x, int64_t d, int64_t h, int64_t g) {
  T y = ggml_mul_mat(ctx, w, x);
  T v = ggml_view_3d(ctx, y, d, g, x->ne[1], d * sizeof(float), y->nb[1], (d * h + d * g) * sizeof(float));
  return ggml_reshape_2d(ctx, v, d, g * x->ne[1]);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_reshape_2d(ctx, v, d, x->ne[1]*g) needs a contiguous tensor, 'v' has ne [d, g, x->ne[1]], nb [1, d, w->ne[1]] elements; aborts unless x->ne[1] is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'v' got this layout here
  // CHECK-MESSAGES: :[[#@LINE-4]]:9: note: w->ne[1] is at least 2*d*g + d*h by this
  // CHECK-MESSAGES: note: ggml_cont_2d() copies
}

T inner(Ctx ctx, T w, T x, int64_t d, int64_t n) {
  T xz = ggml_mul_mat(ctx, w, x);
  T xs = ggml_view_2d(ctx, xz, d, n, xz->nb[1], 0);
  T z = ggml_view_2d(ctx, xz, d, n, xz->nb[1], d * ggml_element_size(xz));
  T y = ggml_reshape_1d(ctx, xs, d * n);
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: ggml_reshape_1d(ctx, xs, d*n) needs a contiguous tensor, 'xs' has ne [d, n], nb [1, w->ne[1]] elements; aborts unless n is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'xs' got this layout here
  // CHECK-MESSAGES: note: w->ne[1] is at least 2*d
  // CHECK-MESSAGES: note: ggml_cont_1d() copies
  return ggml_mul(ctx, y, ggml_cont_1d(ctx, z, d * n));
}

T rotated(Ctx ctx, T y, int64_t plain, int64_t pe, int64_t h, int64_t n) {
  T q = ggml_view_3d(ctx, y, pe, h, n, y->nb[1], y->nb[2], plain * ggml_element_size(y));
  return ggml_reshape_2d(ctx, q, pe * h, n);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_reshape_2d(ctx, q, pe*h, n) needs a contiguous tensor, 'q' has ne [pe, h, n], nb [1, y->nb[1], y->nb[2]] elements; aborts unless h is 1 or plain is 0 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'q' got this layout here
  // CHECK-MESSAGES: note: y->nb[1] is at least
  // CHECK-MESSAGES: note: ggml_cont_2d() copies
}

// --- Rows that may end where the part does.

T all(Ctx ctx, T w, T x, int64_t d, int64_t n) {
  T y = ggml_mul_mat(ctx, w, x);
  return ggml_reshape_1d(ctx, ggml_view_2d(ctx, y, d, n, y->nb[1], 0), d * n);
}
T heads(Ctx ctx, T w, T x, int64_t d, int64_t h, int64_t n) {
  T y = ggml_mul_mat(ctx, w, x);
  return ggml_reshape_2d(ctx, ggml_view_3d(ctx, y, d, h, n, d * 4, y->nb[1], 0), d * h, n);
}
// From another row on.
T laterRows(Ctx ctx, T w, T x, int64_t d, int64_t n) {
  T y = ggml_mul_mat(ctx, w, x);
  return ggml_reshape_1d(ctx, ggml_view_2d(ctx, y, d, n - 1, y->nb[1], y->nb[1]), d * (n - 1));
}
T halves(Ctx ctx, T w, T x, int64_t d, int64_t n) {
  T y = ggml_mul_mat(ctx, w, x);
  T first = ggml_view_2d(ctx, y, d, n, y->nb[1], 0), second = ggml_view_2d(ctx, y, d, n, y->nb[1], n * y->nb[1]);
  return ggml_add(ctx, ggml_reshape_1d(ctx, first, d * n), ggml_reshape_1d(ctx, second, d * n));
}
// The row is known, and the offset is one of it.
T shifted(Ctx ctx, int64_t d, int64_t n) {
  T y = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, d, n + 1);
  return ggml_reshape_1d(ctx, ggml_view_2d(ctx, y, d, n, y->nb[1], d * 4), d * n);
}
