// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-missing-gradient -- %torch
// RUN: %silent %s --checks=-*,tensor-missing-gradient --config='{CheckOptions: {tensor-missing-gradient.Level: 0}}' -- %torch
// Parts of a module that are to stay in evaluation mode, and do not.

#include <torch/torch.h>

using Batches = std::vector<at::Tensor>;
struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))), bn(register_module("bn", torch::nn::BatchNorm1d(8))) {}
  at::Tensor forward(const at::Tensor &x) { return bn(fc(x)); }
  void freeze() {
    bn->eval();
    bn->weight.requires_grad_(false);
  }
  torch::nn::Linear fc;
  torch::nn::BatchNorm1d bn;
};
TORCH_MODULE(Net);

static void epoch(Net &net, torch::optim::Optimizer &optimizer, const Batches &batches) {
  for (const auto &x : batches) {
    optimizer.zero_grad();
    auto loss = net->forward(x).mean();
    loss.backward();
    optimizer.step();
  }
}

void fit(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  net->freeze();
  for (int i = 0; i < 10; ++i) {
    net->train();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: train() puts all of 'net' into training mode, with the part that was put into evaluation mode before the loop [tensor-missing-gradient]
    // CHECK-MESSAGES: :[[#@LINE-22]]:5: note: eval() of a part of it; call it behind train()
    epoch(net, optimizer, batches);
    net->eval();
    torch::NoGradGuard guard;
    std::cout << net->forward(batches[0]).mean().item<float>() << '\n';
  }
}
// Those of one kind.
void all(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  for (auto &m : net->modules(false))
    if (auto *norm = m->as<torch::nn::BatchNorm1d>())
      norm->train(false);
  for (int i = 0; i < 10; ++i) {
    net->train();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: train() puts all of 'net' into training mode
    epoch(net, optimizer, batches);
  }
}
// A member, in methods.
class Trainer {
public:
  void fit(const Batches &batches, int epochs) {
    if (frozen_)
      net_->bn->eval();
    while (epochs-- > 0) {
      net_->train(true);
      // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: train() puts all of 'net_' into training mode
      step(batches);
    }
  }
  void right(const Batches &batches, int epochs) {
    net_->bn->eval();
    while (epochs-- > 0) {
      net_->train();
      net_->freeze();
      step(batches);
    }
  }

private:
  void step(const Batches &batches) {
    for (const auto &x : batches) {
      optimizer_.zero_grad();
      auto loss = net_->forward(x).mean();
      loss.backward();
      optimizer_.step();
    }
  }
  Net net_;
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};
  bool frozen_ = true;
};

// Right: frozen again, by the module itself, or not known.
void again(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  net->freeze();
  for (int i = 0; i < 10; ++i) {
    net->train();
    for (auto &m : net->modules(false))
      if (auto *norm = m->as<torch::nn::BatchNorm1d>())
        norm->eval();
    epoch(net, optimizer, batches);
  }
}
struct FrozenImpl : torch::nn::Module {
  FrozenImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))), bn(register_module("bn", torch::nn::BatchNorm1d(8))) {}
  at::Tensor forward(const at::Tensor &x) { return bn(fc(x)); }
  void train(bool on = true) override {
    torch::nn::Module::train(on);
    bn->eval();
  }
  torch::nn::Linear fc;
  torch::nn::BatchNorm1d bn;
};
TORCH_MODULE(Frozen);
void itself(Frozen net, torch::optim::Adam &optimizer, const Batches &batches) {
  net->bn->eval();
  for (const auto &x : batches) {
    net->train();
    optimizer.zero_grad();
    net->forward(x).mean().backward();
    optimizer.step();
  }
}
void prepare(Net &net);
void unseen(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  net->freeze();
  for (int i = 0; i < 10; ++i) {
    net->train();
    prepare(net);
    epoch(net, optimizer, batches);
  }
}
// A part is run before all are trained; only a part is trained; all is
// evaluated first.
void features(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  net->bn->eval();
  std::cout << net->bn->forward(batches[0]).mean().item<float>() << '\n';
  for (int i = 0; i < 10; ++i) {
    net->train();
    epoch(net, optimizer, batches);
  }
}
void head(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  net->freeze();
  for (int i = 0; i < 10; ++i) {
    net->fc->train();
    epoch(net, optimizer, batches);
  }
}
void whole(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  net->eval();
  for (int i = 0; i < 10; ++i) {
    net->train();
    epoch(net, optimizer, batches);
  }
}
