// RUN: %check %s --checks=-*,tensor-constant-in-forward -- %torch
// REQUIRES: libtorch
// Constants that forward() builds in each call, and tensors that only look so.

#include <torch/torch.h>

#include <vector>

void use(const at::Tensor &x);

struct Net : torch::nn::Module {
  int64_t heads = 8;
  at::Tensor made, cache, kept;

  at::Tensor forward(at::Tensor x, int64_t n) {
    auto ramp = torch::arange(0, 10);
    // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: arange() builds the same tensor in each call of forward() (80 bytes); make it once, in the constructor, with register_buffer() [tensor-constant-in-forward]
    x = x + ramp * 2 + torch::ones({10}, x.device());
    // CHECK-MESSAGES: :[[#@LINE-1]]:31: warning: ones() builds the same tensor in each call of forward(){{.*}} [tensor-constant-in-forward]
    auto mean = torch::tensor({0.485, 0.456, 0.406});
    // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: tensor() builds the same tensor in each call of forward(){{.*}} [tensor-constant-in-forward]

    auto state = torch::zeros({10}); // written
    state.add_(x.sum());
    auto sum = torch::zeros({10}); // the first of several
    sum = sum + x;
    auto mask = torch::ones({n}); // depends on the input
    auto size = torch::ones({x.size(0)});
    auto typed = torch::ones({10}, x.options()); // its dtype does
    auto own = torch::arange(heads);             // may change
    auto noise = torch::randn({10});
    auto number = torch::ones({1}) + torch::zeros(1); // as good as a number
    auto one = torch::tensor(0.5);
    made = torch::ones({10});
    if (!cache.defined())
      cache = torch::ones({10});
    if (!kept.defined()) {
      auto all = torch::ones({10});
      kept = all.triu(1).unsqueeze(0);
    }
    static const auto once = torch::ones({10});
    auto given = torch::ones({10});
    use(given);
    return number * x * state + sum + mask.sum() + size.sum() + typed + own.sum() + noise + one + made + cache + kept + once + mean.sum();
  }

  at::Tensor other(at::Tensor x) { return x + torch::ones({12}); }
  at::Tensor initial() { return torch::zeros({10}); }
};

struct Start : torch::nn::Module {
  at::Tensor forward() { return torch::zeros({10}); }
};

// No module.
struct Function {
  static at::Tensor forward(at::Tensor x) { return x + torch::ones({10}); }
};
struct Plain {
  at::Tensor forward(at::Tensor x) { return x + torch::ones({10}); }
};

struct Numbers : torch::nn::Module {
  at::Tensor forward(at::Tensor x) {
    auto low = torch::full({2, 2}, -1e9);
    // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: full() builds the same tensor in each call of forward()
    auto lowest = torch::full({2, 2}, std::numeric_limits<float>::lowest());
    // CHECK-MESSAGES: :[[#@LINE-1]]:26: warning: full() builds the same tensor in each call of forward()
    auto scale = torch::full({2, 2}, 1 / std::sqrt(64.0));
    // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: full() builds the same tensor in each call of forward()
    auto drawn = torch::full({2, 2}, -std::rand());
    return x + low + lowest + scale + drawn;
  }
};

// What the constructor was given, nothing changes; a list in a variable.
struct Heads : torch::nn::Module {
  int64_t heads, width;
  const int64_t levels = 4;
  Heads(int64_t heads, int64_t width) : heads(heads), width(width) {}
  void widen() { width *= 2; }
  at::Tensor forward(at::Tensor x) {
    const std::vector<float> mean = {0.4f, 0.5f, 0.6f};
    auto m = torch::tensor(mean);
    // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: tensor() builds the same tensor in each call of forward(){{.*}} [tensor-constant-in-forward]
    auto ids = torch::arange(heads);
    // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: arange() builds the same tensor in each call of forward(){{.*}} [tensor-constant-in-forward]
    auto steps = torch::arange(levels);
    // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: arange() builds the same tensor in each call of forward(){{.*}} [tensor-constant-in-forward]
    auto wide = torch::arange(width); // widen() changes it
    return x + m.sum() + ids.sum() + steps.sum() + wide.sum() + mask();
  }
  at::Tensor mask() { return torch::ones({8, 8}).triu(); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:37: warning: ones() builds the same tensor in each call of forward() (256 bytes){{.*}} [tensor-constant-in-forward]
  // CHECK-MESSAGES: note: in the call of 'Heads::mask' here
};
