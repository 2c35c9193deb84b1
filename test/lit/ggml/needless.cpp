// RUN: not %tensortidy --checks=-*,tensor-hidden-copy %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// Copies in a graph that the node which reads them does not need.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

struct Layer {
  T w, b, gain, shift;
};

// A bias is repeated by the sum itself.
T dense(Ctx ctx, const Layer &layer, T x) {
  T cur = ggml_mul_mat(ctx, layer.w, x);
  return ggml_add(ctx, cur, ggml_repeat(ctx, layer.b, cur));
  // CHECK: :[[#@LINE-1]]:29: warning: ggml_repeat() copies 'layer.b' to the sizes of 'cur' for nothing: ggml_add() repeats its second operand by itself [tensor-hidden-copy]
  // CHECK: note: read here
}

// On the other side of a sum and of a product.
T norm(Ctx ctx, const Layer &layer, T x) {
  T cur = ggml_rms_norm(ctx, x, 1e-5f);
  cur = ggml_mul(ctx, ggml_repeat(ctx, layer.gain, cur), cur);
  // CHECK: :[[#@LINE-1]]:23: warning: ggml_repeat() copies 'layer.gain' to the sizes of 'cur' for nothing: ggml_mul() repeats its second operand by itself
  // CHECK: note: read here: swap the operands
  return ggml_add(ctx, ggml_repeat(ctx, layer.shift, cur), cur);
  // CHECK: :[[#@LINE-1]]:24: warning: ggml_repeat() copies 'layer.shift'
}

// By a name.
T named(Ctx ctx, T x, T mask) {
  T wide = ggml_repeat(ctx, mask, x);
  // CHECK: :[[#@LINE-1]]:12: warning: ggml_repeat() copies 'mask' to the sizes of 'x' for nothing
  x = ggml_add(ctx, x, wide);
  return ggml_relu(ctx, x);
}

// Permuted, packed, permuted and packed again.
T reordered(Ctx ctx, T a) {
  T x = ggml_cont(ctx, ggml_permute(ctx, a, 0, 2, 1, 3));
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_cont() copies {{.*}} for nothing: ggml_cont(), which reads it, takes such strides [tensor-hidden-copy]
  x = ggml_permute(ctx, x, 1, 0, 2, 3);
  return ggml_cont(ctx, x);
}

// Heads for a product, whose operands may be permuted.
T scores(Ctx ctx, T q, T k) {
  T qp = ggml_cont(ctx, ggml_permute(ctx, q, 0, 2, 1, 3));
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_cont() copies {{.*}} for nothing: ggml_mul_mat(), which reads it, takes such strides
  T kp = ggml_permute(ctx, k, 0, 2, 1, 3);
  return ggml_soft_max(ctx, ggml_mul_mat(ctx, kp, qp));
}

// A copy into the cache.
T stored(Ctx ctx, T cache, T k) {
  T packed = ggml_cont(ctx, ggml_permute(ctx, k, 1, 0, 2, 3));
  // CHECK: :[[#@LINE-1]]:14: warning: ggml_cont() copies {{.*}} for nothing: ggml_cpy(), which reads it, takes such strides
  return ggml_cpy(ctx, packed, cache);
}

// A part of a fused row, packed to be split into heads: ggml_view_3d() does that.
T heads(Ctx ctx, T qkv, T pos, int64_t size, int64_t head, int64_t tokens) {
  T q = ggml_cont(ctx, ggml_view_2d(ctx, qkv, size * head, tokens, qkv->nb[1], 0));
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_cont() copies {{.*}} for nothing: ggml_rope(), which reads it, takes such strides
  q = ggml_reshape_3d(ctx, q, size, head, tokens);
  return ggml_rope(ctx, q, pos, size, 2);
}
// Half of each row, for the second factor.
T gate(Ctx ctx, T x, int64_t n) {
  T a = ggml_cont(ctx, ggml_view_2d(ctx, x, n, x->ne[1], x->nb[1], 0));
  T b = ggml_cont(ctx, ggml_view_2d(ctx, x, n, x->ne[1], x->nb[1], n * ggml_element_size(x)));
  // CHECK: :[[#@LINE-1]]:9: warning: ggml_cont() copies {{.*}} for nothing: ggml_mul(), which reads it, takes such strides
  return ggml_mul(ctx, ggml_relu(ctx, a), b);
}

// The copy takes the place of what it is made of.
void stored(Ctx ctx, ggml_cgraph *gf, T qkv, T cache, int64_t size, int64_t heads, int64_t first, int64_t n) {
  T v = ggml_view_3d(ctx, qkv, size, heads, n, qkv->nb[1], qkv->nb[2], qkv->nb[1] * first);
  v = ggml_cont(ctx, v);
  // CHECK: :[[#@LINE-1]]:7: warning: ggml_cont() copies the tensor for nothing: ggml_cpy(), which reads it, takes such strides
  // CHECK: note: read here
  ggml_build_forward_expand(gf, ggml_cpy(ctx, v, cache));
}
