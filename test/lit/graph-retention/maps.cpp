// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-graph-retention -- %torch
// Losses by name: the map that a call gives has the graph of what backward() is called on.

#include <torch/nn.h>
#include <torch/optim.h>

#include <map>
#include <string>

using Losses = std::map<std::string, at::Tensor>;
Losses lossesOf(torch::nn::Linear &net, const at::Tensor &x);

double epoch(torch::nn::Linear net, torch::optim::Adam &optimizer, const std::vector<at::Tensor> &xs) {
  std::vector<Losses> all;
  for (const auto &x : xs) {
    optimizer.zero_grad();
    auto losses = lossesOf(net, x);
    losses["total"].backward();
    optimizer.step();
    all.push_back(losses);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'all' keeps the graph of every iteration, which backward() has used up
  }
  double sum = 0;
  for (auto &losses : all)
    sum += losses["total"].item<double>();
  return sum;
}
// The same, filled one by one in a function that is followed.
struct Heads : torch::nn::Module {
  Losses losses(const at::Tensor &x, const at::Tensor &box, const at::Tensor &score) {
    auto h = torch::gelu(body->forward(x));
    Losses all;
    all["box"] = torch::mse_loss(boxes->forward(h), box);
    all["score"] = torch::mse_loss(scores->forward(h), score);
    all["total"] = all["box"] + 0.1 * all["score"];
    return all;
  }
  torch::nn::Linear body{nullptr}, boxes{nullptr}, scores{nullptr};
};
std::vector<Losses> history(Heads &net, torch::optim::Adam &optimizer, const std::vector<at::Tensor> &xs) {
  std::vector<Losses> all;
  for (const auto &x : xs) {
    optimizer.zero_grad();
    auto losses = net.losses(x, x, x);
    losses["total"].backward();
    optimizer.step();
    all.push_back(losses);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'all' keeps the graph of every iteration, which backward() has used up
  }
  return all;
}
std::vector<Losses> history_of_numbers(Heads &net, const std::vector<at::Tensor> &xs) {
  std::vector<Losses> all;
  for (const auto &x : xs) {
    auto losses = net.losses(x, x, x);
    losses["total"].backward();
    Losses numbers;
    numbers["box"] = losses["box"].detach();
    numbers["total"] = losses["total"].detach();
    all.push_back(numbers);
  }
  return all;
}
// Each of them is detached before; only numbers are kept; one element is another one.
std::vector<Losses> detached(torch::nn::Linear net, const std::vector<at::Tensor> &xs) {
  std::vector<Losses> all;
  for (const auto &x : xs) {
    auto losses = lossesOf(net, x);
    losses["total"].backward();
    for (auto &[name, loss] : losses)
      loss = loss.detach();
    all.push_back(losses);
  }
  return all;
}
std::vector<double> numbers(torch::nn::Linear net, const std::vector<at::Tensor> &xs) {
  std::vector<double> all;
  for (const auto &x : xs) {
    auto losses = lossesOf(net, x);
    losses["total"].backward();
    all.push_back(losses["total"].item<double>());
  }
  return all;
}
std::vector<Losses> replaced(torch::nn::Linear net, const std::vector<at::Tensor> &xs) {
  std::vector<Losses> all;
  for (const auto &x : xs) {
    auto losses = lossesOf(net, x);
    losses["total"] = net(x).sum();
    losses["total"].backward();
    losses["total"] = losses["total"].detach();
    all.push_back(losses);
  }
  return all;
}
