// RUN: %check %s --checks=-*,tensor-overlapping-write -- -I %S/Inputs
// A node that copies between parts of one tensor, which overlap: the threads that compute it copy rows in any order.

#include "ggml.h"
#include <cstdint>

static ggml_tensor *rows(ggml_context *ctx, ggml_tensor *t, int64_t width, int64_t first, int64_t n) {
  return ggml_view_2d(ctx, t, width, n, t->nb[1], first * t->nb[1]);
}

ggml_tensor *moveUp(ggml_context *ctx, int64_t width, int64_t length) {
  ggml_tensor *cache = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, width, length);
  ggml_tensor *from = rows(ctx, cache, width, 1, length - 1);
  ggml_tensor *to = rows(ctx, cache, width, 0, length - 1);
  return ggml_cpy(ctx, from, to);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_cpy() writes {{.*}} while it reads {{.*}}, the same memory shifted by 1; the values are wrong, without an error, unless length - 1 is 1 [tensor-overlapping-write]
}
ggml_tensor *moveDown(ggml_context *ctx, ggml_tensor *cache) {
  ggml_tensor *from = ggml_view_2d(ctx, cache, cache->ne[0], 30, cache->nb[1], 0);
  ggml_tensor *to = ggml_view_2d(ctx, cache, cache->ne[0], 30, cache->nb[1], 2 * cache->nb[1]);
  return ggml_cpy(ctx, from, to);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: ggml_cpy() writes {{.*}} the same memory shifted by 2; the values are wrong
}

// Parts that lie one behind the other, a copy between, another tensor, itself.
ggml_tensor *apart(ggml_context *ctx, ggml_tensor *cache, int64_t n) {
  ggml_tensor *from = rows(ctx, cache, cache->ne[0], n, n);
  ggml_tensor *to = rows(ctx, cache, cache->ne[0], 0, n);
  return ggml_cpy(ctx, from, to);
}
ggml_tensor *between(ggml_context *ctx, ggml_tensor *cache, int64_t n) {
  ggml_tensor *from = ggml_cont(ctx, rows(ctx, cache, cache->ne[0], 1, n));
  return ggml_cpy(ctx, from, rows(ctx, cache, cache->ne[0], 0, n));
}
ggml_tensor *other(ggml_context *ctx, ggml_tensor *cache, ggml_tensor *next, int64_t n) {
  return ggml_cpy(ctx, rows(ctx, cache, cache->ne[0], 1, n), rows(ctx, next, cache->ne[0], 0, n));
}
ggml_tensor *same(ggml_context *ctx, ggml_tensor *cache) { return ggml_cpy(ctx, cache, cache); }
ggml_tensor *column(ggml_context *ctx, ggml_tensor *cache, int64_t n) {
  ggml_tensor *from = ggml_view_2d(ctx, cache, 1, n, cache->nb[1], cache->nb[0]);
  ggml_tensor *to = ggml_view_2d(ctx, cache, 1, n, cache->nb[1], 0);
  return ggml_cpy(ctx, from, to);
}
