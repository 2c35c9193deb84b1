// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// A reshape that takes one dimension for another, and an offset in elements.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

// The product is [length * batch, channels]: the channels are the outermost.
T convolution(Ctx ctx, T cols, T w, int64_t length, int64_t channels, int64_t batch) {
  T y = ggml_reshape_2d(ctx, ggml_mul_mat(ctx, cols, w), length * batch, channels);
  return ggml_reshape_3d(ctx, y, length, channels, batch);
  // CHECK: :[[#@LINE-1]]:{{.*}} a step along channels is length*batch elements in sizes [length*batch, channels, 1, 1] and length here; wrong
}
T convolutionRight(Ctx ctx, T cols, T w, int64_t length, int64_t channels, int64_t batch) {
  T y = ggml_reshape_2d(ctx, ggml_mul_mat(ctx, cols, w), length * batch, channels);
  y = ggml_reshape_3d(ctx, y, length, batch, channels);
  return ggml_cont(ctx, ggml_permute(ctx, y, 0, 2, 1, 3));
}

// Heads lie beside each other within a row.
T heads(Ctx ctx, T x, int64_t d, int64_t n_head, int64_t n_tokens) {
  T q = ggml_reshape_2d(ctx, x, d * n_head, n_tokens);
  return ggml_reshape_3d(ctx, q, d, n_tokens, n_head);
  // CHECK: :[[#@LINE-1]]:{{.*}} a step along n_tokens is d*n_head elements in sizes [d*n_head, n_tokens, 1, 1] and d here
}
T headsRight(Ctx ctx, T x, int64_t d, int64_t n_head, int64_t n_tokens) {
  T q = ggml_reshape_2d(ctx, x, d * n_head, n_tokens);
  return ggml_permute(ctx, ggml_reshape_3d(ctx, q, d, n_head, n_tokens), 0, 2, 1, 3);
}

// Gates behind the values of a row, by a tensor's own size.
T gates(Ctx ctx, T down, T w, T x, int64_t n_tokens) {
  const int64_t n_ff = down->ne[0];
  T h = ggml_mul_mat(ctx, w, x);
  return ggml_view_2d(ctx, h, n_ff, n_tokens, h->nb[1], n_ff);
  // CHECK: :[[#@LINE-1]]:{{.*}} the offset is n_ff bytes, not the 4*n_ff of so many elements
}
T gatesRight(Ctx ctx, T down, T w, T x, int64_t n_tokens) {
  const int64_t n_ff = down->ne[0];
  T h = ggml_mul_mat(ctx, w, x);
  return ggml_view_2d(ctx, h, n_ff, n_tokens, h->nb[1], n_ff * ggml_element_size(h));
}
