// RUN: %check %s --checks=-*,tensor-missing-gradient -- %torch

#include <torch/nn.h>
#include <torch/optim.h>

// Weights of a layer, fitted by hand.
at::Tensor fit(const at::Tensor &x, const at::Tensor &y) {
  auto w = torch::zeros({x.size(1), 1});
  for (int step = 0; step < 100; ++step) {
    auto loss = (x.detach().mm(w) - y.detach()).pow(2).mean();
    loss.backward();
    // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: backward() of 'loss', which nothing that requires gradients leads to; throws [tensor-missing-gradient]
    // CHECK-MESSAGES: :[[#@LINE-3]]:39: note: gradients end at detach()
  }
  return w;
}

// The mean of numbers has no graph.
void train(torch::nn::Linear net, torch::optim::Adam &optimizer, const std::vector<at::Tensor> &xs) {
  double sum = 0;
  for (const auto &x : xs) {
    optimizer.zero_grad();
    sum += net(x).mean().item<double>();
    auto loss = torch::full({}, sum / 2);
    loss.backward();
    // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: backward() of 'loss'
    // CHECK-MESSAGES: :[[#@LINE-3]]:24: note: what full() gives requires no gradients
    optimizer.step();
  }
}

// A guard that was meant for the input.
void augment(torch::nn::Linear net, at::Tensor x, const at::Tensor &target) {
  at::Tensor out;
  {
    torch::NoGradGuard guard;
    x = x * 2 - 1;
    out = net(x);
  }
  auto loss = torch::mse_loss(out, target.detach());
  loss.backward();
  // CHECK-MESSAGES: :[[#@LINE-1]]:8: warning: backward() of 'loss'
  // CHECK-MESSAGES: :[[#@LINE-7]]:24: note: nothing is recorded from here on
}

// What classes are the likeliest says nothing of how likely they are.
void accuracy(torch::nn::Linear net, const at::Tensor &x, const at::Tensor &target) {
  auto picked = net(x).argmax(1);
  auto wrong = (picked.to(torch::kFloat) - target.detach().to(torch::kFloat)).abs().mean();
  wrong.backward();
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: backward() of 'wrong'
}

// The second iteration computes with a difference.
at::Tensor descend(const at::Tensor &x) {
  auto w = torch::randn({3, 4}, torch::requires_grad());
  for (int step = 0; step < 10; ++step) {
    auto loss = x.mm(w).pow(2).sum();
    loss.backward();
    w = w - 0.1 * w.grad();
    // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: grad() of 'w' is undefined once this has run [tensor-missing-gradient]
    // CHECK-MESSAGES: :[[#@LINE-2]]:11: note: what '-' gives is no leaf: backward() keeps no gradient for it
  }
  return w;
}

// A tensor that is asked for gradients, then moved.
at::Tensor moved(const at::Tensor &x, torch::Device device) {
  auto w = torch::randn({3, 4}, torch::requires_grad()).to(device);
  torch::optim::SGD optimizer({w}, torch::optim::SGDOptions(0.1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: SGD() takes leaves, and 'w' is none; throws, unless to() has nothing to do
  x.mm(w).sum().backward();
  return w.grad();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: grad() of 'w' is undefined, unless to() has nothing to do
}
void scaled() {
  auto w = torch::randn({3, 4}, torch::requires_grad()) * 0.01;
  torch::optim::Adam optimizer({w}, torch::optim::AdamOptions(0.1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: Adam() takes leaves, and 'w' is none; throws [tensor-missing-gradient]
  w.sum().backward();
  optimizer.step();
}
