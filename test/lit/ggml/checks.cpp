// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// GGML_ASSERT of what tensors are made never to be.

#include "ggml.h"
#include <stdint.h>
#include <stdlib.h>

#define GGML_ASSERT(x) if (!(x)) abort()

using Ctx = ggml_context *;
using T = ggml_tensor *;

static T norm(Ctx ctx, T x, T w) {
  GGML_ASSERT(ggml_is_contiguous(x));
  GGML_ASSERT(x->ne[0] == w->ne[0]);
  return ggml_mul(ctx, ggml_rms_norm(ctx, x, 1e-5f), w);
}
T heads(Ctx ctx, T w, int64_t d, int64_t h, int64_t n) {
  T q = ggml_permute(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, h, n), 0, 2, 1, 3);
  return norm(ctx, q, w);
  // CHECK: :[[#@LINE-1]]:10: warning: a check in 'norm' can never hold for this call: 'q' has ne [d, n, h], nb [1, d*h, d] elements; fails unless h or n is 1
}
T widths(Ctx ctx, int64_t n) {
  T w = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 128);
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
  return norm(ctx, x, w);
  // CHECK: :[[#@LINE-1]]:10: warning: a check in 'norm' can never hold for this call: 'x' has ne [64, n], 'w' has ne [128]
}
T blocks(Ctx ctx, T q, int64_t n) {
  T k = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 60, n);
  GGML_ASSERT(k->ne[0] % 32 == 0);
  // CHECK: :[[#@LINE-1]]:15: warning: this check can never hold: 'k' has ne [60, n]
  return ggml_mul_mat(ctx, k, q);
}

// What holds, what only some paths ask, and what a graph's input may be.
T packed(Ctx ctx, T w, int64_t d, int64_t h, int64_t n) {
  T q = ggml_permute(ctx, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, h, n), 0, 2, 1, 3);
  return norm(ctx, ggml_cont(ctx, q), w);
}
T some(Ctx ctx, bool dense) {
  T y = ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 8, 4));
  GGML_ASSERT(!dense || ggml_is_contiguous(y));
  if (dense)
    GGML_ASSERT(ggml_is_contiguous(y));
  return y;
}
T input(Ctx ctx, T x, T w) {
  GGML_ASSERT(x->ne[0] == 4096);
  if (x->ne[1] == 1)
    GGML_ASSERT(x->ne[1] == 2);
  return norm(ctx, x, w);
}

// A check in a helper, of what another call has made.
struct Widths {
  uint32_t kv = 16, nope = 128, rope = 64, v = 128, ctx = 4096;
  uint32_t keys() const { return kv * (nope + rope); }
  uint32_t values() const { return kv * v; }
};
struct Cache {
  ggml_tensor *k = nullptr, *v = nullptr;
  Cache(ggml_context *ctx, const Widths &w) {
    k = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, w.keys(), w.ctx);
    v = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, w.values(), w.ctx);
  }
};
static ggml_tensor *store(ggml_context *ctx, const Cache &cache, int64_t n) {
  GGML_ASSERT(cache.v->ne[0] == cache.k->ne[0]);
  return ggml_view_2d(ctx, cache.k, cache.v->ne[0], n, cache.k->nb[1], 0);
}
static ggml_tensor *storeKeys(ggml_context *ctx, const Cache &cache, int64_t n) {
  return ggml_view_2d(ctx, cache.k, cache.k->ne[0], n, cache.k->nb[1], 0);
}
ggml_tensor *layer(ggml_context *ctx, int64_t n, bool keys) {
  const Widths w;
  Cache cache(ctx, w);
  if (keys)
    return storeKeys(ctx, cache, n);
  return store(ctx, cache, n);
  // CHECK: :[[#@LINE-1]]:10: warning: a check in 'store' can never hold for this call
}
