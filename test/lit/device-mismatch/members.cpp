// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-device-mismatch -- %torch | FileCheck %s --implicit-check-not=warning:
// Tensors that a module holds as plain members: to() moves parameters and buffers only.

#include <torch/cuda.h>
#include <torch/nn.h>

namespace nn = torch::nn;

// One state is a buffer, the other is not.
struct CellImpl : nn::Module {
  CellImpl(int64_t batch, int64_t size) {
    gate = register_module("gate", nn::Linear(size, size));
    cell = register_buffer("cell", torch::zeros({batch, size}));
    norm = torch::zeros({batch, size});
  }
  at::Tensor forward(const at::Tensor &x) {
    auto f = torch::sigmoid(gate(x));
    auto next = f * cell;
    // CHECK: :[[#@LINE+2]]:18: warning: f * norm needs all on one device, 'f' is on cuda and 'norm' on cpu; throws [tensor-device-mismatch]
    // CHECK: :[[#@LINE-6]]:12: note: 'norm' is put on cpu here
    auto sum = f * norm + next;
    norm = sum.detach();
    return next / sum;
  }
  nn::Linear gate{nullptr};
  at::Tensor cell, norm;
};
TORCH_MODULE(Cell);

at::Tensor run() {
  Cell net(8, 64);
  net->to(torch::kCUDA);
  return net(torch::randn({8, 64}, torch::kCUDA));
}

// Made where it is declared, in the list of initializers, by several calls.
struct AttentionImpl : nn::Module {
  AttentionImpl(int64_t size, int64_t length)
      : qkv(register_module("qkv", nn::Linear(size, 3 * size))), causal(torch::ones({length, length}).triu(1).to(torch::kBool)) {}
  at::Tensor forward(const at::Tensor &x) {
    auto parts = qkv(x).chunk(3, -1);
    auto scores = torch::matmul(parts[0], parts[1].transpose(-2, -1));
    // CHECK: :[[#@LINE+1]]:21: warning: masked_fill(causal, ...) needs all on one device, 'scores' is on 'attend::device' and 'causal' on cpu; throws unless 'attend::device' is the CPU [tensor-device-mismatch]
    scores = scores.masked_fill(causal, -1e9);
    // CHECK: :[[#@LINE+1]]:64: warning: ... * scale needs all on one device, matmul(..., ...) is on 'attend::device' and 'scale' on cpu; throws unless 'attend::device' is the CPU [tensor-device-mismatch]
    return torch::matmul(torch::softmax(scores, -1), parts[2]) * scale;
  }
  nn::Linear qkv;
  at::Tensor causal;
  at::Tensor scale = torch::full({1, 1}, 0.5);
};
TORCH_MODULE(Attention);

at::Tensor attend(const at::Tensor &tokens, torch::Device device) {
  Attention net(32, 16);
  net->to(device);
  return net->forward(tokens.to(device));
}

// Buffers and parameters, however they are registered.
struct PositionsImpl : nn::Module {
  PositionsImpl(int64_t length, int64_t size) : table(torch::zeros({length, size})), steps(torch::arange(length)) {
    auto local = torch::rand({length, size});
    gain = local;
    register_buffer("table", table);
    register_buffer("gain", local);
    this->register_parameter("steps", steps, false);
    bias = register_parameter("bias", torch::zeros({size}));
  }
  at::Tensor forward(const at::Tensor &x) { return (x + table) * gain + bias + steps.unsqueeze(1); }
  at::Tensor table, steps, gain, bias;
};
TORCH_MODULE(Positions);

// Moved where they are used, or with the module, or made again there.
struct MovedImpl : nn::Module {
  explicit MovedImpl(int64_t n) {
    fc = register_module("fc", nn::Linear(n, n));
    mask = torch::ones({n, n});
    state = torch::zeros({n, n});
    lazy = torch::zeros({n, n});
    other = torch::zeros({n, n});
    half = torch::tensor(0.5);
  }
  void to(torch::Device device, bool non_blocking = false) override {
    nn::Module::to(device, non_blocking);
    other = other.to(device);
  }
  at::Tensor forward(const at::Tensor &x) {
    auto y = fc(x) * mask.to(x.device()) * half;
    y = y + state.to(x.device());
    state = y.detach();
    if (lazy.device() != x.device())
      lazy = lazy.to(x.device());
    return y * lazy + other;
  }
  nn::Linear fc{nullptr};
  at::Tensor mask, state, lazy, other, half;
};
TORCH_MODULE(Moved);

// A state that is made anew for each sequence.
struct RecurrentImpl : nn::Module {
  explicit RecurrentImpl(int64_t n) : fc(register_module("fc", nn::Linear(n, n))), h(torch::zeros({1, n})) {}
  void reset(int64_t batch, const torch::Device &device) { h = torch::zeros({batch, fc->options.out_features()}, device); }
  at::Tensor forward(const at::Tensor &x) {
    h = torch::tanh(fc(x) + h);
    return h;
  }
  nn::Linear fc;
  at::Tensor h;
};
TORCH_MODULE(Recurrent);

// The caller moves it.
struct ScaledImpl : nn::Module {
  explicit ScaledImpl(int64_t n) : fc(register_module("fc", nn::Linear(n, n))), scale(torch::ones({n})), on(torch::ones({n}, torch::kCUDA)) {}
  at::Tensor forward(const at::Tensor &x) { return fc(x) * scale * on; }
  nn::Linear fc;
  at::Tensor scale, on;
};
TORCH_MODULE(Scaled);

at::Tensor legal() {
  Positions a(8, 8);
  Moved b(8);
  Recurrent c(8);
  Scaled d(8);
  a->to(torch::kCUDA);
  b->to(torch::kCUDA);
  c->to(torch::kCUDA);
  d->to(torch::kCUDA);
  d->scale = d->scale.to(torch::kCUDA);
  c->reset(8, torch::kCUDA);
  auto x = torch::rand({8, 8}, torch::kCUDA);
  for (int i = 0; i < 4; ++i)
    x = d(c(b(a(x))));
  return x;
}
