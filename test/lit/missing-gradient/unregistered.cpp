// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-missing-gradient -- %torch
// Modules that forward() runs and nothing registers.

#include <torch/torch.h>

struct BranchesImpl : torch::nn::Module {
  BranchesImpl(int64_t n, int64_t width) {
    stem = register_module("stem", torch::nn::Linear(width, width));
    for (int64_t i = 0; i < n; ++i)
      branches.push_back(torch::nn::Linear(width, width));
    // CHECK-MESSAGES: :[[#@LINE-1]]:26: warning: 'branches' is not registered: no optimizer trains this module, as parameters() of the class does not give its weights; neither does to() move them, nor save() keep them [tensor-missing-gradient]
  }
  at::Tensor forward(const at::Tensor &x) {
    auto y = stem->forward(x);
    for (auto &branch : branches)
      y = y + branch->forward(y);
    // CHECK-MESSAGES: :[[#@LINE-1]]:15: note: forward() runs it here
    return y;
  }
  torch::nn::Linear stem{nullptr};
  std::vector<torch::nn::Linear> branches;
};

struct TwoImpl : torch::nn::Module {
  explicit TwoImpl(int64_t n) : a(n, n), b(n, n) { register_module("a", a); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:42: warning: 'b' is not registered
  at::Tensor forward(const at::Tensor &x) { return b->forward(torch::relu(a->forward(x))); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:52: note: forward() runs it here
  torch::nn::Linear a, b;
};

// Registered, one by one, or as a list.
struct ListedImpl : torch::nn::Module {
  ListedImpl(int64_t n, int64_t width) {
    for (int64_t i = 0; i < n; ++i) {
      auto one = torch::nn::Linear(width, width);
      branches.push_back(register_module("branch" + std::to_string(i), one));
      more->push_back(torch::nn::Linear(width, width));
    }
    register_module("more", more);
  }
  at::Tensor forward(at::Tensor x) {
    for (auto &branch : branches)
      x = x + branch->forward(x);
    for (auto &one : *more)
      x = x + one->as<torch::nn::Linear>()->forward(x);
    return x;
  }
  std::vector<torch::nn::Linear> branches;
  torch::nn::ModuleList more;
};
// On purpose: its weights are not to be trained, or others take them.
struct PerceptualImpl : torch::nn::Module {
  PerceptualImpl() : fixed(4, 4) {}
  at::Tensor forward(const at::Tensor &x) {
    torch::NoGradGuard none;
    return fixed->forward(x);
  }
  torch::nn::Linear fixed;
};
struct HandedImpl : torch::nn::Module {
  HandedImpl() : head(4, 4) {}
  at::Tensor forward(const at::Tensor &x) { return head->forward(x); }
  std::vector<at::Tensor> weights() { return head->parameters(); }
  torch::nn::Linear head;
};
// No module itself: there is nothing to register it with.
struct Pipeline {
  Pipeline() : head(4, 4) {}
  at::Tensor forward(const at::Tensor &x) { return head->forward(x); }
  torch::nn::Linear head;
};
