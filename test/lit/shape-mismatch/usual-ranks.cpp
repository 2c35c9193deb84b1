// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-shape-mismatch -- %torch | FileCheck %s --implicit-check-not=warning:
// Layers are given a row for each sample: what the losses of their results compare is judged for that, where the rank is
// not known.

#include <torch/torch.h>

namespace nn = torch::nn;

struct NetImpl : nn::Module {
  NetImpl(int64_t in, int64_t actions) {
    hidden = register_module("hidden", nn::Linear(in, 64));
    out = register_module("out", nn::Linear(64, actions));
  }
  at::Tensor forward(const at::Tensor &x) { return out(torch::relu(hidden(x))); }
  nn::Linear hidden{nullptr}, out{nullptr};
};
TORCH_MODULE(Net);

struct Critic : nn::Module {
  Critic(int64_t states, int64_t actions) {
    fc = register_module("fc", nn::Linear(states + actions, 32));
    value = register_module("value", nn::Linear(32, 1));
  }
  at::Tensor forward(const at::Tensor &s, const at::Tensor &a) { return value(torch::relu(fc(torch::cat({s, a}, 1)))); }
  nn::Linear fc{nullptr}, value{nullptr};
};

struct Batch {
  at::Tensor states, actions, rewards, next, done;
};

at::Tensor chosen(Net &net, Net &target, const Batch &b, double gamma) {
  auto q = net->forward(b.states).gather(1, b.actions.unsqueeze(1));
  auto best = std::get<0>(target->forward(b.next).max(1)).detach();
  // CHECK: :[[#@LINE+1]]:17: warning: mse_loss(q, {{.*}}) compares each element with all of the other tensor: {{.*}}, where layers are given matrices [tensor-shape-mismatch]
  return torch::mse_loss(q, best * gamma);
}

at::Tensor chosenFlat(Net &net, Net &target, const Batch &b, double gamma) {
  auto q = net->forward(b.states).gather(1, b.actions.unsqueeze(1)).squeeze(1);
  auto best = std::get<0>(target->forward(b.next).max(1)).detach();
  return torch::mse_loss(q, best * gamma);
}

at::Tensor chosenColumn(Net &net, Net &target, const Batch &b, double gamma) {
  auto q = net->forward(b.states).gather(1, b.actions.unsqueeze(1));
  auto best = std::get<0>(target->forward(b.next).max(1, true)).detach();
  return torch::mse_loss(q, best * gamma);
}

// Rewards of which nothing is known.
at::Tensor rewarded(Net &net, const Batch &b) {
  auto q = net->forward(b.states).gather(1, b.actions.unsqueeze(1));
  return torch::mse_loss(q, b.rewards);
}

// One column beside several: each is compared with all columns of its row.
at::Tensor several(Critic &critic, Net &policy, const Batch &b) {
  auto log_probs = policy(b.next);
  auto wanted = critic.forward(b.next, log_probs) - 0.1 * torch::log_softmax(log_probs, 1);
  // CHECK: :[[#@LINE+1]]:17: warning: smooth_l1_loss({{.*}}) compares each element with {{.*}} of the other tensor: sizes
  return torch::smooth_l1_loss(critic.forward(b.states, b.actions), wanted);
}

at::Tensor summed(Critic &critic, Net &policy, const Batch &b) {
  auto log_probs = policy(b.next);
  auto wanted = critic.forward(b.next, log_probs) - 0.1 * torch::log_softmax(log_probs, 1).sum(1, true);
  return torch::smooth_l1_loss(critic.forward(b.states, b.actions), wanted);
}

// One number for all, and a rank that the code tests.
at::Tensor one(Net &net, const Batch &b) {
  TORCH_CHECK(b.next.dim() == 3);
  auto best = std::get<0>(net(b.next).max(2));
  return torch::mse_loss(net(b.states), torch::zeros({1})) + torch::mse_loss(best, torch::zeros({best.size(0), best.size(1)}));
}
