// RUN: %check %s -- -std=c++17

// Names of current releases.

#include "Inputs/current.h"

at::Tensor squeezed() {
  at::Tensor x = at::rand({2, 1, 3, 1});
  at::Tensor y = x.squeeze({1, 3}).transpose(0, 1);
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1
  return y.view({-1});
}

at::Tensor symbolic(const at::Tensor &x) {
  c10::SymInt n = x.sym_size(0), m = x.sym_size(1);
  TORCH_CHECK_VALUE(x.dim() == 2);
  TORCH_CHECK_INDEX(x.is_contiguous(), "packed");
  // CHECK-MESSAGES: :[[@LINE+1]]:28: warning: view_symint(
  return x.transpose(0, 1).view_symint({n * m});
}

at::Tensor checked(const at::Tensor &x) {
  TORCH_CHECK_TYPE(x.is_contiguous(), "packed");
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: {{.*}}'x' is contiguous already
  return x.contiguous();
}

at::Tensor arranged(int64_t n, int64_t c, int64_t h) {
  at::Tensor x = at::empty_permuted({n, c, h}, {0, 2, 1});
  at::Tensor rows = x.transpose(1, 2).view({n * h, c});
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: view({n, c*h}) cannot merge dimensions 1 and 2 of 'x': sizes [n, c, h], strides [c*h, 1, c]; throws unless c or h is 1
  return x.view({n, c * h});
}
at::Tensor arrangedTwice(int64_t n, int64_t c) {
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: empty_permuted({n, c}, {1, 1}): dimension 1 is named twice; throws
  return at::empty_permuted({n, c}, {1, 1});
}
at::Tensor packedInOrder(int64_t n, int64_t c) {
  at::Tensor x = at::empty_permuted({n, c}, {0, 1});
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: {{.*}}'x' is contiguous already
  return x.contiguous();
}

at::Tensor normalized(const at::Tensor &weight) {
  at::Tensor x = at::rand({4, 6}).transpose(0, 1);
  at::Tensor packed = at::rms_norm(x, {4}, weight);
  at::Tensor flat = packed.view({24});
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: rms_norm(x, {6}): size 4 of dimension 1 of 'x' should be 6; throws
  return at::rms_norm(x, {6});
}

at::Tensor found(const at::Tensor &mask) {
  at::Tensor places = at::nonzero_static(mask, 8, -1);
  // CHECK-MESSAGES: :[[@LINE+1]]:17: warning: {{.*}}'places' is contiguous already
  return places.contiguous();
}

int64_t optional(std::optional<at::Tensor> x) {
  if (!x || !x->is_contiguous())
    return 0;
  // CHECK-MESSAGES: :[[@LINE+1]]:13: warning: {{.*}}is contiguous already
  return x->contiguous().size(0);
}

const float *held() {
  at::Tensor x = at::rand({2, 3});
  float *p = x.mutable_data_ptr<float>();
  *p = 1;
  // CHECK-MESSAGES: :[[@LINE+2]]:3: warning: returns const_data_ptr() of a tensor that is gone when the function returns
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: {{.*}}'x' is contiguous already
  return x.contiguous().const_data_ptr<float>();
}

torch::stable::Tensor stable(const torch::stable::Tensor &x) {
  if (!x.is_contiguous())
    return torch::stable::contiguous(x);
  // CHECK-MESSAGES: :[[@LINE+1]]:25: warning: {{.*}}is contiguous already
  return torch::stable::contiguous(x);
}

at::Tensor scaled(const at::Tensor &scale) {
  at::Tensor a = at::rand({4, 8}), b = at::rand({8, 6});
  at::Tensor c = at::_scaled_mm(a, b, scale, scale).view({24});
  // CHECK-MESSAGES: :[[@LINE+1]]:24: warning: _scaled_mm(a, a, scale, scale): size 8 of dimension 1 of 'a' should be 4; throws
  return c.sum() + at::_scaled_mm(a, a, scale, scale);
}

at::Tensor packedWeights(const at::Tensor &scales) {
  at::Tensor a = at::rand({4, 64}), w = at::rand({2, 4, 32, 4});
  // CHECK-MESSAGES: :[[@LINE+1]]:52: warning: view({3, 16}): shape [3, 16] does not fit the 64 elements; throws
  return at::_weight_int4pack_mm(a, w, 32, scales).view({3, 16});
}

at::Tensor dots() {
  at::Tensor x = at::rand({3, 4}), y = at::rand({3, 5});
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: linalg_vecdot(x, y): sizes 4 and 5 do not match at dimension 1; throws
  return at::linalg_vecdot(x, y);
}

at::Tensor copiedView(const at::Tensor &x) {
  at::Tensor y = at::permute_copy(x, {1, 0});
  return y.contiguous();
}

at::Tensor reducedAt() {
  at::Tensor x = at::rand({6, 4}), i = at::zeros({3}, at::kShort);
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: index_reduce(x, 0, i, ..., mean) needs int64 or int32, 'i' has int16; throws
  return at::index_reduce(x, 0, i, at::rand({3, 4}), "mean");
}

at::Tensor asked(const at::Tensor &x) {
  if (!x.sym_is_contiguous())
    return x;
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: {{.*}}'x' is contiguous already
  return x.contiguous();
}

// The same bits, with a sign or without one.
at::Tensor masks(uint64_t *bits, int64_t n) { return at::from_blob(bits, {n}, at::kUInt64); }
// CHECK-MESSAGES: :[[@LINE+1]]:60: warning: from_blob() takes memory of int32 for uint64
at::Tensor tooWide(uint32_t *bits, int64_t n) { return at::from_blob(bits, {n}, at::kUInt64); }
