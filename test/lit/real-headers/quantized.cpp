// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %torch
// An element of a quantized type is stored as an integer, and may be read as one.

#include <torch/torch.h>

int32_t first(const at::Tensor &weight) {
  TORCH_CHECK(weight.scalar_type() == at::kQInt32, "expects qint32");
  at::Tensor same = at::empty({2, 3}, weight.options());
  return *same.data_ptr<int32_t>();
}

int8_t other(const at::Tensor &weight) {
  TORCH_CHECK(weight.scalar_type() == at::kQUInt8, "expects quint8");
  at::Tensor same = at::empty({2, 3}, weight.options());
  return *same.data_ptr<uint8_t>() + *same.data_ptr<int8_t>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:44: warning: data_ptr() asks for int8, 'same' has quint8; throws [tensor-shape-mismatch]
}
