// RUN: %silent %s --checks=-*,tensor-view-after-permute -- -std=c++17 -I%S/Inputs
// Layouts that ggml_reshape() takes, and layouts nobody knows.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;
T unknown(Ctx ctx, T x);

T copied(Ctx ctx, T x, int64_t a, int64_t b) {
  x = ggml_cont(ctx, ggml_transpose(ctx, x));
  return ggml_reshape_2d(ctx, x, a, b);
}

T twice(Ctx ctx, int64_t a, int64_t b) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b);
  x = ggml_transpose(ctx, ggml_transpose(ctx, x));
  return ggml_reshape_1d(ctx, x, a * b);
}

T inverse(Ctx ctx, int64_t a, int64_t b, int64_t c) {
  T x = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, a, b, c);
  x = ggml_permute(ctx, ggml_permute(ctx, x, 1, 2, 0, 3), 2, 0, 1, 3);
  return ggml_reshape_1d(ctx, x, a * b * c);
}

T onlySizeOne(Ctx ctx, int64_t a, int64_t b) {
  T x = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, a, 1, b);
  return ggml_reshape_1d(ctx, ggml_permute(ctx, x, 0, 2, 1, 3), a * b);
}

// Whole rows, however their stride is written.
T wholeRows(Ctx ctx, int64_t n, int64_t m, int64_t k) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, n, m);
  T a = ggml_view_2d(ctx, x, n, k, x->nb[1], 2 * x->nb[1]);
  T b = ggml_view_2d(ctx, x, n, k, ggml_row_size(x->type, n), 0);
  T c = ggml_view_2d(ctx, x, n, k, ggml_element_size(x) * n, 0);
  T d = ggml_view_2d(ctx, x, x->ne[0], k, x->ne[0] * ggml_type_size(GGML_TYPE_F16), 0);
  a = ggml_reshape_1d(ctx, a, n * k);
  b = ggml_reshape_1d(ctx, b, n * k);
  c = ggml_reshape_1d(ctx, c, n * k);
  d = ggml_reshape_1d(ctx, d, n * k);
  return ggml_concat(ctx, ggml_add(ctx, a, b), ggml_add(ctx, c, d), 0);
}

T quantised(Ctx ctx, int64_t n, int64_t m, int64_t k) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, n, m);
  T v = ggml_view_2d(ctx, x, n, k, ggml_row_size(x->type, n), 0);
  return ggml_reshape_1d(ctx, v, n * k);
}

// One row only: no stride matters.
T oneRow(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 3 * n, n);
  return ggml_reshape_2d(ctx, ggml_view_1d(ctx, x, n, n * sizeof(float)), n / 2, 2);
}

T strideUnknown(Ctx ctx, T x, size_t nb1, int64_t n) {
  return ggml_reshape_1d(ctx, ggml_view_2d(ctx, x, n, n, nb1, 0), n * n);
}

T called(Ctx ctx, T x) {
  T y = unknown(ctx, ggml_transpose(ctx, x));
  return ggml_reshape_1d(ctx, y, ggml_nelements(y));
}

T guarded(Ctx ctx, int64_t a, int64_t b) {
  T x = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b));
  if (!ggml_is_contiguous(x))
    x = ggml_cont(ctx, x);
  return ggml_reshape_1d(ctx, x, a * b);
}

T correlated(Ctx ctx, int64_t a, int64_t b, bool swap) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b);
  if (swap)
    x = ggml_transpose(ctx, x);
  x = ggml_gelu(ctx, ggml_relu(ctx, swap ? ggml_cont(ctx, x) : x));
  return ggml_reshape_1d(ctx, x, a * b);
}

// Only a tensor without elements takes this branch.
T asked(Ctx ctx, T w, T x, int64_t D, int64_t H, int64_t N) {
  T v = ggml_reshape_3d(ctx, ggml_mul_mat(ctx, w, x), D, H, N);
  bool turned = v->nb[1] > v->nb[2];
  if (turned)
    v = ggml_transpose(ctx, v);
  return ggml_soft_max(ctx, v);
}

T flashAttention(Ctx ctx, T q, T k, T v, T mask) {
  T y = ggml_flash_attn_ext(ctx, q, k, v, mask, 1.0f, 0.0f, 0.0f);
  return ggml_reshape_2d(ctx, y, y->ne[0] * y->ne[1], y->ne[2]);
}

// Fields of a tensor that code assigns: it is what it was no longer.
void assigned(Ctx ctx, int64_t a, int64_t b) {
  T x = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b));
  x->nb[0] = sizeof(float);
  x->nb[1] = x->ne[0] * sizeof(float);
  ggml_set_name(ggml_reshape_1d(ctx, x, a * b), "x");
}

// Layouts join: one of two shapes, contiguous either way.
T either(Ctx ctx, T bias, bool wide, int64_t n) {
  T x = wide ? ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 2 * n, n) : ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, n);
  if (bias != nullptr)
    x = ggml_add(ctx, x, bias);
  return ggml_reshape_1d(ctx, x, ggml_nelements(x));
}

// No iteration: there is one slice only, and a tensor of it is contiguous.
T meanOf(Ctx ctx, T x) {
  const int64_t streams = x->ne[1];
  T sum = ggml_view_2d(ctx, x, x->ne[0], x->ne[2], x->nb[2], 0);
  for (int64_t s = 1; s < streams; ++s)
    sum = ggml_add(ctx, sum, ggml_view_2d(ctx, x, x->ne[0], x->ne[2], x->nb[2], s * x->nb[1]));
  return ggml_scale(ctx, sum, 1.0f / streams);
}
T meanOfProduct(Ctx ctx, T w, T x, int64_t n, int64_t k, int64_t t) {
  return meanOf(ctx, ggml_reshape_3d(ctx, ggml_mul_mat(ctx, w, x), n, k, t));
}

// Sizes that a pointer leads to are not 1.
T shaped(Ctx ctx, const int64_t *sizes, int64_t n) {
  T x = ggml_new_tensor(ctx, GGML_TYPE_F32, 4, sizes);
  return ggml_swiglu(ctx, ggml_view_3d(ctx, x, n, n, n, x->nb[1], x->nb[2], 0));
}

// What a test that nobody can see into lets pass.
bool addressable(const ggml_tensor *x);
static T addressed(Ctx ctx, T x) { return addressable(x) ? x : ggml_cont(ctx, x); }
T passed(Ctx ctx, int64_t n, int64_t m) {
  T x = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, m));
  return ggml_reshape_1d(ctx, addressed(ctx, x), n * m);
}
