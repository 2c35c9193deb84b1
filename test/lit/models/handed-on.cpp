// REQUIRES: libtorch
// RUN: %check %s -- %torch
// RUN: %silent %s -- -DSILENT %torch

// Tensors that go through something else, or are made or changed by a rare
// call: what is known of them stays known.

#include <torch/torch.h>

using at::Tensor;

#ifndef SILENT

// --- through an IValue, a MaybeOwned, a module ---

Tensor boxed(const Tensor &heads) {
  TORCH_CHECK(heads.dim() == 4);
  c10::IValue value(heads.contiguous().transpose(1, 2));
  // CHECK-MESSAGES: :[[@LINE+2]]:27: warning: view({-1}) cannot merge dimensions 2 and 3 of 'value'
  // CHECK-MESSAGES: note: 'value' got this layout here: transpose(1, 2)
  return value.toTensor().view({-1});
}

Tensor borrowed(int64_t n) {
  Tensor rows = at::zeros({n, 8});
  auto maybe = c10::MaybeOwned<Tensor>::borrowed(rows);
  // CHECK-MESSAGES: :[[@LINE+1]]:21: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [8, n], strides [1, 8]
  return maybe->t().view({-1});
}

Tensor owned(int64_t n) {
  auto maybe = c10::MaybeOwned<Tensor>::owned(at::zeros({n, 8}));
  const Tensor &rows = *maybe;
  // CHECK-MESSAGES: :[[@LINE+1]]:19: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [8, n], strides [1, 8]
  return rows.t().view({-1});
}

struct Layer : torch::nn::Module {
  Tensor weight, mask;
  Layer() {
    weight = register_parameter("weight", torch::empty({4, 8, 16}).transpose(0, 1));
    mask = register_buffer("mask", torch::zeros({4, 8}).t());
    // CHECK-MESSAGES: :[[@LINE+1]]:24: warning: view({-1}) cannot merge dimensions 1 and 2 of 'weight': sizes [8, 4, 16], strides [16, 128, 1]; throws
    auto flat = weight.view({-1});
    // CHECK-MESSAGES: :[[@LINE+1]]:22: warning: view({-1}) cannot merge dimensions 0 and 1 of 'mask': sizes [8, 4], strides [1, 8]; throws
    auto bits = mask.view({-1});
  }
};

// --- of a pointer ---

Tensor pieces(float *data) {
  Tensor x = at::for_blob(data, {4, 8, 16}).options(at::kFloat).make_tensor();
  // CHECK-MESSAGES: :[[@LINE+1]]:28: warning: view({-1}) cannot merge dimensions 1 and 2: sizes [8, 4, 16], strides [16, 128, 1]; throws
  return x.transpose(0, 1).view({-1});
}
Tensor columns(float *data) {
  Tensor x = at::for_blob(data, {4, 8}).strides({1, 4}).make_tensor();
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x': sizes [4, 8], strides [1, 4]; throws
  return x.view({-1});
}
Tensor dangling() {
  std::vector<float> values(32);
  // CHECK-MESSAGES: :[[@LINE+1]]:3: warning: returns a tensor that borrows the memory of 'values', which is gone when the function returns
  return at::for_blob(values.data(), {4, 8}).options(at::kFloat).make_tensor();
}

// --- in place ---

Tensor strided() {
  Tensor x = at::zeros({4, 8});
  x.as_strided_({8, 4}, {1, 8});
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x': sizes [8, 4], strides [1, 8]; throws
  return x.view({-1});
}
Tensor replaced() {
  Tensor x = at::zeros({4, 8});
  x.set_data(at::zeros({6, 2}).t());
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x': sizes [2, 6], strides [1, 2]; throws
  return x.view({-1});
}
Tensor set(const Tensor &other) {
  TORCH_CHECK(other.dim() == 2 && other.is_contiguous());
  Tensor x = at::empty({0});
  x.set_(other);
  // CHECK-MESSAGES: :[[@LINE+1]]:16: warning: view({-1}) cannot merge dimensions 0 and 1
  return x.t().view({-1});
}

// --- computed ---

Tensor pinned() {
  Tensor x = at::zeros({4, 8}).t().pin_memory();
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x': sizes [8, 4], strides [1, 8]; throws
  return x.view({-1});
}
Tensor differences() {
  Tensor x = at::zeros({4, 8}), y = at::zeros({4, 8});
  // CHECK-MESSAGES: :[[@LINE+1]]:19: warning: ... + y: sizes 7 and 8 do not match at dimension 1; throws
  return x.diff() + y;
}
Tensor ofColumns() {
  Tensor x = at::zeros({4, 8}).t();
  // CHECK-MESSAGES: :[[@LINE+1]]:23: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [6, 4], strides [1, 6]; throws
  return x.diff(2, 0).view({-1});
}
Tensor masked() {
  Tensor x = at::zeros({4, 8}), mask = at::zeros({4, 7}, at::kByte);
  // CHECK-MESSAGES: :[[@LINE+1]]:5: warning: index_put_({mask}, 1): size 7 of dimension 1 of 'mask' should be 8; throws
  x.index_put_({mask}, 1);
  return x;
}
Tensor asHalf() {
  Tensor x = at::zeros({4, 8}).t();
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: view(float16): stride 8 of dimension 1 of 'x' should be 1; throws
  return x.view(at::kHalf);
}

#else

Tensor boxed(const Tensor &heads) {
  c10::IValue value(heads.contiguous().transpose(1, 2).contiguous());
  c10::IValue number(3);
  return value.toTensor().view({number.toInt(), -1});
}
// Which of two it is, nobody knows.
Tensor either(const Tensor &x, bool flag) {
  c10::IValue value(at::zeros({4, 8}));
  if (flag)
    value = x;
  return value.toTensor().t().reshape({-1}).view({-1});
}
Tensor expected(const Tensor &x) {
  Tensor columns = x.t();
  auto packed = columns.expect_contiguous();
  return packed->view({-1});
}
struct Layer : torch::nn::Module {
  Tensor weight, none;
  Layer() {
    weight = register_parameter("weight", torch::empty({4, 8, 16}));
    none = register_parameter("none", Tensor());
    weight.view({-1}).sum().item<float>();
  }
};
Tensor columns(float *data, const std::vector<int64_t> &strides) {
  Tensor x = at::for_blob(data, {4, 8}).strides(strides).make_tensor();
  return x.view({-1});
}
// Bytes, as the options say; not the float of from_blob().
Tensor bytes(uint8_t *data) {
  Tensor x = at::for_blob(data, {4, 8}).options(at::kByte).make_tensor();
  return x.index({x.to(at::kLong)}).view(at::kChar);
}
Tensor inSteps(float *data) {
  auto maker = at::for_blob(data, {4, 8});
  maker.strides({8, 1});
  maker.deleter([](void *p) { delete[] static_cast<float *>(p); });
  return maker.make_tensor().view({32});
}
Tensor strided() {
  Tensor x = at::zeros({4, 8}).t();
  x.as_strided_({4, 8}, {8, 1});
  return x.view({-1});
}
Tensor replaced() {
  Tensor x = at::zeros({4, 8}).t();
  x.set_data(at::zeros({6, 2}));
  return x.view({12});
}
Tensor differences() {
  Tensor x = at::zeros({4, 8}), y = at::zeros({4, 7});
  return (x.diff() + y).view({28}) + x.diff(1, 0).diff(1, 0).diff(1, 0).sum();
}
Tensor prepended(const Tensor &first) {
  return at::zeros({4, 8}).diff(1, -1, first) + at::zeros({4, 8});
}
Tensor masked() {
  Tensor x = at::zeros({4, 8}), mask = at::zeros({4}, at::kByte);
  x.index_put_({mask}, 1);
  return x;
}
struct Square : torch::autograd::Function<Square> {
  static Tensor forward(torch::autograd::AutogradContext *ctx, const Tensor &x) {
    Tensor y = x.clone();
    ctx->save_for_backward({y});
    y.mul_(2); // what is saved is looked at when forward() is over
    return y;
  }
};

#endif
