// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch,tensor-view-after-permute %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Attention of PyTorch 2: sizes are known, the layout is the backend's.

#include <ATen/ATen.h>
using at::Tensor;

#if !__has_include(<ATen/ops/scaled_dot_product_attention.h>) // of libtorch 1.13
namespace at {
Tensor scaled_dot_product_attention(const Tensor &query, const Tensor &key, const Tensor &value,
                                    const c10::optional<Tensor> &attn_mask = {}, double dropout_p = 0.0,
                                    bool is_causal = false, c10::optional<double> scale = c10::nullopt);
}
#endif

Tensor heads(const Tensor &x, int64_t h) {
  TORCH_CHECK(x.dim() == 3);
  const auto b = x.size(0), t = x.size(1), e = x.size(2);
  const auto y = x.view({b, t, h, e / h}).transpose(1, 2);
  const auto a = at::scaled_dot_product_attention(y, y, y, {}, 0.0, true);
  (void)a.view({b * h, t, e / h}); // flash attention gives what is transposed
  return a.transpose(1, 2).contiguous().view({b, t, h * (e / h)});
}

void sizes(const Tensor &w) {
  const auto q = at::zeros({2, 4, 5, 8}), k = at::zeros({2, 4, 7, 8}), v = at::zeros({2, 4, 7, 6});
  const auto a = at::scaled_dot_product_attention(q, k, v);
  (void)a.matmul(at::zeros({6, 3}));
  (void)a.matmul(at::zeros({8, 3}));
  // CHECK: :[[#@LINE-1]]:11: warning: matmul(...): shapes 5x6 and 8x3 cannot be multiplied; throws [tensor-shape-mismatch]
  (void)at::scaled_dot_product_attention(q, v, v);
  // CHECK: :[[#@LINE-1]]:13: warning: scaled_dot_product_attention(q, v, v): size 8 of dimension 3 of 'q' should be 6; throws
  (void)at::scaled_dot_product_attention(q, k, v.slice(2, 1, 7));
  // CHECK: :[[#@LINE-1]]:13: warning: scaled_dot_product_attention(q, k, ...): size 7 of dimension 2 of 'k' should be 6; throws
  (void)at::scaled_dot_product_attention(q, w, w);
}
