// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-graph-retention -- %torch
#include <torch/torch.h>
#include <vector>

struct NetImpl : torch::nn::Module {
  torch::nn::Linear fc{nullptr};
  NetImpl() { fc = register_module("fc", torch::nn::Linear(8, 1)); }
  torch::Tensor forward(const torch::Tensor &x) { return fc(x); }
};
TORCH_MODULE(Net);

// The loss is computed once, and each iteration goes backward through it.
torch::Tensor fit(int64_t turns) {
  auto w = torch::randn({27, 27}, torch::requires_grad());
  auto loss = w.pow(2).mean();
  for (int64_t i = 0; i < turns; ++i) {
    loss.backward();
    // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: backward() goes through a graph that is made before the loop, which the first iteration frees; throws, unless there is no other [tensor-graph-retention]
    torch::NoGradGuard guard;
    w.sub_(w.grad(), 0.1);
  }
  return w.detach();
}

// The output is computed once for all targets.
void each(Net &net, const torch::Tensor &x, const std::vector<torch::Tensor> &targets) {
  auto y = net(x);
  for (const auto &t : targets) {
    auto loss = torch::mse_loss(y, t);
    loss.backward();
    // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: backward() goes through a graph that is made before the loop
  }
}

// Two losses of one output.
void both(Net &net, torch::optim::SGD &opt, const torch::Tensor &x, const torch::Tensor &t) {
  opt.zero_grad();
  auto y = net(x);
  auto first = torch::mse_loss(y, t);
  auto second = y.abs().mean();
  first.backward();
  second.backward();
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: backward() goes through a graph that another one has freed; throws, unless that one has retain_graph [tensor-graph-retention]
  opt.step();
}

// The same loss twice, in each iteration.
void twice(Net &net, const std::vector<torch::Tensor> &batches) {
  for (const auto &x : batches) {
    auto loss = net(x).pow(2).mean();
    loss.backward();
    if (loss.item<float>() > 1)
      loss.backward();
      // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: backward() goes through a graph that another one has freed
  }
}

// Right:
void bothKept(Net &net, const torch::Tensor &x, const torch::Tensor &t) {
  auto y = net(x);
  auto first = torch::mse_loss(y, t);
  auto second = y.abs().mean();
  first.backward({}, /*retain_graph=*/true);
  second.backward();
}

void together(Net &net, const torch::Tensor &x, const torch::Tensor &t) {
  auto y = net(x);
  (torch::mse_loss(y, t) + y.abs().mean()).backward();
}

void eachAnew(Net &net, const torch::Tensor &x, const std::vector<torch::Tensor> &targets) {
  for (const auto &t : targets)
    torch::mse_loss(net(x), t).backward();
}

// The discriminator sees what is cut off the generator's graph.
void adversarial(Net &generator, Net &judge, const torch::Tensor &noise, const torch::Tensor &real) {
  auto fake = generator(noise);
  judge(real).mean().backward();
  judge(fake.detach()).mean().backward();
  judge(fake).mean().backward();
}

// A sum saves nothing that could be gone.
void sums(int64_t turns) {
  auto w = torch::randn({27}, torch::requires_grad());
  auto total = (w + 1).sum();
  for (int64_t i = 0; i < turns; ++i)
    total.backward();
}

// The first that is good enough ends the loop.
void once(Net &net, const torch::Tensor &x, int64_t turns) {
  auto loss = net(x).pow(2).mean();
  for (int64_t i = 0; i < turns; ++i)
    if (i == 3) {
      loss.backward();
      break;
    }
}

void replaced(Net &net, const torch::Tensor &x, int64_t turns) {
  auto loss = net(x).pow(2).mean();
  for (int64_t i = 0; i < turns; ++i) {
    loss.backward();
    loss = net(x).pow(2).mean();
  }
}

// Weights that change between two ways through one graph.
struct DeepImpl : torch::nn::Module {
  DeepImpl() : a(register_module("a", torch::nn::Linear(4, 8))), b(register_module("b", torch::nn::Linear(8, 1))) {}
  at::Tensor forward(const at::Tensor &x) { return b(torch::tanh(a(x))); }
  torch::nn::Linear a, b;
};
TORCH_MODULE(Deep);
void twice(Deep &net, Deep &other, torch::optim::Adam &first, torch::optim::Adam &second, const at::Tensor &x) {
  for (int i = 0; i < 10; ++i) {
    auto loss = net(x).mean() + other(x).mean();
    first.zero_grad();
    loss.backward({}, /*retain_graph=*/true);
    first.step();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: step() changes weights that the graph goes by, and backward() goes through it again; throws [tensor-graph-retention]
    // CHECK-MESSAGES: :[[#@LINE-3]]:10: note: backward() keeps the graph
    // CHECK-MESSAGES: :[[#@LINE+2]]:10: note: and goes through it here: step after that
    second.zero_grad();
    loss.backward();
    second.step();
  }
}
void stepsAfter(Deep &net, Deep &other, torch::optim::Adam &first, torch::optim::Adam &second, const at::Tensor &x) {
  for (int i = 0; i < 10; ++i) {
    auto loss = net(x).mean() + other(x).mean();
    first.zero_grad();
    loss.backward({}, /*retain_graph=*/true);
    loss.backward();
    first.step();
    loss = net(x).mean();
    loss.backward({}, /*retain_graph=*/true);
    second.step();
    loss = other(x).mean();
    loss.backward();
  }
}
