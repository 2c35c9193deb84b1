// RUN: %check %s --checks=-*,tensor-redundant-contiguous -- %torch
// REQUIRES: libtorch
// normalize() and its kind keep the order of their operand's dimensions.

#include <torch/torch.h>

namespace F = torch::nn::functional;

at::Tensor rows(const at::Tensor &x) {
  return F::normalize(x.contiguous()).contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:39: warning: contiguous() does nothing: its operand is contiguous already [tensor-redundant-contiguous]
}

at::Tensor columns(const at::Tensor &x) {
  auto y = F::normalize(x.t()).contiguous();
  y += F::local_response_norm(x.t(), 2).contiguous();
  return y + F::normalize(x).cpu().contiguous() + torch::detach_copy(x).contiguous();
}
