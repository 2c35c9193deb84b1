// RUN: not %tensortidy --checks=-*,tensor-graph-retention %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// A state that goes through functions and modules whose bodies are here.
#include <torch/torch.h>

static torch::Tensor step(torch::nn::Linear &cell, const torch::Tensor &x, const torch::Tensor &h) {
  return torch::tanh(cell(torch::cat({x, h}, 1)));
}
void helper(torch::nn::Linear &cell, const std::vector<torch::Tensor> &xs, torch::optim::Optimizer &optimizer, int64_t batch, int64_t size) {
  auto h = torch::zeros({batch, size});
  for (const auto &x : xs) {
    auto next = step(cell, x, h);
    optimizer.zero_grad();
    next.pow(2).mean().backward();
    optimizer.step();
    h = next;
    // CHECK: :[[#@LINE-1]]:{{.*}} 'h' takes the graph of this iteration into the next one
  }
}
void helperRight(torch::nn::Linear &cell, const std::vector<torch::Tensor> &xs, torch::optim::Optimizer &optimizer, int64_t batch, int64_t size) {
  auto h = torch::zeros({batch, size});
  for (const auto &x : xs) {
    auto next = step(cell, x, h);
    optimizer.zero_grad();
    next.pow(2).mean().backward();
    optimizer.step();
    h = next.detach();
  }
}

struct RecurrentImpl : torch::nn::Module {
  torch::nn::Linear cell{nullptr}, readout{nullptr};
  explicit RecurrentImpl(int64_t size) {
    cell = register_module("cell", torch::nn::Linear(2 * size, size));
    readout = register_module("readout", torch::nn::Linear(size, 1));
  }
  std::pair<torch::Tensor, torch::Tensor> forward(const torch::Tensor &x, const torch::Tensor &h) {
    auto next = torch::tanh(cell(torch::cat({x, h}, 1)));
    return {readout(next), next};
  }
};
TORCH_MODULE(Recurrent);
struct Chunk {
  torch::Tensor x, y;
};
void module(Recurrent &net, const std::vector<Chunk> &chunks, torch::optim::Optimizer &optimizer, int64_t batch, int64_t size) {
  auto h = torch::zeros({batch, size});
  for (const auto &c : chunks) {
    auto [y, next] = net->forward(c.x, h);
    auto loss = torch::mse_loss(y, c.y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    h = next;
    // CHECK: :[[#@LINE-1]]:{{.*}} 'h' takes the graph of this iteration into the next one
  }
}
// The graph of several steps, which ends where it was used.
void truncated(Recurrent &net, const std::vector<Chunk> &chunks, torch::optim::Optimizer &optimizer, int64_t batch, int64_t size) {
  auto h = torch::zeros({batch, size});
  int64_t count = 0;
  for (const auto &c : chunks) {
    auto [y, next] = net->forward(c.x, h);
    auto loss = torch::mse_loss(y, c.y);
    h = next;
    if (++count % 8 == 0) {
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      h = h.detach();
    }
  }
}
