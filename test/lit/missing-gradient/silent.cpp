// RUN: %silent %s --checks=-*,tensor-missing-gradient -- %torch

#include <torch/nn.h>
#include <torch/optim.h>

// Weights that are asked for gradients: in their options, by a call, in a list.
at::Tensor fit(const at::Tensor &x, const at::Tensor &y) {
  auto w = torch::zeros({x.size(1), 1}, torch::requires_grad());
  auto b = torch::zeros({1});
  b.requires_grad_();
  for (int step = 0; step < 100; ++step) {
    auto loss = (x.mm(w) + b - y).pow(2).mean();
    loss.backward();
    torch::NoGradGuard guard;
    w -= 0.1 * w.grad();
    b -= 0.1 * b.grad();
    w.mutable_grad().zero_();
    b.mutable_grad().zero_();
  }
  return w;
}
void listed(const at::Tensor &x) {
  auto w = torch::zeros({3, 1}), v = torch::zeros({1});
  std::vector<at::Tensor> all{w, v};
  for (auto &p : all)
    p.requires_grad_(true);
  auto loss = (x.detach().mm(w) + v).sum();
  loss.backward();
}
// A parameter may require gradients; so may what a function gives.
at::Tensor energyOf(const at::Tensor &positions);
at::Tensor forces(const at::Tensor &positions) {
  auto energy = positions.detach().sum() + energyOf(positions);
  energy.backward();
  return positions.grad();
}
// The loss adds up what has a graph, in place.
void sums(torch::nn::Linear net, const std::vector<at::Tensor> &xs) {
  auto total = torch::zeros({1});
  for (const auto &x : xs)
    total += net(x).sum();
  total.backward();
}
void lists(torch::nn::Linear net, const std::vector<at::Tensor> &xs) {
  std::vector<at::Tensor> losses;
  for (const auto &x : xs)
    losses.push_back(net(x).sum());
  torch::stack(losses).mean().backward();
}
// A guard whose scope is over, or which comes later.
void guarded(torch::nn::Linear net, const at::Tensor &x) {
  at::Tensor target;
  {
    torch::NoGradGuard guard;
    target = net(x);
  }
  auto loss = torch::mse_loss(net(x), target);
  loss.backward();
  torch::NoGradGuard guard;
  net(x);
}
// A guard in a function that is called, of which the scope ends there.
at::Tensor target(torch::nn::Linear &net, const at::Tensor &x) {
  torch::NoGradGuard guard;
  auto next = torch::tanh(net(x));
  return next + 0.9 * net(next);
}
void bootstrap(torch::nn::Linear net, const at::Tensor &x) {
  auto loss = torch::mse_loss(net(x), target(net, x));
  auto other = -net(torch::tanh(net(x))).mean();
  loss.backward();
  other.backward();
}
// What is made a leaf again.
at::Tensor leafAgain(const at::Tensor &x) {
  auto w = torch::randn({3, 4}) * 0.01;
  w.requires_grad_();
  torch::optim::SGD optimizer({w}, torch::optim::SGDOptions(0.1));
  x.mm(w).sum().backward();
  return w.grad();
}
at::Tensor again(const at::Tensor &x) {
  auto w = torch::randn({3, 4}, torch::requires_grad());
  for (int step = 0; step < 10; ++step) {
    x.mm(w).pow(2).sum().backward();
    torch::NoGradGuard guard;
    w = (w - 0.1 * w.grad()).requires_grad_();
  }
  return w;
}
// Inner tensors that keep their gradients, and who asks whether there are any.
at::Tensor kept(const at::Tensor &x) {
  auto y = x * 2;
  y.retain_grad();
  y.sum().backward();
  return y.grad();
}
at::Tensor asked(const at::Tensor &x) {
  auto y = x * 2;
  y.sum().backward();
  return y.grad().defined() ? y.grad() : torch::zeros_like(y);
}
// A parameter requires gradients, under either name.
at::Tensor registered(torch::nn::Module &net, const at::Tensor &x) {
  auto made = torch::zeros({3, 4});
  auto w = net.register_parameter("w", torch::zeros({3, 4}));
  net.register_parameter("made", made);
  auto loss = x.detach().mm(w).sum();
  loss.backward();
  auto other = (made * 2).sum();
  other.backward();
  return w.grad() + made.grad();
}
// Moved first, then asked.
at::Tensor moved(const at::Tensor &x, torch::Device device) {
  auto w = torch::randn({3, 4}).to(device).requires_grad_();
  torch::optim::SGD optimizer({w}, torch::optim::SGDOptions(0.1));
  x.mm(w).sum().backward();
  return w.grad();
}
// A caller that has it there already may have asked for gradients.
at::Tensor sensitivity(torch::nn::Linear net, const at::Tensor &x, torch::Device device) {
  auto input = x.to(device);
  net(input).sum().backward();
  return input.grad();
}
