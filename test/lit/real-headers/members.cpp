// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %torch
// What a module's constructor made its members with, and was given.

#include <torch/nn.h>

namespace nn = torch::nn;

struct Config {
  int64_t in = 8, hidden = 16;
};

struct Sizes : nn::Module {
  int64_t dim, heads;
  Config config;
  nn::Linear a{nullptr}, b{nullptr}, c{nullptr}, d{nullptr};
  Sizes(int64_t given, int64_t heads, const Config &config) : dim(given), heads(heads), config(config) {
    a = register_module("a", nn::Linear(dim, 2 * given));
    b = register_module("b", nn::Linear(3 * given, dim));
    c = register_module("c", nn::Linear(config.in, config.hidden));
    d = register_module("d", nn::Linear(this->config.hidden + 1, 1));
  }
  at::Tensor factor(const at::Tensor &x) {
    return b(torch::relu(a(x)));
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: b(...): shapes [..., 2*given] and [3*given, given] cannot be multiplied; throws unless it is empty [tensor-shape-mismatch]
    // CHECK-MESSAGES: note: the tensor is [..., 2*given] here
    // CHECK-MESSAGES: note: 'weight' is [given, 3*given] here: Linear(3*given, given)
  }
  at::Tensor fits(const at::Tensor &x) { return a(b(x)).view({-1, 2, heads, dim / heads}); }
  at::Tensor configured(const at::Tensor &x) {
    return d(c(x));
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: d(...): shapes [..., config.hidden] and [config.hidden + 1, 1] cannot be multiplied; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note: the tensor is
    // CHECK-MESSAGES: note: 'weight' is
  }
  at::Tensor own(const at::Tensor &x) { return torch::zeros({dim, 3}).view({3 * dim}) + x; }
};

// A part of what the constructor was given, read from the member that keeps it.
struct Head : nn::Module {
  explicit Head(const Config &config) : config_(config) {
    center = register_buffer("center", torch::zeros({config_.in, config_.hidden}));
  }
  at::Tensor forward(const at::Tensor &x) {
    TORCH_CHECK(x.dim() == 4 && x.size(1) == config_.in);
    return x.narrow(3, 0, config_.hidden) - center.view({1, config_.in, 1, config_.hidden});
  }
  at::Tensor wrong() {
    return center.view({config_.in, config_.hidden + 1});
    // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: view({config.in, config.hidden + 1}): shape [config.in, config.hidden + 1] does not fit the config.in*config.hidden elements of 'center'; throws unless it is empty [tensor-shape-mismatch]
  }
  Config config_;
  at::Tensor center;
};
at::Tensor ofOne() {
  Config config;
  config.in = config.hidden = 1;
  Head head(config);
  return head.forward(torch::zeros({1, 1, 1, 2}));
}

// Others give it another size.
struct Changed : nn::Module {
  int64_t size;
  nn::Linear a{nullptr}, b{nullptr};
  Changed(int64_t n) : size(n) { rebuild(); }
  void rebuild() {
    a = nn::Linear(size, 2 * size);
    size += 1;
    b = nn::Linear(3 * size, size);
  }
  at::Tensor forward(at::Tensor x) { return b(a(x)) + torch::zeros({size}); }
};
struct Perhaps : nn::Module {
  nn::Linear a{nullptr}, b{nullptr};
  explicit Perhaps(bool deep) {
    a = nn::Linear(4, 8);
    if (deep)
      b = nn::Linear(8, 4);
    else
      b = nn::Linear(9, 4);
  }
  at::Tensor forward(at::Tensor x) { return b(a(x)); }
};
struct Elsewhere : nn::Module {
  nn::Linear a{4, 8}, b{9, 4};
  int64_t n = 3;
  void set(int64_t to);
  at::Tensor forward(at::Tensor x) { return b(a(x)); }
};
void replace(Elsewhere &e) { e.b = nn::Linear(8, 4); }

struct Tensors : nn::Module {
  at::Tensor left, right, mean, table;
  Tensors(int64_t n, int64_t rows = 100) {
    left = register_parameter("left", torch::randn({n, 16}));
    right = register_parameter("right", torch::randn({32, n}));
    mean = register_buffer("mean", torch::tensor({0.1, 0.2}).view({1, 2, 1, 1}));
    auto position = torch::arange(0, rows).unsqueeze(1);
    table = torch::zeros({rows, n});
    table = register_buffer("table", table.unsqueeze(0) + position);
  }
  at::Tensor product(const at::Tensor &x) {
    return x.matmul(left).matmul(right);
    // CHECK-MESSAGES: :[[#@LINE-1]]:27: warning: matmul(right): shapes [..., 16] and [32, n] cannot be multiplied; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note: the tensor is [..., 16] here
  }
  at::Tensor normal(const at::Tensor &x) {
    return x.view({-1, 3, 8, 8}) - mean;
    // CHECK-MESSAGES: :[[#@LINE-1]]:34: warning: ... - mean: sizes 3 and 2 do not match at dimension 1; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note:
  }
  at::Tensor encoded(const at::Tensor &x) {
    return x + table.select(3, 0);
    // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: select(3, 0): dimension 3 of 'table' is out of range [-3, 2]; throws [tensor-shape-mismatch]
  }
  at::Tensor fits(const at::Tensor &x) { return x.matmul(left).matmul(left.t()) + table.select(0, 0); }
};
struct Grows : nn::Module {
  at::Tensor state;
  Grows() { state = register_buffer("state", torch::zeros({4})); }
  void more() { state = torch::cat({state, state}); }
  at::Tensor forward(at::Tensor x) { return state + torch::zeros({8}); }
};
struct Reshaped : nn::Module {
  at::Tensor state;
  Reshaped() { state = register_buffer("state", torch::zeros({4})); }
  void grow() { state.resize_({8}); }
  at::Tensor forward(at::Tensor x) { return state + torch::zeros({8}); }
};

struct Recurrent : nn::Module {
  nn::LSTM lstm{nullptr};
  nn::GRU gru{nullptr};
  nn::LSTMCell cell{8, 16};
  nn::Linear both{nullptr}, one{nullptr};
  Recurrent() {
    lstm = register_module("lstm", nn::LSTM(nn::LSTMOptions(8, 16).bidirectional(true).batch_first(true)));
    gru = register_module("gru", nn::GRU(8, 16));
    both = register_module("both", nn::Linear(32, 2));
    one = register_module("one", nn::Linear(16, 2));
  }
  at::Tensor wide(const at::Tensor &x) {
    auto [y, state] = lstm->forward(x);
    both(y);
    one(std::get<0>(state));
    return one(y);
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: one(y): shapes {{.*}}32] and 16x2 cannot be multiplied; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note:
    // CHECK-MESSAGES: note:
  }
  at::Tensor state(const at::Tensor &x, int64_t n) {
    auto out = gru->forward(x, torch::zeros({2, x.size(1), 16}));
    // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: gru(x): size 2 of dimension 0 of its hx should be 1; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note:
    return one(std::get<0>(gru->forward(x, torch::zeros({1, x.size(1), 16}))) + std::get<1>(out)[0]);
  }
  at::Tensor step(const at::Tensor &x) {
    auto [h, c] = cell(x);
    return one(h) + both(c);
    // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: both(c): shapes {{.*}}16] and 32x2 cannot be multiplied; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note:
    // CHECK-MESSAGES: note:
  }
};

struct Blocks : nn::Module {
  nn::Conv2d conv{nullptr}, skip{nullptr};
  nn::BatchNorm2d norm{nullptr};
  nn::Sequential tail;
  nn::LayerNorm last{nullptr};
  Blocks() {
    reset();
    tail->push_back(nn::Linear(16, 8));
    tail->push_back(nn::Linear(9, 4));
    register_module("tail", tail);
  }
  void reset() {
    conv = register_module("conv", nn::Conv2d(nn::Conv2dOptions(3, 16, 3).padding(1)));
    skip = register_module("skip", nn::Conv2d(3, 8, 1));
    norm = register_module("norm", nn::BatchNorm2d(8));
    last = register_module("last", nn::LayerNorm(nn::LayerNormOptions({8})));
  }
  at::Tensor normed(const at::Tensor &x) {
    norm(skip(x));
    return norm(conv(x));
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: norm(...): size 16 of dimension 1 {{.*}}should be 8; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note:
    // CHECK-MESSAGES: note:
  }
  at::Tensor added(const at::Tensor &x) {
    auto y = conv(x);
    y += skip(x);
    // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: y += ...: size 8 does not fit into the size 16 of dimension -3 of 'y'; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note:
    // CHECK-MESSAGES: note:
    return y;
  }
  at::Tensor head(const at::Tensor &x) {
    return tail->forward(x);
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: Linear(...): shapes [..., 8] and 9x4 cannot be multiplied; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note:
  }
  // A batch, or none: the channels are the last but two all the same.
  at::Tensor channelsLast(const at::Tensor &x) { return last(skip(x).permute({0, 2, 3, 1})); }
  at::Tensor unbatched(const at::Tensor &x) { return conv(x).flatten(1).size(0) + conv(x).sum(); }
};
