// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-graph-retention -- %torch | FileCheck %s --implicit-check-not=warning:
// Gradients that backward() adds to those of the iterations before, and an optimizer steps by.

#include <cstdio>
#include <iostream>
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(4, 1))) {}
  at::Tensor forward(const at::Tensor &x) { return fc(torch::relu(x)); }
  torch::nn::Linear fc;
};
TORCH_MODULE(Net);

struct Sample {
  at::Tensor x, y;
};

// What is set to zero before the loop, once, is not enough.
void fit(const std::vector<Sample> &data) {
  Net net;
  torch::optim::SGD sgd(net->parameters(), 0.1);
  sgd.zero_grad();
  // CHECK: :[[#@LINE+5]]:5: warning: step() goes by gradients that add up: no iteration sets those of the ones before to zero [tensor-graph-retention]
  // CHECK: :[[#@LINE+3]]:10: note: backward() adds to the gradients here; call zero_grad() before it
  for (const auto &b : data) {
    auto loss = torch::mse_loss(net(b.x), b.y);
    loss.backward();
    sgd.step();
  }
}

double epoch(Net &net, const std::vector<Sample> &data, torch::optim::Optimizer &optimizer) {
  net->train();
  double sum = 0;
  for (size_t i = 0; i < data.size(); ++i) {
    auto loss = torch::mse_loss(net->forward(data[i].x), data[i].y);
    loss.backward();
    torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
    // CHECK: :[[#@LINE+1]]:5: warning: step() goes by gradients that add up
    optimizer.step();
    sum += loss.item<double>();
    std::printf("%zu %f\n", i, sum);
    std::cout << sum << std::endl;
  }
  return sum;
}

// A step for several batches.
struct Trainer {
  void micro(const std::vector<Sample> &data) {
    int64_t i = 0;
    for (const auto &b : data) {
      (torch::mse_loss(net(b.x), b.y) / 4).backward();
      if (++i % 4 == 0)
        // CHECK: :[[#@LINE+1]]:9: warning: step() goes by gradients that add up
        optimizer->step();
    }
  }
  Net net;
  std::unique_ptr<torch::optim::Adam> optimizer;
};

void prepare(torch::optim::Optimizer &optimizer);

void legal(Net &net, const std::vector<Sample> &data, torch::optim::Adam &adam, const std::function<void()> &before) {
  auto loss = [&](const Sample &b) { return torch::mse_loss(net->forward(b.x), b.y); };
  for (const auto &b : data) {
    loss(b).backward();
    adam.step();
    net->zero_grad();
  }
  // Once in four batches, on purpose.
  int64_t i = 0;
  for (const auto &b : data) {
    loss(b).backward();
    if (++i % 4 == 0) {
      adam.step();
      adam.zero_grad();
    }
  }
}

void byHand(Net &net, const std::vector<Sample> &data, torch::optim::Adam &adam) {
  for (const auto &b : data) {
    for (auto &p : net->parameters())
      if (p.grad().defined())
        p.mutable_grad().reset();
    torch::mse_loss(net->forward(b.x), b.y).backward();
    adam.step();
  }
}

// Code that is not seen may do it.
void unseen(Net &net, const std::vector<Sample> &data, torch::optim::Adam &adam, const std::function<void()> &before) {
  for (const auto &b : data) {
    prepare(adam);
    torch::mse_loss(net->forward(b.x), b.y).backward();
    adam.step();
  }
  for (const auto &b : data) {
    before();
    torch::mse_loss(net->forward(b.x), b.y).backward();
    adam.step();
  }
}

// One iteration, an optimizer for each, and one that does not come back.
void once(const std::vector<Sample> &data, Net &net, torch::optim::Adam &adam) {
  for (const auto &b : data) {
    auto w = torch::rand({4, 1}, torch::requires_grad());
    torch::optim::SGD sgd({w}, 0.1);
    torch::mse_loss(b.x.mm(w), b.y).backward();
    sgd.step();
  }
  for (const auto &b : data) {
    torch::mse_loss(net->forward(b.x), b.y).backward();
    adam.step();
    break;
  }
  torch::mse_loss(net->forward(data[0].x), data[0].y).backward();
  adam.step();
}
