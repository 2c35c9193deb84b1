// RUN: not %tensortidy --checks=-*,tensor-inplace-on-saved %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// What is added to a tensor in place was computed from it, by an operation that keeps it: the gradient goes through both.
#include <torch/torch.h>

struct BlockImpl : torch::nn::Module {
  BlockImpl(int64_t dim, int64_t hidden) {
    norm1 = register_module("norm1", torch::nn::LayerNorm(torch::nn::LayerNormOptions({dim})));
    norm2 = register_module("norm2", torch::nn::LayerNorm(torch::nn::LayerNormOptions({dim})));
    up = register_module("up", torch::nn::Linear(dim, hidden));
    down = register_module("down", torch::nn::Linear(hidden, dim));
    scale = register_parameter("scale", torch::full({dim}, 1e-2));
  }
  torch::Tensor mlp(const torch::Tensor &x) { return down->forward(torch::gelu(up->forward(x))); }
  torch::Tensor forward(torch::Tensor x) {
    x = x + scale * mlp(norm1->forward(x));
    // CHECK: :[[#@LINE+1]]:7: warning: '+=' changes 'x', which the gradient of norm2() needs; backward() throws where the module is trained [tensor-inplace-on-saved]
    x += scale * mlp(norm2->forward(x));
    return x;
  }
  torch::nn::LayerNorm norm1{nullptr}, norm2{nullptr};
  torch::nn::Linear up{nullptr}, down{nullptr};
  torch::Tensor scale;
};

// Modules keep what the functions of their names keep: a Sigmoid its result, a GELU its operand.
struct GatesImpl : torch::nn::Module {
  explicit GatesImpl(int64_t dim) {
    mix = register_module("mix", torch::nn::Linear(dim, dim));
    gate = register_module("gate", torch::nn::Sigmoid());
    bend = register_module("bend", torch::nn::GELU());
  }
  torch::Tensor forward(torch::Tensor x) {
    auto open = gate->forward(mix->forward(x));
    // CHECK: :[[#@LINE+1]]:10: warning: mul_() changes 'open', which the gradient of gate() needs; backward() throws where the module is trained [tensor-inplace-on-saved]
    open.mul_(2);
    auto y = mix->forward(x);
    auto bent = bend->forward(y);
    bent.mul_(2);
    return open + bent;
  }
  torch::nn::Linear mix{nullptr};
  torch::nn::Sigmoid gate{nullptr};
  torch::nn::GELU bend{nullptr};
};

// Out of place, of what the norm was not given, and of a result that nothing keeps.
struct RightImpl : torch::nn::Module {
  explicit RightImpl(int64_t dim) {
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({dim})));
    mix = register_module("mix", torch::nn::Linear(dim, dim));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto y = mix->forward(x);
    y = y + norm->forward(y);
    auto sum = y + norm->forward(y);
    sum += torch::relu(y);
    return sum;
  }
  torch::nn::LayerNorm norm{nullptr};
  torch::nn::Linear mix{nullptr};
};

void train(torch::nn::Linear &model, const torch::Tensor &x) {
  auto y = model->forward(x);
  auto wave = y.sin();
  // CHECK: :[[#@LINE+1]]:5: warning: '+=' changes 'y', which the gradient of sin() needs; backward() throws [tensor-inplace-on-saved]
  y += wave;
  y.sum().backward();
}
void trainRight(torch::nn::Linear &model, const torch::Tensor &x) {
  auto y = model->forward(x);
  auto grown = y.exp(); // keeps its own result
  y += grown;
  y.sum().backward();
}

// Behind it run modules whose forward() is not seen, once for each layer.
struct EncoderImpl : torch::nn::Module {
  EncoderImpl(int64_t dim, int64_t depth) {
    place = register_module("place", torch::nn::Conv1d(torch::nn::Conv1dOptions(dim, dim, 3).padding(1)));
    mix = register_module("mix", torch::nn::Linear(dim, dim));
    for (int64_t i = 0; i < depth; ++i)
      layers->push_back(torch::nn::TransformerEncoderLayer(torch::nn::TransformerEncoderLayerOptions(dim, 4)));
    register_module("layers", layers);
  }
  torch::Tensor forward(const torch::Tensor &features) {
    auto x = mix->forward(features);
    auto at = place->forward(x.transpose(1, 2)).transpose(1, 2);
    // CHECK: :[[#@LINE+1]]:7: warning: '+=' changes 'x', which the gradient of place() needs; backward() throws where the module is trained [tensor-inplace-on-saved]
    x += at;
    x = mix->forward(x);
    for (auto &layer : *layers)
      x = layer->as<torch::nn::TransformerEncoderLayer>()->forward(x);
    return x;
  }
  torch::nn::Conv1d place{nullptr};
  torch::nn::Linear mix{nullptr};
  torch::nn::ModuleList layers;
};

// What comes out of the loop has no gradient, or may have none.
struct ProbeImpl : EncoderImpl {
  using EncoderImpl::EncoderImpl;
  torch::Tensor forward(const torch::Tensor &features) {
    auto x = mix->forward(features);
    auto at = place->forward(x.transpose(1, 2)).transpose(1, 2);
    x += at;
    x = mix->forward(x);
    for (auto &layer : *layers)
      x = layer->as<torch::nn::TransformerEncoderLayer>()->forward(x).detach();
    return x;
  }
};
