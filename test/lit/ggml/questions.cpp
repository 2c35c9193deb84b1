// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// What the questions about sizes answer, a path goes by.

#include "ggml.h"
#include <stdlib.h>

using Ctx = ggml_context *;
using T = ggml_tensor *;

T toMatrix(Ctx ctx, T x) {
  return ggml_is_3d(x) && x->ne[2] != 1 ? ggml_reshape_2d(ctx, x, x->ne[0], x->ne[1] * x->ne[2]) : x;
}

// What is asked twice is answered once.
T asked(Ctx ctx, T w, T x) {
  if (!ggml_is_matrix(x))
    abort();
  T y = ggml_is_matrix(x) ? ggml_mul_mat(ctx, w, x) : ggml_mul_mat(ctx, w, ggml_reshape_2d(ctx, x, x->ne[0], x->ne[1]));
  return ggml_reshape_2d(ctx, y, y->ne[0], y->ne[1]);
}

T one(Ctx ctx, T x) {
  if (!ggml_is_vector(x))
    return ggml_reshape_1d(ctx, x, x->ne[0]);
  x = ggml_reshape_1d(ctx, x, x->ne[0]);
  return ggml_reshape_1d(ctx, x, 2 * x->ne[0]);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_reshape_1d(ctx, x, 2*x->ne[0]): shape [2*x->ne[0]] does not fit the x->ne[0] elements of 'x'; aborts when
}

T number(Ctx ctx, T x) {
  if (ggml_is_scalar(x))
    return ggml_reshape_1d(ctx, x, 2);
    // CHECK: :[[#@LINE-1]]:12: warning: ggml_reshape_1d(ctx, x, 2): shape [2] does not fit the 1 elements of 'x'; aborts
  return x;
}

T planes(Ctx ctx, T x) {
  if (!ggml_is_3d(x))
    return nullptr;
  x = ggml_reshape_2d(ctx, x, x->ne[0], x->ne[1] * x->ne[2]);
  return x;
}

T both(Ctx ctx, T x, int64_t n) {
  T y = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 4, n);
  if (ggml_are_same_shape(x, y))
    return ggml_reshape_1d(ctx, x, 5 * n);
    // CHECK: :[[#@LINE-1]]:12: warning: ggml_reshape_1d(ctx, x, 5*n): shape [5*n] does not fit the 4*n elements of 'x'; aborts
  return ggml_reshape_2d(ctx, x, 4, n);
}

// What a function whose body nobody can see answers of one tensor, too: under
// any name, and within one iteration.
bool isMatrix(const ggml_tensor *w);

int64_t width(T kernel, int64_t channels) {
  if (isMatrix(kernel)) {
    if (kernel->ne[0] % channels)
      abort();
    return kernel->ne[0] / channels;
  }
  if (kernel->ne[1] != channels)
    abort();
  return kernel->ne[0];
}

T asMatrix(Ctx ctx, T w) {
  return isMatrix(w) ? w : ggml_reshape_2d(ctx, w, w->ne[0] * w->ne[1], w->ne[2]);
}

T convolved(Ctx ctx, T weight, int64_t channels, int64_t n) {
  T patches = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, channels * width(weight, channels), n);
  return ggml_mul_mat(ctx, asMatrix(ctx, weight), patches);
}

void layers(Ctx ctx, ggml_cgraph *graph, T *weights, int count, int64_t n) {
  for (int i = 0; i < count; ++i)
    ggml_build_forward_expand(graph, convolved(ctx, weights[i], 192, n));
}
