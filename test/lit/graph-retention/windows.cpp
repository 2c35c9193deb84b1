// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-graph-retention -- %torch
// A window of what was seen, field by field: the graphs of the last ones are kept.
#include <deque>
#include <torch/torch.h>
#include <vector>

struct NetImpl : torch::nn::Module {
  torch::nn::Linear fc{nullptr};
  NetImpl() { fc = register_module("fc", torch::nn::Linear(8, 1)); }
  torch::Tensor forward(const torch::Tensor &x) { return fc(x); }
};
TORCH_MODULE(Net);

struct Seen {
  torch::Tensor input, state;
  float reward;
};
class Replay {
public:
  void episode(Net &net, torch::optim::SGD &optimizer, const std::vector<torch::Tensor> &xs) {
    torch::Tensor total = torch::zeros({1});
    for (const auto &x : xs) {
      auto y = net(x);
      total = total + y.sum();
      seen.push_back(Seen{x, y, 1});
      // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'seen' keeps the graph of every call, which backward() has used up: give it detach() or item() of this [tensor-graph-retention]
      // CHECK-MESSAGES: :[[#@LINE+5]]:11: note: backward() runs here
      if (seen.size() > 100)
        seen.pop_front();
    }
    optimizer.zero_grad();
    total.backward();
    optimizer.step();
  }
  void detached(Net &net, torch::optim::SGD &optimizer, const std::vector<torch::Tensor> &xs) {
    torch::Tensor total = torch::zeros({1});
    for (const auto &x : xs) {
      auto y = net(x);
      total = total + y.sum();
      others.push_back(Seen{x, y.detach(), 1});
    }
    optimizer.zero_grad();
    total.backward();
    optimizer.step();
  }
  void emptied(Net &net, torch::optim::SGD &optimizer, const std::vector<torch::Tensor> &xs) {
    emptied_.clear();
    torch::Tensor total = torch::zeros({1});
    for (const auto &x : xs) {
      auto y = net(x);
      total = total + y.sum();
      emptied_.push_back(Seen{x, y, 1});
    }
    optimizer.zero_grad();
    total.backward();
    optimizer.step();
  }

private:
  std::deque<Seen> seen, others, emptied_;
};
