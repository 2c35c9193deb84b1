// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-raw-pointer-layout -- %torch | FileCheck %s --implicit-check-not=warning:
// What autograd gives to backward() may have any strides: the gradient of a sum is one number, expanded.

#include <torch/torch.h>

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

void scaleForward(const float *x, float *y, int64_t rows, int64_t width);
void scaleBackward(const float *g, float *to, int64_t rows, int64_t width);
void strided(const float *g, int64_t row, int64_t column, float *to, int64_t rows, int64_t width);
void expectDense(const at::Tensor &x);
bool fits(const at::Tensor &x);

struct Scale : torch::autograd::Function<Scale> {
  // What forward() is given comes from callers, who may be told.
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x) {
    auto y = torch::empty_like(x);
    scaleForward(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
    return y;
  }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto grad = grads[0];
    auto to = torch::empty({grad.size(0), grad.size(1)}, grad.options());
    // CHECK: :[[#@LINE+1]]:24: warning: 'scaleBackward' gets 'grad' without its strides, and nothing has checked that it is contiguous; the gradient of a sum is one number, expanded [tensor-raw-pointer-layout]
    scaleBackward(grad.data_ptr<float>(), to.data_ptr<float>(), grad.size(0), grad.size(1));
    return {to};
  }
};

namespace {
struct Summed : torch::autograd::Function<Summed> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x) { return x.sum(1); }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto to = torch::zeros({grads[0].size(0), 8}, grads[0].options());
    // CHECK: :[[#@LINE+1]]:31: warning: this loop treats 'grads[0]' as contiguous, and nothing has checked
    const float *g = grads[0].data_ptr<float>();
    float *p = to.data_ptr<float>();
    for (int64_t i = 0; i < grads[0].numel(); ++i)
      p[i * 8] = g[i];
    return {to};
  }
};
} // namespace

// Made contiguous, asked, asked by who is not seen, with its strides, by an accessor.
struct Packed : torch::autograd::Function<Packed> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x) { return x * 2; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto grad = grads[0].contiguous();
    auto to = torch::empty_like(grad);
    scaleBackward(grad.data_ptr<float>(), to.data_ptr<float>(), grad.size(0), grad.size(1));
    return {to};
  }
};
struct Asked : torch::autograd::Function<Asked> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x) { return x * 2; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto grad = grads[0], second = grads[1], third = grads[2];
    TORCH_CHECK(grad.is_contiguous());
    expectDense(second);
    if (!fits(third))
      third = third.contiguous();
    auto to = torch::empty({grad.size(0), grad.size(1)}, grad.options());
    scaleBackward(grad.data_ptr<float>(), to.data_ptr<float>(), grad.size(0), grad.size(1));
    scaleBackward(second.data_ptr<float>(), to.data_ptr<float>(), second.size(0), second.size(1));
    scaleBackward(third.data_ptr<float>(), to.data_ptr<float>(), third.size(0), third.size(1));
    return {to};
  }
};
struct Strided : torch::autograd::Function<Strided> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x) { return x * 2; }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto grad = grads[0];
    auto to = torch::empty({grad.size(0), grad.size(1)}, grad.options());
    strided(grad.data_ptr<float>(), grad.stride(0), grad.stride(1), to.data_ptr<float>(), grad.size(0), grad.size(1));
    auto g = grad.accessor<float, 2>();
    auto t = to.accessor<float, 2>();
    for (int64_t i = 0; i < grad.size(0); ++i)
      t[i][0] += g[i][0];
    return {to};
  }
};

// A method of another class that is called so.
struct Layer {
  tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto grad = grads[0];
    auto to = torch::empty({grad.size(0), grad.size(1)}, grad.options());
    scaleBackward(grad.data_ptr<float>(), to.data_ptr<float>(), grad.size(0), grad.size(1));
    return {to};
  }
};
