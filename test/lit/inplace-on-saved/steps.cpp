// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-inplace-on-saved,tensor-missing-gradient -- %torch
// An optimizer steps while a backward() still needs the weights as they were;
// and steps of a module to which no gradient comes.

#include <torch/torch.h>
using torch::Tensor;

static torch::nn::Sequential mlp(int64_t in, int64_t out) {
  return torch::nn::Sequential(torch::nn::Linear(in, 64), torch::nn::ReLU(), torch::nn::Linear(64, out));
}

class Gan {
public:
  Gan() : g(mlp(8, 16)), d(mlp(16, 1)), og(g->parameters(), 1e-3), od(d->parameters(), 1e-3) {}
  void wrong(const Tensor &real, const Tensor &z) {
    auto score = d->forward(g->forward(z));
    auto loss_d = score.mean() - d->forward(real).mean();
    od.zero_grad();
    loss_d.backward({}, true);
    od.step();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: step() changes the weights of 'd' in place, and a backward() that comes later needs them as they were; throws [tensor-inplace-on-saved]
    // CHECK-MESSAGES: :[[#@LINE-6]]:18: note: the module ran here
    auto loss_g = -score.mean();
    og.zero_grad();
    loss_g.backward();
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: note: backward() goes through that here: step after it, or run the module again
    og.step();
  }
  // SGD changes the weights where autograd does not see it.
  void quietly(const Tensor &z) {
    torch::optim::SGD own(d->parameters(), 0.1);
    auto score = d->forward(g->forward(z));
    score.mean().backward({}, true);
    own.step();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: step() changes the weights of 'd' in place, and a backward() that comes later needs them as they were; throws, or, with SGD, gives wrong gradients
    (-score.mean()).backward();
    og.step();
  }
  // The discriminator runs again.
  void right(const std::vector<Tensor> &batches, const Tensor &z) {
    for (const auto &real : batches) {
      auto fake = g->forward(z);
      auto loss_d = d->forward(fake.detach()).mean() - d->forward(real).mean();
      od.zero_grad();
      loss_d.backward();
      od.step();
      auto loss_g = -d->forward(fake).mean();
      og.zero_grad();
      loss_g.backward();
      og.step();
    }
  }
  // Both steps behind both.
  void together(const Tensor &z) {
    auto score = d->forward(g->forward(z));
    od.zero_grad();
    og.zero_grad();
    score.mean().backward({}, true);
    (-score.mean()).backward();
    od.step();
    og.step();
  }

private:
  torch::nn::Sequential g, d;
  torch::optim::Adam og, od;
};

// By a helper that gets the module.
class Agent {
public:
  Agent() : actor(mlp(8, 2)), critic(mlp(10, 1)), oa(actor->parameters(), 1e-3), oc(critic->parameters(), 1e-3) {}
  void learn(const Tensor &s, const Tensor &a, const Tensor &target) {
    auto critic_loss = torch::mse_loss(q(critic, s, a), target);
    auto actor_loss = -q(critic, s, torch::tanh(actor->forward(s))).mean();
    oc.zero_grad();
    critic_loss.backward();
    oc.step();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: step() changes the weights of 'critic' in place
    oa.zero_grad();
    actor_loss.backward();
    oa.step();
  }
  void inOrder(const Tensor &s, const Tensor &a, const Tensor &target) {
    auto critic_loss = torch::mse_loss(q(critic, s, a), target);
    oc.zero_grad();
    critic_loss.backward();
    oc.step();
    auto actor_loss = -q(critic, s, torch::tanh(actor->forward(s))).mean();
    oa.zero_grad();
    actor_loss.backward();
    oa.step();
  }

private:
  static Tensor q(torch::nn::Sequential &net, const Tensor &s, const Tensor &a) { return net->forward(torch::cat({s, a}, 1)); }
  torch::nn::Sequential actor, critic;
  torch::optim::Adam oa, oc;
};

// Of a single layer the gradient of the weights needs the operand alone.
class Single {
public:
  Single() : head(4, 1), opt(head->parameters(), 1e-3) {}
  void twoLosses(const Tensor &x, const Tensor &scale) {
    auto y = head->forward(x);
    (y.detach() * scale).sum().backward();
    y.mean().backward({}, true);
    opt.step();
    y.mean().backward();
  }

private:
  torch::nn::Linear head;
  torch::optim::SGD opt;
};

// No gradient comes to the policy: what it gave is detached on the way.
static Tensor detachedLogits(const Tensor &out) { return out.clone().detach().log_softmax(-1); }
// CHECK-MESSAGES: :[[#@LINE-1]]:70: warning: gradients end here: backward() reaches no module, and step() does not train 'policy' by what it gave [tensor-missing-gradient]
static Tensor logits(const Tensor &out) { return out.clone().log_softmax(-1); }
class Balance {
public:
  Balance() : policy(mlp(8, 4)), scale(torch::zeros({1}, torch::requires_grad())), opt(policy->parameters(), 1e-3), own({scale}, 1e-3) {}
  void wrong(const Tensor &s, const Tensor &reward) {
    opt.zero_grad();
    auto p = detachedLogits(policy->forward(s));
    auto loss = (scale + p.sum(1) - reward).pow(2).mean();
    loss.backward();
    opt.step();
  }
  void right(const Tensor &s, const Tensor &reward) {
    opt.zero_grad();
    auto p = logits(policy->forward(s));
    auto loss = (scale + p.sum(1) - reward).pow(2).mean();
    loss.backward();
    opt.step();
  }
  // The optimizer of another tensor.
  void tuned(const Tensor &s) {
    auto loss = (scale * (policy->forward(s).mean(1) + 2).detach()).mean();
    own.zero_grad();
    loss.backward();
    own.step();
  }

private:
  torch::nn::Sequential policy;
  Tensor scale;
  torch::optim::Adam opt, own;
};
