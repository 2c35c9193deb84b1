// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// What ATen's own factories call their arguments.

#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>

uint8_t state() {
  auto t = at::detail::empty_cpu({16}, at::kByte, c10::nullopt, c10::nullopt, c10::nullopt, c10::nullopt);
  return *t.data_ptr<uint8_t>();
}
float wrong() {
  auto t = at::detail::empty_cpu({16}, at::kByte, c10::nullopt, c10::nullopt, c10::nullopt, c10::nullopt);
  return *t.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:13: warning: data_ptr() asks for float32, 't' has uint8; throws
}
