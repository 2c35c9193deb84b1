// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// What operations ask of their operands, and what happens otherwise.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

T softMax(Ctx ctx, int64_t a, int64_t b, int64_t c, T mask) {
  T x = ggml_permute(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, a, b, c), 0, 2, 1, 3);
  T y = ggml_soft_max(ctx, x);
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_soft_max(ctx, x) needs a contiguous tensor, 'x' has ne [a, c, b], nb [1, a*b, a] elements; aborts unless b or c is 1 [tensor-view-after-permute]
  // CHECK: note: ggml_cont() of it copies a*b*c elements
  T m = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F16, a, b));
  return ggml_soft_max_ext(ctx, y, m, 1.0f, 0.0f);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_soft_max_ext({{.*}}) needs a contiguous tensor, 'm' has ne [a, a], nb [a, 1] elements; aborts unless a is 1
}

T softMaxBack(Ctx ctx, int64_t a, int64_t b) {
  T x = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b));
  T y = ggml_soft_max_ext_back(ctx, ggml_dup(ctx, x), x, 1.0f, 0.0f);
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_soft_max_ext_back({{.*}}) needs a contiguous tensor, 'x' has ne [b, a], nb [a, 1] elements; aborts on the CPU backend unless a or b is 1
  return ggml_soft_max_ext_back_inplace(ctx, y, ggml_cont(ctx, x), 1.0f, 0.0f);
}

T unary(Ctx ctx, int64_t a, int64_t b) {
  T x = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b));
  return ggml_gelu(ctx, x);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_gelu(ctx, x) needs dense rows, 'x' has ne [b, a], nb [a, 1] elements; aborts unless a or b is 1
}

T product(Ctx ctx, T x, int64_t a, int64_t b) {
  T w = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b));
  return ggml_mul_mat(ctx, w, x);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_mul_mat(ctx, w, x) does not take a transposed tensor, 'w' has ne [b, a], nb [a, 1] elements; aborts unless a is 1
}

T onCpu(Ctx ctx, T w, int64_t a, int64_t b) {
  T x = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b));
  T p = ggml_mul_mat(ctx, w, x);
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_mul_mat(ctx, w, x) needs dense rows, 'x' has ne [b, a], nb [a, 1] elements; aborts on the CPU backend unless a or b is 1
  return ggml_add(ctx, x, p);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_add(ctx, x, p) needs dense rows, 'x' {{.*}}; aborts on the CPU backend unless {{.*}} is 1
}

T scaled(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 3 * n, n);
  T q = ggml_view_2d(ctx, x, n, n, x->nb[1], 0);
  return ggml_scale(ctx, q, 0.5f);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_scale({{.*}}) needs a contiguous tensor, 'q' has ne [n, n], nb [1, 3*n] elements; aborts on the CPU backend unless n is 1
}

T wrongRows(Ctx ctx, int64_t a, int64_t b, int64_t c) {
  T x = ggml_permute(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, a, b, c), 0, 2, 1, 3);
  T s = ggml_argsort(ctx, x, GGML_SORT_ORDER_ASC);
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_argsort({{.*}}) needs a tensor whose rows are dense and evenly spaced, 'x' has ne [a, c, b], nb [1, a*b, a] elements; the CPU backend reads other elements unless {{.*}} is 1
  ggml_set_name(s, "order");
  T t = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b));
  return ggml_mean(ctx, t);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_mean(ctx, t) needs dense rows, {{.*}}; the CPU backend reads other elements unless a or b is 1
}

T padded(Ctx ctx, T b) {
  T x = ggml_view_3d(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 8), 8, 4, 2, 32, 256, 0);
  return ggml_add1(ctx, x, b);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_add1(ctx, x, b) needs dense and evenly spaced rows, 'x' has ne [8, 4, 2], nb [1, 8, 64] elements; aborts
}

// ggml_scale() looks at nb of dimensions of size 1, too; ggml_relu() does not.
T oneToken(Ctx ctx, int64_t D, int64_t H) {
  T q = ggml_permute(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, D, H, 1), 0, 2, 1, 3);
  T r = ggml_relu(ctx, q);
  q = ggml_scale(ctx, q, 0.3f);
  // CHECK: :[[#@LINE-1]]:7: warning: ggml_scale(ctx, q, 0.3) needs dense and evenly spaced rows, 'q' has ne [D, 1, H], nb [1, D*H, D] elements; aborts unless H is 1
  return ggml_add(ctx, ggml_scale(ctx, r, 1e-6f), q);
}

// Weights have the names they have in the code.
struct Layer {
  T wv;
};
T named(Ctx ctx, Layer *layers, int il, int64_t n, int64_t m) {
  return ggml_mul_mat(ctx, ggml_transpose(ctx, ggml_scale(ctx, layers[il].wv, 0.5f)), ggml_flash_attn_ext(ctx, layers[il].wv, layers[0].wv, layers[0].wv, NULL, 0.1f, 0.0f, 0.0f));
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_mul_mat(ctx, ..., ...) does not take a transposed tensor, its operand has ne [layers[il].wv->ne[1], layers[il].wv->ne[0]{{.*}}; aborts unless
}

// Broadcast operands, permuted heads and strided rows are welcome.
T welcome(Ctx ctx, T k, int64_t D, int64_t H, int64_t N) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 3 * D * H, N);
  T q = ggml_view_3d(ctx, x, D, H, N, D * sizeof(float), x->nb[1], 0);
  T p = ggml_permute(ctx, q, 0, 2, 1, 3);
  T s = ggml_mul_mat(ctx, p, ggml_permute(ctx, k, 0, 2, 1, 3));
  s = ggml_add(ctx, s, ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, D, H)));
  s = ggml_add(ctx, ggml_rms_norm(ctx, q, 1e-5f), ggml_gelu(ctx, q));
  s = ggml_concat(ctx, s, ggml_transpose(ctx, ggml_dup(ctx, s)), 0);
  return ggml_cast(ctx, ggml_transpose(ctx, s), GGML_TYPE_F16);
}

// A parameter's rows may be strided or not.
T parameters(Ctx ctx, T x, T y) {
  x = ggml_gelu(ctx, ggml_scale(ctx, x, 2.0f));
  return ggml_soft_max(ctx, ggml_mul_mat(ctx, y, x));
}
