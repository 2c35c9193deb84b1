// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-missing-gradient -- %torch
// RUN: %silent %s --checks=-*,tensor-missing-gradient --config='{CheckOptions: {tensor-missing-gradient.Level: 0}}' -- %torch
// Gradients that are clipped when they have been used, or erased before they are.

#include <torch/torch.h>

using Batches = std::vector<at::Tensor>;
struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))), drop(register_module("drop", torch::nn::Dropout(0.1))) {}
  at::Tensor forward(const at::Tensor &x) { return drop(fc(x)); }
  at::Tensor loss(const at::Tensor &x) { return (forward(x) - x).square().mean(); }
  torch::nn::Linear fc;
  torch::nn::Dropout drop;
};
TORCH_MODULE(Net);

void fit(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  for (const auto &x : batches) {
    optimizer.zero_grad();
    auto loss = net->loss(x);
    loss.backward();
    optimizer.step();
    torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: clip_grad_norm_() clips gradients that step() has used already, and that zero_grad() sets to zero next [tensor-missing-gradient]
    // CHECK-MESSAGES: :[[#@LINE-3]]:5: note: clip them before this, behind backward()
    // CHECK-MESSAGES: :[[#@LINE-7]]:5: note: they are set to zero here
    std::cout << loss.item<float>() << '\n';
  }
}
// Before zero_grad(), by a setting, with an optimizer of any kind.
void first(Net net, torch::optim::Optimizer &optimizer, const Batches &batches, bool clip, double bound) {
  for (int epoch = 0; epoch < 10; ++epoch)
    for (const auto &x : batches) {
      if (clip)
        torch::nn::utils::clip_grad_value_(net->parameters(), bound);
        // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: clip_grad_value_() clips gradients that zero_grad() sets to zero before a step() uses them
      optimizer.zero_grad();
      auto loss = net->loss(x);
      loss.backward();
      optimizer.step();
    }
}
// A method for it; one that is called for each batch.
class Trainer {
public:
  explicit Trainer(Net net) : net_(net), opt_(std::make_unique<torch::optim::AdamW>(net->parameters())) {}
  double train(const at::Tensor &x) {
    net_->train();
    opt_->zero_grad();
    auto loss = net_->loss(x);
    loss.backward();
    opt_->step();
    if (bound_ > 0)
      clip();
    return loss.item<double>();
  }
  double right(const at::Tensor &x) {
    opt_->zero_grad();
    auto loss = net_->loss(x);
    loss.backward();
    if (bound_ > 0)
      limit();
    opt_->step();
    return loss.item<double>();
  }

private:
  void clip() {
    torch::nn::utils::clip_grad_norm_(net_->parameters(), bound_);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: clip_grad_norm_() clips gradients that step() has used already
  }
  void limit() { torch::nn::utils::clip_grad_norm_(net_->parameters(), bound_); }
  Net net_;
  std::unique_ptr<torch::optim::AdamW> opt_;
  double bound_ = 1;
};
// Two optimizers: each has a zero_grad() of its own.
void adversarial(Net critic, Net generator, torch::optim::Adam &of_critic, torch::optim::Adam &of_generator, const Batches &batches) {
  for (const auto &x : batches) {
    of_critic.zero_grad();
    (critic(generator(x).detach()).mean() - critic(x).mean()).backward();
    of_critic.step();
    torch::nn::utils::clip_grad_norm_(critic->parameters(), 1.0);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: clip_grad_norm_() clips gradients that step() has used already
    of_generator.zero_grad();
    critic(generator(x)).mean().neg().backward();
    of_generator.step();
  }
}

// step() finds nothing: each way comes to zero_grad() behind backward().
void early(Net net, torch::optim::SGD &optimizer, const Batches &batches) {
  for (const auto &x : batches) {
    auto loss = net->loss(x);
    loss.backward();
    optimizer.zero_grad();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: zero_grad() erases the gradients of backward() before step() uses them: there are none left [tensor-missing-gradient]
    // CHECK-MESSAGES: :[[#@LINE-3]]:10: note: backward() computes them here
    // CHECK-MESSAGES: :[[#@LINE+1]]:5: note: set them to zero after this
    optimizer.step();
  }
}
// The module's, and what was clipped before is lost with the rest.
double once(Net net, torch::optim::SGD &optimizer, const at::Tensor &x) {
  auto loss = net->loss(x);
  loss.backward();
  torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
  net->zero_grad();
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: zero_grad() erases the gradients of backward() before step() uses them
  optimizer.step();
  return loss.item<double>();
}

// Right: in their order, in parts of a batch, every few steps.
void rightly(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  for (const auto &x : batches) {
    optimizer.zero_grad();
    for (const auto &part : x.chunk(4))
      net->loss(part).backward();
    torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
    optimizer.step();
  }
}
void every(Net net, torch::optim::Adam &optimizer, const Batches &batches, int accumulate) {
  int step = 0;
  optimizer.zero_grad();
  for (const auto &x : batches) {
    net->loss(x).backward();
    torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
    if (++step % accumulate != 0)
      continue;
    optimizer.step();
    optimizer.zero_grad();
  }
}
// The gradients of one more loss come on top.
void added(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  optimizer.zero_grad();
  for (const auto &x : batches) {
    net->loss(x).backward();
    optimizer.step();
    torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
    net->loss(x.neg()).backward();
    optimizer.step();
    optimizer.zero_grad();
  }
}
// The norm is asked for, with a bound that clips nothing.
void norm(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
    std::cout << torch::nn::utils::clip_grad_norm_(net->parameters(), std::numeric_limits<double>::infinity()) << '\n';
  }
}
// They are read, or may be.
void read(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
    torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
    for (const auto &p : net->parameters())
      std::cout << p.grad().norm() << '\n';
  }
}
void report(Net &net);
void reported(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
    torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
    report(net);
  }
}
// The caller sets them to zero, or not.
void part(Net net, torch::optim::Adam &optimizer, const at::Tensor &x) {
  net->loss(x).backward();
  optimizer.step();
  torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
}
// A step without gradients to set up an optimizer's state; a loss that is only
// there on some ways; gradients that come from elsewhere.
void warm(Net net, torch::optim::SGD &optimizer, torch::optim::StepLR &schedule, const Batches &batches) {
  optimizer.zero_grad();
  optimizer.step();
  for (const auto &x : batches) {
    optimizer.zero_grad();
    auto loss = net->loss(x);
    if (x.size(0) > 1)
      loss.backward();
    optimizer.step();
    schedule.step();
  }
}
void given(Net net, torch::optim::SGD &optimizer, const Batches &batches) {
  for (const auto &x : batches) {
    net->loss(x).backward();
    Batches grads;
    for (const auto &p : net->parameters())
      grads.push_back(p.grad().clone());
    optimizer.zero_grad();
    size_t i = 0;
    for (auto &p : net->parameters())
      p.mutable_grad() = grads[i++];
    optimizer.step();
  }
}
