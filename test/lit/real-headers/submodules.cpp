// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute,tensor-redundant-contiguous -- %torch
// Modules of the user's compute what this object's constructor was given.

#include <torch/nn.h>

namespace nn = torch::nn;

struct LayerImpl : nn::Module {
  nn::Linear fc;
  LayerImpl(int64_t from, int64_t to) : fc(from, to) { register_module("fc", fc); }
  at::Tensor forward(at::Tensor x) { return torch::relu(fc(x)); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:57: warning: fc(x): shapes 2x24 and 12x24 cannot be multiplied; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'forward::x' is [2, 24] here: zeros({2, 24})
  // CHECK-MESSAGES: :[[#@LINE-4]]:41: note: 'weight' is [24, 12] here
  // CHECK-MESSAGES: note: in the call of 'LayerImpl::forward' here
  // CHECK-MESSAGES: note: in the call of 'Bad::forward' here
};
TORCH_MODULE(Layer);

struct Plain : nn::Module {
  nn::Linear fc{nullptr};
  bool flat;
  Plain(int from, int to, bool flat = false) : flat(flat) { fc = register_module("fc", nn::Linear(from, to)); }
  at::Tensor forward(at::Tensor x) {
    x = fc(x);
    if (flat)
      x = x.view({2, -1, 15});
    return x;
  }
};

struct Good : nn::Module {
  Layer first{10, 20}, second{nullptr};
  std::shared_ptr<Plain> last;
  Good() {
    second = register_module("second", Layer(20, 30));
    last = register_module("last", std::make_shared<Plain>(30, 4));
  }
  at::Tensor forward(at::Tensor x) { return last->forward(second->forward(first(x))); }
};

struct Bad : nn::Module {
  Layer wide{nullptr}, narrow{nullptr};
  nn::Linear out{nullptr};
  explicit Bad(int64_t width) {
    wide = register_module("wide", Layer(width, 2 * width));
    narrow = register_module("narrow", Layer(2 * width, 5));
    out = register_module("out", nn::Linear(6, 1));
  }
  at::Tensor forward(at::Tensor x) {
    x = wide(x);
    x = narrow(x);
    return out(x);
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: out(x): shapes [..., 5] and 6x1 cannot be multiplied; throws [tensor-shape-mismatch]
    // CHECK-MESSAGES: note: 'x' is [..., 5] here: relu(...)
    // CHECK-MESSAGES: :[[#@LINE-8]]:34: note: 'weight' is [1, 6] here: Linear(6, 1)
  }
};

// What a constructor makes under a condition is called under that condition.
struct StepImpl : nn::Module {
  nn::Conv2d conv{nullptr};
  nn::Sequential down{nullptr};
  std::shared_ptr<Plain> extra;
  StepImpl(int64_t from, int64_t to, int64_t stride, bool more = false) {
    conv = register_module("conv", nn::Conv2d(nn::Conv2dOptions(from, to, 3).stride(stride).padding(1)));
    if (stride != 1 || from != to) {
      down = nn::Sequential(nn::Conv2d(nn::Conv2dOptions(from, to, 1).stride(stride)));
      register_module("down", down);
    }
    if (more)
      extra = register_module("extra", std::make_shared<Plain>(1, 1));
  }
  at::Tensor forward(at::Tensor x) {
    auto y = conv(x);
    if (!down.is_empty())
      x = down->forward(x);
    y += x;
    if (extra)
      y = extra->forward(y);
    return y;
  }
};
TORCH_MODULE(Step);

// Made by a name that nobody here knows: nothing is known of the object.
struct NamedImpl : nn::Module {
  nn::Conv2d conv;
  nn::AvgPool2d pool{nullptr};
  NamedImpl(int64_t from, int64_t stride, const std::string &kind)
      : conv(nn::Conv2dOptions(from, from, 3).stride(stride).padding(1)) {
    if (kind == "half")
      pool = nn::AvgPool2d(2);
  }
  at::Tensor forward(at::Tensor x) {
    auto y = conv(x);
    if (pool)
      x = pool(x);
    return x + y;
  }
};
TORCH_MODULE(Named);

void objects() {
  auto image = torch::zeros({1, 8, 16, 16});
  Step half(8, 16, 2), same(8, 8, 1);
  same(half(same(image)).narrow(1, 0, 8));
  Named named(8, 2, "half");
  named(image);
  auto row = torch::zeros({2, 30});
  Plain plain(30, 15, true), other(30, 7);
  other.forward(row);
  plain.forward(row);
  Bad bad(12);
  bad.forward(torch::zeros({2, 24}));
}

struct Pair : nn::Module {
  nn::Sequential both{nn::Linear(4, 8), Layer(8, 6), nn::Functional(torch::relu), nn::Linear(5, 1)};
  nn::Sequential named{{{"a", nn::Linear(4, 8)}, {"b", nn::Linear(4, 8)}}};
  at::Tensor first(at::Tensor x) { return both->forward(x); }
  at::Tensor second(at::Tensor x) { return named->forward(x); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:44: warning: Linear(...): shapes [..., 8] and 4x8 cannot be multiplied; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'weight' is [8, 4] here: Linear(4, 8)
};

// What is in it depends: nothing is known of the sequence.
struct Deep : nn::Module {
  nn::Sequential layers;
  explicit Deep(bool more) {
    if (more)
      layers->push_back(nn::Linear(4, 8));
  }
  at::Tensor forward(at::Tensor x) { return layers->is_empty() ? x : layers->forward(x); }
};

void sometimes() {
  Deep deep(true);
  deep.forward(torch::zeros({2, 5}));
}

// Of unknown rank but for its last size, which transpose(1, 2) may move.
struct Words : nn::Module {
  nn::Embedding words{100, 3};
  nn::Conv1d conv{nn::Conv1dOptions(3, 16, 5)};
  at::Tensor forward(at::Tensor x) { return conv(words(x).transpose(1, 2)); }
};
