// What ATen's fused functions give first; the layouts of native_layer_norm() are compared with libtorch in test/models.

// REQUIRES: libtorch
// RUN: %check %s -- %aten

#include <ATen/ATen.h>
#include <optional>

namespace at { // as releases since 2.1 declare it
std::tuple<Tensor, Tensor, Tensor, Tensor, c10::SymInt, c10::SymInt, Tensor, Tensor, Tensor>
_scaled_dot_product_flash_attention(const Tensor &query, const Tensor &key, const Tensor &value, double dropout_p, bool is_causal,
                                    bool return_debug_mask, std::optional<double> scale);
} // namespace at

at::Tensor attended(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, int64_t b, int64_t h, int64_t t, int64_t d) {
  at::Tensor x = std::get<0>(at::_scaled_dot_product_flash_attention(q.view({b, h, t, d}), k.view({b, h, t, d}), v.view({b, h, t, d}), 0.0, true, false, std::nullopt));
  // CHECK-MESSAGES: :[[#@LINE+1]]:{{[0-9]+}}: warning: {{.*}}[tensor-shape-mismatch]
  return x.size(4) > 1 ? x : x.transpose(1, 2).reshape({b, t, h * d});
}
at::Tensor attendedOk(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, int64_t b, int64_t h, int64_t t, int64_t d) {
  at::Tensor x = std::get<0>(at::_scaled_dot_product_flash_attention(q.view({b, h, t, d}), k.view({b, h, t, d}), v.view({b, h, t, d}), 0.0, true, false, std::nullopt));
  return x.transpose(1, 2).reshape({b, t, h * d});
}
at::Tensor normed(const at::Tensor &x, int64_t n, int64_t c) {
  auto [y, mean, rstd] = at::native_layer_norm(x.view({n, c}), {c}, {}, {}, 1e-5);
  // CHECK-MESSAGES: :[[#@LINE+1]]:{{[0-9]+}}: warning: {{.*}}[tensor-redundant-contiguous]
  return y.contiguous() + mean.contiguous();
}
