// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %torch | FileCheck %s --implicit-check-not=warning:
// RUN: %tensortidy --checks=-*,tensor-shape-mismatch %s -- -DCONVERTED=1 %torch
// RUN: %tensortidy --checks=-*,tensor-shape-mismatch %s -- -DCONVERTED=2 %torch
// RUN: %tensortidy --checks=-*,tensor-shape-mismatch %s -- -DCONVERTED=3 %torch
// REQUIRES: libtorch
// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- -DCONVERTED=4 %torch | FileCheck %s --check-prefix=MOVED --implicit-check-not=warning:
// Weights have the type they were made with where nothing in the unit converts modules, and after that the one they are converted to.
#include <torch/torch.h>

struct EncoderImpl : torch::nn::Module {
  EncoderImpl(int64_t vocabulary, int64_t hidden)
      : words(vocabulary, 16), lstm(torch::nn::LSTMOptions(16, hidden).batch_first(true)), out(hidden, 5) {
    register_module("words", words);
    register_module("lstm", lstm);
    register_module("out", out);
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({hidden})));
#if CONVERTED == 1
    to(torch::kDouble);
#endif
  }
  at::Tensor forward(const at::Tensor &ids) {
    auto rows = words(ids.to(torch::kLong));
    auto all = std::get<0>(lstm(rows));
    return torch::log_softmax(out(norm(all.select(1, -1))), -1);
  }
  at::Tensor score(const at::Tensor &states) {
    auto x = states.reshape({-1, states.size(-1)}).to(torch::kDouble);
#if !CONVERTED
    // CHECK: :[[#@LINE+2]]:27: warning: out(x) needs float64 on both sides, 'weight' has float32; throws [tensor-shape-mismatch]
#endif
    return torch::softmax(out(x), -1);
  }
  at::Tensor scoreFine(const at::Tensor &states) {
    auto x = states.reshape({-1, states.size(-1)});
    return torch::softmax(out(x), -1).to(torch::kDouble);
  }
  torch::nn::Embedding words;
  torch::nn::LSTM lstm;
  torch::nn::Linear out;
  torch::nn::LayerNorm norm{nullptr};
};
TORCH_MODULE(Encoder);

#if CONVERTED == 4
at::Tensor halves(const at::Tensor &x) {
  torch::nn::Linear fc(16, 4);
  fc->to(torch::kHalf);
  auto y = fc(x.to(torch::kHalf));
  // MOVED: :[[#@LINE+1]]:14: warning: fc(...) needs float16, its input has float32; throws unless autocast is on [tensor-shape-mismatch]
  return y + fc(torch::rand({8, 16}));
}
struct ConvNet : torch::nn::Module {
  torch::nn::Conv2d conv{nullptr};
  torch::nn::Embedding kinds{nullptr};
  ConvNet() {
    conv = register_module("conv", torch::nn::Conv2d(3, 8, 3));
    kinds = register_module("kinds", torch::nn::Embedding(4, 8));
  }
  at::Tensor forward(at::Tensor x) { return torch::relu(conv(x.unsqueeze(0))); }
};
at::Tensor doubles(torch::Device device, bool exact) {
  auto net = std::make_shared<ConvNet>();
  net->to(device, torch::kDouble);
  auto x = torch::rand({3, 32, 32}, device);
  if (exact)
    return net->forward(x.to(torch::kDouble));
  // MOVED: :[[#@LINE+1]]:10: warning: net(x) needs float64, 'x' has float32; throws
  return net->forward(x);
}
at::Tensor back(const at::Tensor &x) {
  auto net = std::make_shared<ConvNet>();
  net->to(torch::kDouble);
  auto y = net->forward(torch::rand({3, 8, 8}, torch::kDouble));
  net->to(torch::kFloat);
  return y + net->forward(torch::rand({3, 8, 8}));
}
/// Converts what it gets, and what it gets are integers.
struct Words : torch::nn::Module {
  torch::nn::Embedding words{nullptr};
  torch::nn::Linear out{nullptr};
  Words() {
    words = register_module("words", torch::nn::Embedding(100, 16));
    out = register_module("out", torch::nn::Linear(16, 4));
  }
  at::Tensor forward(at::Tensor ids) { return out(words(ids)); }
};
at::Tensor ids() {
  Words net;
  net.to(torch::kHalf);
  return net.forward(torch::zeros({4}, torch::kLong));
}
#elif CONVERTED == 2
void prepare(Encoder &net, torch::Device device) { net->to(device, torch::kFloat64); }
#elif CONVERTED == 3
struct Doubles {
  Doubles() { torch::set_default_dtype(caffe2::TypeMeta::Make<double>()); }
} doubles;
#elif !CONVERTED

struct Vision : torch::nn::Module {
  torch::nn::Sequential features{nullptr};
  torch::nn::Conv2d first{nullptr};
  torch::nn::Linear head{nullptr};
  Vision() {
    first = register_module("first", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 16, 3).padding(1)));
    features = register_module("features", torch::nn::Sequential(torch::nn::Conv2d(16, 32, 3), torch::nn::ReLU(),
                                                                 torch::nn::AdaptiveAvgPool2d(1)));
    head = register_module("head", torch::nn::Linear(32, 10));
  }
  at::Tensor forward(at::Tensor image) {
    // CHECK: :[[#@LINE+1]]:26: warning: first(image) needs a floating-point type, 'classify::image' has uint8; throws
    auto x = torch::relu(first(image));
    x = features->forward(x).flatten(1);
    return head(x);
  }
};

at::Tensor classify(Vision &net, unsigned char *pixels, int64_t h, int64_t w) {
  auto image = torch::from_blob(pixels, {1, h, w, 3}, torch::kByte).permute({0, 3, 1, 2});
  return net.forward(image);
}
at::Tensor classifyFine(Vision &net, unsigned char *pixels, int64_t h, int64_t w) {
  auto image = torch::from_blob(pixels, {1, h, w, 3}, torch::kByte).permute({0, 3, 1, 2});
  return net.forward(image.to(torch::kFloat).div_(255));
}
/// By division, bytes become floats.
at::Tensor classifyDivided(Vision &net, unsigned char *pixels, int64_t h, int64_t w) {
  auto image = torch::from_blob(pixels, {1, h, w, 3}, torch::kByte).permute({0, 3, 1, 2});
  return net.forward(image / 255.0);
}

int main() {
  auto net = std::make_shared<Vision>();
  torch::nn::Sequential mlp(torch::nn::Linear(8, 16), torch::nn::Tanh(), torch::nn::Linear(16, 1));
  torch::nn::GRU gru(4, 8);
  net->to(torch::kCPU);
  std::vector<double> samples(64);
  auto x = torch::from_blob(samples.data(), {8, 8}, torch::kDouble);
  // CHECK: :[[#@LINE+1]]:12: warning: Linear(x) needs float64 on both sides, 'weight' has float32; throws
  auto y = mlp->forward(x);
  auto fine = mlp->forward(x.to(torch::kFloat32));
  // CHECK: :[[#@LINE+1]]:12: warning: gru(...) needs float16 on both sides, 'weight' has float32; throws unless autocast is on
  auto z = gru->forward(torch::randn({3, 2, 4}, torch::kHalf));
  auto same = gru->forward(torch::randn({3, 2, 4}));
  return y.numel() + fine.numel() + std::get<0>(z).numel() + std::get<0>(same).numel();
}
#endif
