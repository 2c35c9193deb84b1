// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// RUN: not %tensortidy --config='{Checks: "-*,tensor-view-after-permute", CheckOptions: {tensor-view-after-permute.Level: 0}}' %s -- -std=c++17 -I%S/Inputs | FileCheck %s --check-prefix=CERTAIN
// ggml_reshape() asks for a contiguous tensor, and aborts.
// CERTAIN-NOT: backend
// CERTAIN-NOT: when '

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

T heads(Ctx ctx, T w, T x, int64_t D, int64_t H, int64_t N) {
  T q = ggml_reshape_3d(ctx, ggml_mul_mat(ctx, w, x), D, H, N);
  q = ggml_permute(ctx, q, 0, 2, 1, 3);
  return ggml_reshape_2d(ctx, q, D * N, H);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_reshape_2d(ctx, q, D*N, H) needs a contiguous tensor, 'q' has ne [D, N, H], nb [1, D*H, D] elements; aborts unless H or N is 1 [tensor-view-after-permute]
  // CHECK: ggml_cont_2d
  // CHECK: :[[#@LINE-4]]:7: note: 'q' got this layout here: ggml_permute(ctx, q, 0, 2, 1, 3) of a contiguous tensor of ne [D, H, N]
  // CHECK: :[[#@LINE-4]]:10: note: ggml_cont_2d() copies D*H*N elements and gives them this shape; ggml_cont() before ggml_reshape_2d() does the same
}

// Destination order: dimension 0 goes to 1, 1 to 2, 2 to 0.
T destination(Ctx ctx, int64_t a, int64_t b, int64_t c) {
  T x = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, a, b, c);
  x = ggml_permute(ctx, x, 1, 2, 0, 3);
  return ggml_reshape_1d(ctx, x, a * b * c);
  // CHECK: :[[#@LINE-1]]:10: warning: {{.*}}'x' has ne [c, a, b], nb [a*b, 1, a] elements; aborts unless {{.*}}
}

T transposed(Ctx ctx, int64_t a, int64_t b) {
  T x = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b));
  return ggml_reshape_1d(ctx, x, ggml_nelements(x));
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_reshape_1d({{.*}} needs a contiguous tensor, 'x' has ne [b, a], nb [a, 1] elements; aborts unless a or b is 1
}

// Its dimensions would merge, but ggml does not look.
T paddedRows(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 2 * n, n);
  T v = ggml_view_2d(ctx, x, n, n, x->nb[1], 0);
  return ggml_reshape_1d(ctx, v, n * n);
  // CHECK: :[[#@LINE-1]]:10: warning: {{.*}}'v' has ne [n, n], nb [1, 2*n] elements; aborts unless n is 1
}

T topK(Ctx ctx, int64_t n, int64_t m) {
  T best = ggml_argsort_top_k(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 8, n), 2);
  return ggml_reshape_1d(ctx, best, 2 * n);
  // CHECK: :[[#@LINE-1]]:10: warning: {{.*}}'best' has ne [2, n], nb [1, 8] elements; aborts unless n is 1
}

T like(Ctx ctx, T shape, int64_t a, int64_t b) {
  return ggml_reshape(ctx, ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b)), shape);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_reshape(ctx, {{.*}}) needs a contiguous tensor, its operand has ne [b, a], nb [a, 1] elements; aborts unless
}

// Parameters, weights and results of unknown calls may have any layout.
T parameter(Ctx ctx, T x) {
  T y = ggml_permute(ctx, x, 0, 2, 1, 3);
  return ggml_reshape_2d(ctx, y, y->ne[0] * y->ne[1], y->ne[2]);
  // CHECK: :[[#@LINE-1]]:10: warning: {{.*}}; aborts when 'x' is contiguous, unless x->ne[1] or x->ne[2] is 1
}

// A reshape that returns says its operand is contiguous.
T learned(Ctx ctx, T x) {
  T flat = ggml_reshape_1d(ctx, x, ggml_nelements(x));
  ggml_set_name(flat, "flat");
  return ggml_reshape_1d(ctx, ggml_transpose(ctx, x), ggml_nelements(x));
  // CHECK: :[[#@LINE-1]]:10: warning: {{.*}}; aborts unless x->ne[0] or x->ne[1] is 1
  // CERTAIN: :[[#@LINE-2]]:10: warning: {{.*}}; aborts unless x->ne[0] or x->ne[1] is 1
}

// Quotients that serve as sizes are sizes, in a sum of them too.
T quotients(Ctx ctx, T x, int64_t k, int64_t v, int64_t hk, int64_t hv, int64_t n) {
  int64_t parts[2] = {k, v * hv / hk};
  T all = ggml_cont_3d(ctx, x, parts[0] + parts[1], hk, n);
  T value = ggml_view_3d(ctx, all, parts[1], hk, n, all->nb[1], all->nb[2], parts[0] * ggml_element_size(all));
  T key = ggml_view_3d(ctx, all, k, hk, n, all->nb[1], all->nb[2], 0);
  return ggml_add(ctx, ggml_cont_2d(ctx, value, parts[1] * hk, n), ggml_reshape_2d(ctx, key, k * hk, n));
  // CHECK: :[[#@LINE-1]]:68: warning: {{.*}} needs a contiguous tensor, 'key' has ne [k, hk, n], nb [1, k + v*hv/hk, hk*(k + v*hv/hk)] elements; aborts unless hk*n is 1 [tensor-view-after-permute]
}

// What a loop concatenates has a length that nobody knows.
T layer(int64_t i);
T grown(Ctx ctx, int64_t count) {
  T all = layer(0);
  for (int64_t i = 1; i < count; ++i)
    all = ggml_concat(ctx, all, layer(i), 0);
  all = ggml_permute(ctx, all, 1, 0, 2, 3);
  return ggml_reshape_3d(ctx, all, 2, 2, all->ne[1]);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_reshape_3d(ctx, all, 2, 2, {{[a-z>-]+}}
}

// The operand is what another function gave.
static T turned(Ctx ctx, T x, bool again) { return again ? ggml_transpose(ctx, x) : x; }
T unnamed(Ctx ctx, int64_t n, int64_t m) {
  T x = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, m));
  return ggml_reshape_1d(ctx, turned(ctx, x, false), n * m);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_reshape_1d(ctx, ..., n*m) needs a contiguous tensor, its operand has ne [m, n], nb [n, 1] elements; aborts unless n or m is 1
}
