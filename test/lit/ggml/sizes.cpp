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
  return ggml_get_rows(ctx, ggml_reshape_3d(ctx, e, 8, 1, m), w); // may have as many indices
}

// Nobody means sizes of 0.
T multiple(Ctx ctx, int64_t n, int64_t m, int64_t k) {
  T x = ggml_reshape_2d(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 6 * n, m), 8 * n, m);
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_reshape_2d(ctx, ..., 8*n, m): shape [8*n, m] does not fit the 6*n*m elements of operand 1; aborts unless it is empty
  T y = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n / k, m);
  x = ggml_add(ctx, x, ggml_reshape_2d(ctx, y, k, n / k * m / k)); // k divides n
  y = ggml_reshape_2d(ctx, y, n / k * 4, m);
  // CHECK: :[[#@LINE-1]]:7: warning: ggml_reshape_2d(ctx, y, {{.*}}): shape [4*(n/k), m] does not fit the m*(n/k) elements of 'y'; aborts unless it is empty
  x = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 2 * n);
  return ggml_mul(ctx, y, ggml_add(ctx, ggml_swiglu(ctx, x), x));
  // CHECK: :[[#@LINE-1]]:27: warning: ggml_add({{.*}}): ne[0] of operand 1 is n, ne[0] of 'x' is 2*n, which does not divide it; aborts unless it is empty
}

// What has to be 1 is a number that the code counts with, not a dimension that
// a tensor may have or not.
struct Model {
  Ctx ctx;
  int64_t n_head, n_tokens, n_embd_head, n_used;
  T wk, gate;
  T stored(T cur, T cache, T ids) {
    T k = ggml_reshape_3d(ctx, ggml_mul_mat(ctx, wk, cur), n_embd_head, n_head, n_tokens);
    T to = ggml_view_1d(ctx, cache, n_embd_head * n_tokens, 0);
    return ggml_cpy(ctx, k, to);
    // CHECK: :[[#@LINE-1]]:12: warning: ggml_cpy(ctx, k, to): 'to' has n_embd_head*n_tokens elements, 'k' has n_embd_head*n_head*n_tokens elements; aborts unless n_head is 1
  }
  T weights(T cur) {
    T probs = ggml_soft_max(ctx, ggml_reshape_2d(ctx, ggml_mul_mat(ctx, gate, cur), n_head, n_tokens));
    T best = ggml_argsort_top_k(ctx, probs, n_used);
    T right = ggml_get_rows(ctx, ggml_reshape_3d(ctx, probs, 1, n_head, n_tokens), best);
    return ggml_concat(ctx, right, ggml_get_rows(ctx, probs, best), 0);
    // CHECK: :[[#@LINE-1]]:36: warning: ggml_get_rows(ctx, probs, best): ne[2] of 'probs' is 1, ne[1] of 'best' is n_tokens; aborts unless n_tokens is 1
  }
  T one(T cur, T x) {
    if (n_tokens == 1)
      return ggml_reshape_1d(ctx, ggml_reshape_2d(ctx, cur, n_head, n_tokens), n_head);
    T y = ggml_mul(ctx, x, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 1, n_tokens));
    return ggml_reshape_3d(ctx, ggml_reshape_2d(ctx, y, n_head, n_tokens), n_head, 1, n_tokens);
  }
  // One image at a time.
  T batch(T w, T ids, int n_batch) {
    T x = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, n_head, n_tokens, 3, n_batch);
    T y = ggml_reshape_2d(ctx, x, n_head * n_tokens, 3);
    y = ggml_add(ctx, ggml_get_rows(ctx, y, ids), ggml_new_tensor_3d(ctx, GGML_TYPE_F32, n_head, 1, n_batch));
    T none = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 0);
    return ggml_add(ctx, none, ggml_reshape_1d(ctx, y, ggml_nelements(y)));
  }
};

// Types that are known. Those of weights and parameters are not.
T types(Ctx ctx, T w, T x) {
  T ids = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 8);
  T rows = ggml_get_rows(ctx, w, ids);
  // CHECK: :[[#@LINE-1]]:12: warning: ggml_get_rows(ctx, w, ids): 'ids' is of float32, not of int32; aborts [tensor-shape-mismatch]
  // CHECK: :[[#@LINE-3]]:11: note: 'ids' has ne [8] here: ggml_new_tensor_1d(ctx, float32, 8)
  // Rows of what may be integers may be such, too.
  T half = ggml_cast(ctx, rows, GGML_TYPE_F16);
  T both = ggml_concat(ctx, rows, half, 0);
  rows = ggml_get_rows(ctx, ggml_cast(ctx, w, GGML_TYPE_F16), ggml_cast(ctx, ids, GGML_TYPE_I32));
  both = ggml_concat(ctx, rows, half, 0);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_concat(ctx, rows, half, 0): 'rows' is of float32, 'half' of float16; aborts
  both = ggml_concat(ctx, w, x, 0);
  return ggml_add(ctx, both, ggml_get_rows(ctx, w, ggml_cast(ctx, ids, GGML_TYPE_I32)));
}

// One position for each of ne[2].
T turnedFirst(Ctx ctx, T x) {
  T pos = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 5);
  x = ggml_reshape_3d(ctx, x, 8, 6, 5);
  T y = ggml_rope(ctx, ggml_permute(ctx, x, 0, 2, 1, 3), pos, 8, 0);
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_rope(ctx, ..., pos, 8, 0): ne[2] of operand 1 is 6, ne[0] of 'pos' is 5; aborts
  return ggml_add(ctx, ggml_rope(ctx, x, pos, 8, 0), ggml_permute(ctx, y, 0, 2, 1, 3));
}

T upsampled(Ctx ctx) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 10, 20);
  T fits = ggml_conv_transpose_1d(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 8, 12, 20), x, 4, 0, 1);
  return ggml_add(ctx, fits, ggml_conv_transpose_1d(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 8, 12, 24), x, 4, 0, 1));
  // CHECK: :[[#@LINE-1]]:30: warning: ggml_conv_transpose_1d({{.*}}): ne[2] of operand 1 is 24, ne[1] of 'x' is 20; aborts
}

// Views are in the memory of their tensor, and count bytes.
T views(Ctx ctx, T cache, int64_t d, int64_t h, int64_t n) {
  T x = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 64);
  T tail = ggml_view_1d(ctx, x, 16, 52 * sizeof(float));
  // CHECK: :[[#@LINE-1]]:12: warning: ggml_view_1d(ctx, x, 16, 208): 16 elements from 52 on are not in the 64 of 'x'; aborts
  T rest = ggml_view_1d(ctx, x, n, 64 * sizeof(float));
  // CHECK: :[[#@LINE-1]]:12: warning: ggml_view_1d(ctx, x, n, 256): n elements from 64 on are not in the 64 of 'x'; aborts unless it is empty
  ggml_set_name(rest, "rest");
  T frames = ggml_view_2d(ctx, x, 16, 13, 4 * sizeof(float), 0);
  // CHECK: :[[#@LINE-1]]:14: warning: ggml_view_2d(ctx, x, 16, 13, 16, 0): 208 elements are not in the 64 of 'x'; aborts
  T y = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, d * h, n);
  T heads = ggml_view_3d(ctx, y, d, n, h, d * h, d, 0);
  // CHECK: :[[#@LINE-1]]:13: warning: ggml_view_3d(ctx, y, d, n, h, d*h, d, 0): nb2 is d bytes, less than the 2*d of a row; its rows overlap
  T second = ggml_view_2d(ctx, y, d, n, y->nb[1], d);
  // CHECK: :[[#@LINE-1]]:14: warning: ggml_view_2d(ctx, y, d, n, {{.*}}, d): the offset is d bytes, not the 2*d of so many elements; it starts at another element
  ggml_set_name(tail, "tail");
  ggml_set_name(frames, "frames");
  ggml_set_name(second, "second");
  return heads;
}
T viewsThatAre(Ctx ctx, T cache, int64_t d, int64_t h, int64_t n, size_t row, size_t start) {
  T x = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 64);
  T tail = ggml_view_1d(ctx, x, 16, 48 * sizeof(float));
  T frames = ggml_view_2d(ctx, x, 8, 7, 4 * sizeof(float), 0); // windows
  T y = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, d * h, n);
  T heads = ggml_view_3d(ctx, y, d, n, h, ggml_row_size(y->type, d * h), ggml_row_size(y->type, d), 0);
  T last = ggml_view_2d(ctx, y, d, n, y->nb[1], (h - 1) * d * ggml_element_size(y));
  T bytes = ggml_view_2d(ctx, y, d, n, row, start);
  T half = ggml_view_2d(ctx, y, y->ne[0] / 2, n, y->nb[1], y->nb[1] / 2);
  T other = ggml_view_3d(ctx, cache, d, n, h, d * h, d, d);
  T once = ggml_view_2d(ctx, y, d, 1, d, 0);
  T none = ggml_view_1d(ctx, x, 0, 4096); // of nothing
  ggml_set_name(none, "none");
  ggml_set_name(tail, "tail");
  ggml_set_name(frames, "frames");
  ggml_set_name(last, "last");
  ggml_set_name(bytes, "bytes");
  ggml_set_name(half, "half");
  ggml_set_name(once, "once");
  return ggml_mul_mat(ctx, heads, other);
}

T rotated(Ctx ctx, int64_t d, int n) {
  T x = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 64, 8, 10), at = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 10);
  T some = ggml_rope(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, 8, 10), at, n, 0);
  ggml_set_name(some, "some");
  return ggml_add(ctx, ggml_rope(ctx, x, at, 32, 0), ggml_rope(ctx, x, at, 128, 0));
  // CHECK: :[[#@LINE-1]]:54: warning: ggml_rope(ctx, x, at, 128, 0): n_dims is 128, ne[0] of 'x' is 64, which is less; aborts
}

// Rows in place of a dimension of 1, where the caller wants it.
static T product(Ctx ctx, T w, T x, bool want) {
  const bool fold = want && x->ne[1] == 1 && x->ne[2] > 1 && ggml_is_contiguous(x);
  if (fold)
    x = ggml_reshape_2d(ctx, x, x->ne[0], x->ne[2]);
  T y = ggml_mul_mat(ctx, w, x);
  if (fold)
    y = ggml_reshape_3d(ctx, y, y->ne[0], 1, y->ne[1]);
  return y;
}
struct Step { bool fold; int rows, takes; };
T folded(Ctx ctx, T w, int64_t n, const Step *step, bool one) {
  const int64_t all = (int64_t)step->rows * step->takes;
  T h = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 64, one ? 1 : n, all);
  T q = product(ctx, w, h, step->fold);
  T k = product(ctx, w, h, step->fold);
  return ggml_add(ctx, q, ggml_add(ctx, k, product(ctx, w, h, step->fold)));
}
T layers(Ctx ctx, T *w, int64_t n, int count, const Step *step, bool one) {
  const int64_t all = (int64_t)step->rows * step->takes;
  T h = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 64, one ? 1 : n, all);
  for (int i = 0; i < count; ++i) {
    T q = product(ctx, w[0], h, step->fold);
    T k = product(ctx, w[1], h, step->fold);
    h = ggml_add(ctx, h, ggml_add(ctx, k, product(ctx, w[2], h, step->fold)));
    h = ggml_add(ctx, h, product(ctx, w[3], ggml_add(ctx, h, q), step->fold));
  }
  return product(ctx, w[4], h, step->fold);
}
T twiceAsked(Ctx ctx, int64_t n, int64_t rows, bool want) {
  T h = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 64, n, rows), x = h, y = h;
  const bool fold = want && x->ne[1] == 1;
  if (fold)
    x = ggml_reshape_2d(ctx, x, x->ne[0], x->ne[2]);
  const bool again = want && y->ne[1] == 1;
  if (again)
    y = ggml_reshape_2d(ctx, y, y->ne[0], y->ne[2]);
  return ggml_add(ctx, x, y);
}

// Without more than one of each it is one of each.
T repeated(Ctx ctx, T w, int64_t d, int64_t n, int64_t takes, int64_t rows) {
  T first = ggml_mul_mat(ctx, w, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, 1, takes * rows));
  T rest = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, 1, takes);
  if (n > 1)
    rest = ggml_concat(ctx, rest, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, n - 1, takes), 1);
  rest = ggml_mul_mat(ctx, w, rest);
  if (rows > 1)
    rest = ggml_repeat_4d(ctx, ggml_reshape_3d(ctx, rest, d * n, 1, takes), d * n, rows, takes, 1);
  rest = ggml_reshape_3d(ctx, rest, d, n, takes * rows);
  return ggml_concat(ctx, first, rest, 1);
}

// Rows of integers are integers.
T integers(Ctx ctx, T ids) {
  T cache = ggml_new_tensor_2d(ctx, GGML_TYPE_I32, 1, 8);
  T last = ggml_new_tensor_2d(ctx, GGML_TYPE_I32, 1, 1);
  cache = ggml_get_rows(ctx, ggml_concat(ctx, cache, last, 1), ids);
  return ggml_concat(ctx, cache, last, 1);
}

T gradientOfLoss(Ctx ctx) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 4, 8), y = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 4, 9);
  T one = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 1);
  T fits = ggml_cross_entropy_loss_back(ctx, one, x, ggml_dup(ctx, x));
  return ggml_cross_entropy_loss_back(ctx, one, fits, y);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_cross_entropy_loss_back({{.*}}): ne[1] of 'fits' is 8, ne[1] of 'y' is 9; aborts
}

// A vector beside rows, of which there are more than one. One row may be what is meant where nothing is said.
T rowsBesideOne(Ctx ctx, int64_t n_embd, int64_t n_tokens) {
  if (n_tokens < 2)
    return nullptr;
  T rows = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_embd, n_tokens), one = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, n_embd);
  return ggml_concat(ctx, rows, one, 0);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_concat(ctx, rows, one, 0): ne[1] of 'rows' is n_tokens, ne[1] of 'one' is 1; aborts
}
T rowBesideOne(Ctx ctx, int64_t n_embd, int64_t n_tokens) {
  T rows = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_embd, n_tokens), one = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, n_embd);
  return ggml_concat(ctx, rows, one, 0);
}

// The second operand of an element-wise operation is of float32, or of the first one's 16 bits.
T scaledByHalves(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, 7), gamma = ggml_new_tensor_1d(ctx, GGML_TYPE_F16, n);
  return ggml_mul(ctx, x, gamma);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_mul(ctx, x, gamma): 'gamma' is of float16, not of float32; aborts
}
T halvesScaled(Ctx ctx, int64_t n, T any) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, n, 7), gamma = ggml_new_tensor_1d(ctx, GGML_TYPE_F16, n);
  return ggml_add(ctx, ggml_mul(ctx, x, gamma), ggml_mul(ctx, any, gamma));
}
