// RUN: not %tensortidy --checks=-*,tensor-* %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Graphs kept alive and checks that cannot hold, each with a correct twin.
#include <torch/torch.h>
double sums(torch::nn::Linear &net, const std::vector<at::Tensor> &xs, torch::optim::SGD &opt) {
  at::Tensor total = torch::zeros({1});
  for (const auto &x : xs) {
    auto loss = net(x).pow(2).mean();
    opt.zero_grad();
    loss.backward();
    opt.step();
    total += loss;
    // CHECK: :[[#@LINE-1]]:11: warning: 'total' keeps the graph of every iteration, which backward() has used up: give it detach(){{.*}}[tensor-graph-retention]
  }
  return total.item<double>();
}
double sumsFine(torch::nn::Linear &net, const std::vector<at::Tensor> &xs, torch::optim::SGD &opt) {
  at::Tensor total = torch::zeros({1});
  for (const auto &x : xs) {
    auto loss = net(x).pow(2).mean();
    opt.zero_grad();
    loss.backward();
    opt.step();
    total += loss.detach();
  }
  return total.item<double>();
}
std::vector<at::Tensor> lists(torch::nn::Linear &net, const std::vector<at::Tensor> &xs) {
  std::vector<at::Tensor> losses;
  for (const auto &x : xs) {
    auto loss = net(x).mean();
    loss.backward();
    losses.push_back(loss);
    // CHECK: :[[#@LINE-1]]:5: warning: 'losses' keeps the graph of every iteration, which backward() has used up: give it detach({{.*}}[tensor-graph-retention]
  }
  return losses;
}
std::vector<double> listsFine(torch::nn::Linear &net, const std::vector<at::Tensor> &xs) {
  std::vector<double> losses;
  for (const auto &x : xs) {
    auto loss = net(x).mean();
    loss.backward();
    losses.push_back(loss.item<double>());
  }
  return losses;
}
struct Epoch {
  torch::nn::Linear net{8, 1};
  at::Tensor total, mean;
  void step(const at::Tensor &x) {
    auto loss = net(x).pow(2).mean();
    loss.backward();
    total = total.defined() ? total + loss : loss;
    // CHECK: :[[#@LINE-1]]:5: warning: 'total' keeps the graph of every call, which backward() has used up: give it detach({{.*}}[tensor-graph-retention]
  }
  void stepFine(const at::Tensor &x) {
    auto loss = net(x).pow(2).mean();
    loss.backward();
    mean = mean.defined() ? mean * 0.9 + loss.detach() * 0.1 : loss.detach();
  }
};
void states(torch::nn::GRU &rnn, torch::nn::Linear &head, const std::vector<at::Tensor> &chunks, torch::optim::Adam &opt) {
  at::Tensor h = torch::zeros({1, 4, 8});
  for (const auto &c : chunks) {
    auto [y, next] = rnn(c, h);
    auto loss = head(y).mean();
    opt.zero_grad();
    loss.backward();
    opt.step();
    h = next;
    // CHECK: :[[#@LINE-1]]:5: warning: 'h' takes the graph of this iteration into the next one, whose backward() goes through it {{.*}}[tensor-graph-retention]
  }
}
void statesFine(torch::nn::GRU &rnn, torch::nn::Linear &head, const std::vector<at::Tensor> &chunks, torch::optim::Adam &opt) {
  at::Tensor h = torch::zeros({1, 4, 8});
  for (const auto &c : chunks) {
    auto [y, next] = rnn(c, h);
    auto loss = head(y).mean();
    opt.zero_grad();
    loss.backward();
    opt.step();
    h = next.detach();
  }
}
at::Tensor checked(const at::Tensor &x) {
  auto y = x.view({-1, 3, 4}).sum(1);
  TORCH_CHECK(y.dim() == 3, "three");
  // CHECK: :[[#@LINE-1]]:15: warning: this check can never hold: 'y' is [x.view(...).size(0), 4]{{.*}}[tensor-shape-mismatch]
  return y;
}
at::Tensor checkedFine(const at::Tensor &x) {
  auto y = x.view({-1, 3, 4}).sum(1);
  TORCH_CHECK(y.dim() == 2, "two");
  return y;
}
static void needsMatrix(const at::Tensor &m) { TORCH_CHECK(m.dim() == 2, "matrix"); }
void callee(const at::Tensor &x) {
  needsMatrix(x.view({2, 3, 4}));
  // CHECK: :[[#@LINE-1]]:3: warning: a check in 'needsMatrix' can never hold for this call: 'needsMatrix::m' is [2, 3, 4]{{.*}}[tensor-shape-mismatch]
}
void calleeFine(const at::Tensor &x) {
  needsMatrix(x.view({6, 4}));
}
