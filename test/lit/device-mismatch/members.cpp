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
    // CHECK: :[[#@LINE+1]]:21: warning: masked_fill(causal, -1.0E+9) needs all on one device, 'scores' is on the device of the module and 'causal' on cpu; throws unless the device of the module is the CPU [tensor-device-mismatch]
    scores = scores.masked_fill(causal, -1e9);
    // CHECK: :[[#@LINE+1]]:64: warning: ... * scale needs all on one device, matmul(..., ...) is on the device of the module and 'scale' on cpu; throws unless the device of the module is the CPU [tensor-device-mismatch]
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

// Layers that are held and not registered: to() does not find them.
struct StackImpl : nn::Module {
  StackImpl(int64_t n, int64_t depth) : in(register_module("in", nn::Linear(n, n))), head(nn::LinearOptions(n, n)) {
    for (int64_t i = 0; i < depth; ++i)
      layers.push_back(nn::Linear(n, n));
    mix = nn::Linear(n, n);
  }
  at::Tensor forward(at::Tensor x) {
    x = in(x);
    // CHECK: :[[#@LINE+2]]:26: warning: 'mix' is on cpu, and its input 'x' on cuda; throws [tensor-device-mismatch]
    // CHECK: :[[#@LINE-5]]:11: note: 'mix' is put on cpu here
    auto y = torch::relu(mix->forward(x));
    x = torch::rand({8, 8}, torch::kCUDA);
    for (auto &layer : layers)
      // CHECK: :[[#@LINE+1]]:23: warning: 'layer' is on cpu, and its input 'x' on cuda; throws [tensor-device-mismatch]
      x = torch::relu(layer(x));
    x = torch::rand({8, 8}, torch::kCUDA);
    // CHECK: :[[#@LINE+1]]:12: warning: 'head' is on cpu, and its input 'x' on cuda; throws [tensor-device-mismatch]
    return head(x) + y;
  }
  nn::Linear in, head;
  nn::Linear mix{nullptr};
  std::vector<nn::Linear> layers;
};
TORCH_MODULE(Stack);

// All of them are registered, or moved by hand.
struct TowerImpl : nn::Module {
  TowerImpl(int64_t n, int64_t depth) : norm(nn::BatchNorm1d(n)), out(n, n) {
    nn::ModuleList list;
    for (int64_t i = 0; i < depth; ++i) {
      layers.push_back(nn::Linear(n, n));
      register_module("layer" + std::to_string(i), layers.back());
      auto gate = nn::Linear(n, n);
      list->push_back(gate);
      gates.push_back(gate);
      mixers.push_back(nn::Linear(n, n));
      parts.push_back(register_module("part" + std::to_string(i), nn::Linear(n, n)));
    }
    register_module("gates", list);
    register_module("norm", norm);
    int64_t i = 0;
    for (auto &mixer : mixers)
      register_module("mixer" + std::to_string(i++), mixer);
    add("out", out);
  }
  at::Tensor forward(at::Tensor x) {
    x = out(norm(x));
    for (size_t i = 0; i < layers.size(); ++i)
      x = parts.at(i)->forward(mixers[i](gates[i](layers[i](x))));
    return x + act(x);
  }
  template <typename M> void add(const char *name, M &module) { register_module(name, module); }
  nn::BatchNorm1d norm;
  nn::Linear out;
  nn::ReLU act;
  std::vector<nn::Linear> layers, gates, mixers, parts;
};
TORCH_MODULE(Tower);

struct SplitImpl : nn::Module {
  explicit SplitImpl(int64_t n) : first(n, n), second(n, n) {}
  void place(torch::Device device) {
    first->to(device);
    second->to(device);
  }
  at::Tensor forward(const at::Tensor &x) { return second(first(x)); }
  nn::Linear first, second;
};
TORCH_MODULE(Split);

struct PairImpl : nn::Module {
  explicit PairImpl(int64_t n) : one(n, n) {}
  at::Tensor forward(const at::Tensor &x) { return one(x); }
  nn::Linear one;
};
TORCH_MODULE(Pair);

// The sequence is not registered, its parts are.
struct ChainImpl : nn::Module {
  explicit ChainImpl(int64_t n) { steps = nn::Sequential(register_module("one", nn::Linear(n, n)), nn::ReLU(), register_module("two", nn::Linear(n, n))); }
  at::Tensor forward(const at::Tensor &x) { return steps->forward(x); }
  nn::Sequential steps{nullptr};
};
TORCH_MODULE(Chain);


at::Tensor stacked() {
  auto x = torch::rand({8, 8}, torch::kCUDA);
  Tower tower(8, 2);
  Split split(8);
  Pair pair(8);
  tower->to(torch::kCUDA);
  split->place(torch::kCUDA);
  pair->one->to(torch::kCUDA);
  Chain chain(8);
  chain->to(torch::kCUDA);
  Stack stack(8, 3);
  stack->to(torch::kCUDA);
  return pair(split(tower(x))) + stack(x) + chain(x);
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
