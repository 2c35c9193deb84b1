// RUN: %check %s --checks=-*,tensor-lost-write -- %runtime
// Writes to a copy nobody sees.

#include <tensortidy/aten.h>

void assigned(at::Tensor x, const at::Tensor &y) {
  x.clone() = y;
  // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: this assignment is lost: it writes to the copy that clone() makes [tensor-lost-write]
  // CHECK-MESSAGES: note: write to the tensor itself, or keep the copy
}

void inPlace(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  x.to(at::kDouble).add_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: add_() is lost: it writes to the copy that to() makes [tensor-lost-write]
  // CHECK-MESSAGES: note: write to the tensor itself
  x.t().reshape({a * b}).zero_();
  // CHECK-MESSAGES: :[[#@LINE-1]]:26: warning: zero_() is lost: it writes to the copy that reshape() makes, unless {{.*}} is 1 [tensor-lost-write]
  // CHECK-MESSAGES: note: write to the tensor itself
  x.t().contiguous().fill_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: fill_() is lost: it writes to the copy that contiguous() makes, unless a or b is 1 [tensor-lost-write]
  // CHECK-MESSAGES: note: write to the tensor itself
}

void computed(at::Tensor x) {
  (x + 1).mul_(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: mul_() is lost: it writes to the copy that +() makes [tensor-lost-write]
  // CHECK-MESSAGES: note: write to the tensor itself
}

void perhaps(at::Tensor x) {
  x.contiguous().add_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: add_() is lost: it writes to the copy that contiguous() makes where 'x' is not contiguous [tensor-lost-write]
  // CHECK-MESSAGES: note: write to the tensor itself
  x.to(torch::kDouble).zero_();
  // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: zero_() is lost: it writes to the copy that to() makes where it has another dtype [tensor-lost-write]
  // CHECK-MESSAGES: note: write to the tensor itself
}

void asked(at::Tensor x) {
  TORCH_CHECK(x.scalar_type() == torch::kDouble);
  x.to(torch::kDouble).zero_();
}

at::Tensor silent(at::Tensor x, const at::Tensor &y, int64_t n) {
  x[0] = y;
  x.view({-1}).zero_();
  x.t().add_(1);
  x.reshape({-1}).zero_(); // a view when x is contiguous
  auto z = torch::zeros({n, n});
  z.reshape({n * n}).zero_();
  auto w = x.clone().add_(1);
  return (x + 1).mul_(2) + w + z;
}

void chained(const at::Tensor &state, const at::Tensor &index) {
  auto rows = state.index_select(0, index);
  rows.mul_(2).add_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: add_() is lost: nothing reads 'rows', the copy of 'state' that index_select() makes [tensor-lost-write]
  // CHECK-MESSAGES: note: the copy is made here
  // CHECK-MESSAGES: note:
}

at::Tensor chainedAndKept(const at::Tensor &state, const at::Tensor &index) {
  auto rows = state.index_select(0, index);
  auto same = rows.mul_(2).add_(1);
  rows.mul_(2).add_(1);
  return same;
}

// What is read before it is written is read by nobody afterwards.
at::Tensor gateOf(const at::Tensor &x) {
  auto gate = at::empty_like(x);
  const float *from = x.data_ptr<float>();
  float *to = gate.data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i)
    to[i] = from[i] / 6;
  return gate;
}
void gated(at::Tensor &x) {
  TORCH_CHECK(x.dim() == 2 && x.is_contiguous() && x.size(0) == 3 && x.size(1) == 4);
  auto turned = x.t();
  auto packed = turned.contiguous();
  auto gate = gateOf(packed);
  packed.mul_(gate);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: mul_() is lost: nothing reads 'packed', the copy of 'turned' that contiguous() makes
  // CHECK-MESSAGES: :[[#@LINE-4]]:24: note: the copy is made here
  // CHECK-MESSAGES: :[[#@LINE-3]]:10: note: 'turned.copy_(packed)' afterwards takes it back
}
float shown(at::Tensor &x) {
  TORCH_CHECK(x.dim() == 2 && x.is_contiguous() && x.size(0) == 3 && x.size(1) == 4);
  auto turned = x.t();
  auto packed = turned.contiguous();
  const float *from = packed.data_ptr<float>();
  packed.mul_(2);
  return from[0];
}
