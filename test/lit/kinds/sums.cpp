// RUN: not %tensortidy --checks=-*,tensor-* %s -- %aten -I%S/../ggml/Inputs | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Parts of fused rows, each with a correct twin.
#include <ATen/ATen.h>
#include "ggml.h"
at::Tensor qOfQkv(const at::Tensor &x, const at::Tensor &w, int64_t h, int64_t kv, int64_t d) {
  auto qkv = at::linear(x, w).contiguous().view({x.size(0), x.size(1), (h + 2 * kv) * d});
  // CHECK: :[[#@LINE-1]]:31: warning: contiguous() does nothing: its operand is contiguous already{{.*}}[tensor-redundant-contiguous]
  auto q = qkv.slice(-1, 0, h * d);
  return q.view({x.size(0) * x.size(1), h, d}).view({-1}); // not found yet
}
at::Tensor qFine(const at::Tensor &x, const at::Tensor &w, int64_t h, int64_t kv, int64_t d) {
  auto qkv = at::linear(x, w).contiguous().view({x.size(0), x.size(1), (h + 2 * kv) * d});
  // CHECK: :[[#@LINE-1]]:31: warning: contiguous() does nothing: its operand is contiguous already{{.*}}[tensor-redundant-contiguous]
  auto q = qkv.slice(-1, 0, h * d);
  return q.reshape({x.size(0) * x.size(1) * h * d});
}
ggml_tensor *latent(ggml_context *ctx, ggml_tensor *w, ggml_tensor *x, int64_t lora, int64_t rope) {
  ggml_tensor *c = ggml_mul_mat(ctx, w, x);
  ggml_tensor *kv = ggml_view_2d(ctx, c, lora, c->ne[1], c->nb[1], 0);
  ggml_tensor *pe = ggml_view_2d(ctx, c, rope, c->ne[1], c->nb[1], lora * sizeof(float));
  return ggml_add(ctx, ggml_reshape_1d(ctx, kv, lora * c->ne[1]), pe);
  // CHECK: :[[#@LINE-1]]:24: warning: ggml_reshape_1d(ctx, kv, x->ne[1]*lora) needs a contiguous tensor, 'kv' has ne [lora, x->n{{.*}}[tensor-view-after-permute]
}
ggml_tensor *latentFine(ggml_context *ctx, ggml_tensor *w, ggml_tensor *x, int64_t lora, int64_t rope) {
  ggml_tensor *c = ggml_mul_mat(ctx, w, x);
  ggml_tensor *kv = ggml_cont(ctx, ggml_view_2d(ctx, c, lora, c->ne[1], c->nb[1], 0));
  ggml_tensor *pe = ggml_view_2d(ctx, c, rope, c->ne[1], c->nb[1], lora * sizeof(float));
  return ggml_concat(ctx, ggml_reshape_1d(ctx, kv, lora * c->ne[1]), ggml_cont(ctx, pe), 0);
}
at::Tensor gate(const at::Tensor &x, int64_t up, int64_t down) {
  auto both = x.contiguous().view({-1, up + down});
  auto parts = both.split_with_sizes({up, down}, 1);
  return parts[0].view({-1});
  // CHECK: :[[#@LINE-1]]:19: warning: view({-1}) cannot merge dimensions 0 and 1{{.*}}[tensor-view-after-permute]
}
at::Tensor gateFine(const at::Tensor &x, int64_t up, int64_t down) {
  auto both = x.contiguous().view({-1, up + down});
  auto parts = both.split_with_sizes({up, down}, 1);
  return parts[0].view({-1, up});
}
void scale(float *p, int64_t n);
void raw(const at::Tensor &x, int64_t q, int64_t k) {
  auto both = x.contiguous().view({16, q + k});
  auto left = both.narrow(1, 0, q);
  scale(left.data_ptr<float>(), left.numel());
  // CHECK: :[[#@LINE-1]]:14: warning: 'scale' gets 'left' without its strides and takes 16*q elements in a row{{.*}}[tensor-raw-pointer-layout]
}
void rawFine(const at::Tensor &x, int64_t q, int64_t k) {
  auto both = x.contiguous().view({q + k, 16});
  auto left = both.narrow(0, 0, q);
  scale(left.data_ptr<float>(), left.numel());
}
at::Tensor grouped(const at::Tensor &x, int64_t kv, int64_t g, int64_t d) {
  auto all = x.contiguous().view({x.size(0), kv, g + 2, d});
  auto q = all.narrow(2, 0, g);
  return q.view({x.size(0), kv * g, d});
  // CHECK: :[[#@LINE-1]]:12: warning: view({x.size(0), g*kv, d}) cannot merge dimensions 1 and 2 of 'q'{{.*}}[tensor-view-after-permute]
}
at::Tensor groupedFine(const at::Tensor &x, int64_t kv, int64_t g, int64_t d) {
  auto all = x.contiguous().view({x.size(0), kv, g + 2, d});
  auto q = all.narrow(2, 0, g);
  return q.view({x.size(0), kv, g * d});
}
