// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// What GGML_ASSERT says of sizes.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

T product(Ctx ctx, int64_t n) {
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 32, n);
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
  return ggml_mul_mat(ctx, w, x);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_mul_mat(ctx, w, x): ne[0] of 'w' is 32, ne[0] of 'x' is 64; aborts [tensor-shape-mismatch]
  // CHECK: :[[#@LINE-4]]:9: note: 'w' has ne [32, n] here: ggml_new_tensor_2d(ctx, float32, 32, n)
  // CHECK: :[[#@LINE-4]]:9: note: 'x' has ne [64, n] here
}

T heads(Ctx ctx, int64_t n) {
  T k = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 64, n, 3);
  T q = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 64, n, 8);
  return ggml_mul_mat(ctx, k, q);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_mul_mat(ctx, k, q): ne[2] of 'q' is 8, ne[2] of 'k' is 3, which does not divide it; aborts
}

T reshaped(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
  T y = ggml_reshape_3d(ctx, x, 16, 4, n + 1);
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_reshape_3d(ctx, x, 16, 4, n + 1): shape [16, 4, n + 1] does not fit the 64*n elements of 'x'; aborts
  x = ggml_cont_2d(ctx, ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 6, 4)), 5, 5);
  // CHECK: :[[#@LINE-1]]:7: warning: ggml_cont_2d(ctx, ..., 5, 5): shape [5, 5] does not fit the 24 elements of operand 1; aborts
  ggml_set_name(y, "y");
  return x;
}

T sums(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
  T a = ggml_add(ctx, x, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 48, 1));
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_add(ctx, x, ...): ne[0] of 'x' is 64, ne[0] of operand 2 is 48, which does not divide it; aborts
  T b = ggml_concat(ctx, x, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 48, n), 1);
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_concat({{.*}}): ne[0] of 'x' is 64, ne[0] of operand 2 is 48; aborts
  return ggml_swiglu_split(ctx, ggml_concat(ctx, x, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 48, n), 0), x);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_swiglu_split({{.*}}): ne[0] of operand 1 is 112, ne[0] of 'x' is 64; aborts
}

T axes(Ctx ctx, T x) {
  return ggml_permute(ctx, x, 0, 2, 2, 3);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_permute(ctx, x, 0, 2, 2, 3): dimension 2 is named twice; aborts
}

T rows(Ctx ctx, T w, int64_t n) {
  T cache = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 1024);
  T k = ggml_reshape_2d(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 128, n), 128, n);
  return ggml_set_rows(ctx, cache, k, w);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_set_rows(ctx, cache, k, w): ne[0] of 'cache' is 64, ne[0] of 'k' is 128; aborts
}

T mask(Ctx ctx, T m, bool wide, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 8);
  m = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, wide ? 8 : 4);
  return ggml_soft_max_ext(ctx, x, m, 1.0f, 0.0f);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_soft_max_ext({{.*}}): ne[1] of 'x' is 8, ne[1] of 'm' is 4, which is less; aborts when 'wide' is false
}

T copied(Ctx ctx) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 8);
  return ggml_cpy(ctx, x, ggml_new_tensor_1d(ctx, GGML_TYPE_F16, 500));
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_cpy({{.*}}): operand 2 has 500 elements, 'x' has 512 elements; aborts
}

T convolved(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 64, 64, 3, n);
  T k = ggml_new_tensor_4d(ctx, GGML_TYPE_F16, 3, 3, 8, 16);
  return ggml_conv_2d(ctx, k, x, 1, 1, 1, 1, 1, 1);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_conv_2d({{.*}}): ne[2] of 'k' is 8, ne[2] of 'x' is 3; aborts
}
T features(Ctx ctx, T k, T b) {
  T x = ggml_conv_2d(ctx, ggml_reshape_4d(ctx, k, 3, 3, 3, 16), ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 64, 64, 3, 1), 1, 1, 1, 1, 1, 1);
  return ggml_concat(ctx, x, ggml_reshape_4d(ctx, b, 64, 64, 8, 1), 3);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_concat({{.*}}): ne[2] of 'x' is 16, ne[2] of operand 2 is 8; aborts
}
T grown(Ctx ctx) {
  T x = ggml_pad(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 60, 8), 4, 0, 0, 0);
  x = ggml_add(ctx, x, ggml_reshape_2d(ctx, ggml_arange(ctx, 0, 64, 1), 64, 1));
  return ggml_reshape_2d(ctx, x, 60, 8);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_reshape_2d(ctx, x, 60, 8): shape [60, 8] does not fit the 512 elements of 'x'; aborts
}

// Bodies of functions that are called with sizes that do not fit.
static T inner(Ctx ctx, T x, int64_t n) {
  return ggml_reshape_2d(ctx, x, 7, n);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_reshape_2d(ctx, x, 7, n): shape [7, 9] does not fit the 64 elements of 'x'; aborts
}
T outer(Ctx ctx) { return inner(ctx, ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 64), 9); }

// Sizes that may be equal, may be 1, or may be 0; broadcasts that ggml repeats.
T fits(Ctx ctx, T w, T x, T b, T ids, int64_t n, int64_t m) {
  T y = ggml_mul_mat(ctx, w, x);
  y = ggml_add(ctx, y, b);
  y = ggml_reshape_2d(ctx, y, y->ne[0], y->ne[1]);
  y = ggml_concat(ctx, y, ggml_get_rows(ctx, w, ids), 0);
  T z = ggml_reshape_3d(ctx, y, n, y->ne[0] / n, y->ne[1]);
  z = ggml_mul(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n), ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 16));
  z = ggml_add(ctx, z, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 1, m));
  T e = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 0);
  for (int64_t i = 0; i < n; ++i)
    e = ggml_concat(ctx, e, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 4), 1);
  e = ggml_reshape_2d(ctx, e, 8, m);
  return ggml_reshape_2d(ctx, ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 6 * n), 8, n); // n may be 0
}
