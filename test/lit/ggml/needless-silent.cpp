// RUN: %silent %s --checks=-*,tensor-hidden-copy -- -std=c++17 -I%S/Inputs
// Copies in a graph that are needed, or may be.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;
void shown(T x, const char *name);

// What is repeated is read by something else, or twice, or is a result.
T rows(Ctx ctx, T b, T x) { return ggml_mul_mat(ctx, x, ggml_repeat(ctx, b, x)); }
T twice(Ctx ctx, T b, T x) {
  T wide = ggml_repeat(ctx, b, x);
  return ggml_mul(ctx, ggml_add(ctx, x, wide), wide);
}
T given(Ctx ctx, T b, T x) { return ggml_repeat(ctx, b, x); }
// To the sizes of another tensor.
T larger(Ctx ctx, T b, T x, T y) { return ggml_add(ctx, x, ggml_repeat(ctx, b, y)); }
T both(Ctx ctx, T b, T x) { return ggml_add(ctx, ggml_repeat(ctx, b, x), ggml_repeat(ctx, b, x)); }
// A difference does not commute.
T minus(Ctx ctx, T b, T x) { return ggml_sub(ctx, ggml_repeat(ctx, b, x), x); }

// A reshape wants packed memory, a softmax as well; transposed rows are not dense.
T reshaped(Ctx ctx, T q, int64_t n) {
  T x = ggml_cont(ctx, ggml_permute(ctx, q, 0, 2, 1, 3));
  return ggml_reshape_1d(ctx, x, n);
}
T soft(Ctx ctx, T q) { return ggml_soft_max(ctx, ggml_cont(ctx, ggml_permute(ctx, q, 0, 2, 1, 3))); }
T product(Ctx ctx, T v, T kq) { return ggml_mul_mat(ctx, ggml_cont(ctx, ggml_transpose(ctx, v)), kq); }
// Looked at, an output, kept.
T observed(Ctx ctx, T a) {
  T x = ggml_cont(ctx, ggml_permute(ctx, a, 0, 2, 1, 3));
  shown(x, "heads");
  return ggml_cont(ctx, ggml_permute(ctx, x, 1, 0, 2, 3));
}
T output(Ctx ctx, ggml_cgraph *graph, T a) {
  T x = ggml_cont(ctx, ggml_permute(ctx, a, 0, 2, 1, 3));
  ggml_build_forward_expand(graph, x);
  return ggml_cont(ctx, ggml_permute(ctx, x, 1, 0, 2, 3));
}
// On one of two paths.
T either(Ctx ctx, T a, T b, bool flat, int64_t n) {
  T x = ggml_cont(ctx, ggml_permute(ctx, a, 0, 2, 1, 3));
  if (flat)
    x = ggml_reshape_1d(ctx, x, n);
  return ggml_mul_mat(ctx, b, x);
}

// Rows that are put together again, in other lengths, or changed where they are.
T merged(Ctx ctx, T qkv, T pos, int64_t size, int64_t head, int64_t tokens) {
  T q = ggml_cont(ctx, ggml_view_2d(ctx, qkv, size * head, tokens, qkv->nb[1], 0));
  q = ggml_reshape_3d(ctx, q, size, tokens, head);
  return ggml_rope(ctx, q, pos, size, 2);
}
T flat(Ctx ctx, T qkv, int64_t size, int64_t tokens) {
  T q = ggml_cont(ctx, ggml_view_2d(ctx, qkv, size, tokens, qkv->nb[1], 0));
  return ggml_rms_norm(ctx, ggml_reshape_1d(ctx, q, size * tokens), 1e-5f);
}
T firstHalf(Ctx ctx, T x, int64_t n) {
  return ggml_relu(ctx, ggml_cont(ctx, ggml_view_2d(ctx, x, n, x->ne[1], x->nb[1], 0)));
}
T counted(Ctx ctx, T qkv, T pos, int64_t size, int64_t head, int64_t tokens, int64_t more) {
  T q = ggml_cont(ctx, ggml_view_2d(ctx, qkv, size * head, tokens, qkv->nb[1], 0));
  tokens += more;
  q = ggml_reshape_3d(ctx, q, size, head, tokens);
  return ggml_rope(ctx, q, pos, size, 2);
}
