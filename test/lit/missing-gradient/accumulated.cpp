// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-missing-gradient -- %torch
// RUN: %silent %s --checks=-*,tensor-missing-gradient --config='{CheckOptions: {tensor-missing-gradient.Level: 0}}' -- %torch
// Gradients of several iterations that zero_grad() erases.

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

void fit(Net net, torch::optim::Adam &optimizer, const Batches &batches, int accumulate) {
  int step = 0;
  for (const auto &x : batches) {
    optimizer.zero_grad();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: zero_grad() in every iteration erases gradients that step() has not used: it runs in some iterations only [tensor-missing-gradient]
    // CHECK-MESSAGES: :[[#@LINE+6]]:7: note: set them to zero after this
    auto loss = net->loss(x) / accumulate;
    loss.backward();
    std::cout << loss.item<float>() << '\n';
    if (++step % accumulate == 0) {
      torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
      optimizer.step();
    }
  }
}
// The other way round, by an index, with the rest at the end.
void byIndex(Net &net, torch::optim::SGD &optimizer, const Batches &batches) {
  for (size_t i = 0; i < batches.size(); i++) {
    auto loss = net(batches[i]).mean() / 4;
    net->zero_grad();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: zero_grad() in every iteration erases gradients
    loss.backward();
    const bool last = i + 1 == batches.size();
    if ((i + 1) % 4 != 0 && !last)
      continue;
    optimizer.step();
  }
}
class Trainer {
public:
  explicit Trainer(Net net) : net_(net), optimizer_(std::make_unique<torch::optim::AdamW>(net->parameters())) {}
  void epoch(const Batches &batches) {
    for (auto it = batches.begin(); it != batches.end(); ++it) {
      const bool update = steps_++ % every_ == every_ - 1;
      auto loss = net_->loss(*it);
      loss.backward();
      if (update)
        optimizer_->step();
      optimizer_->zero_grad();
      // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: zero_grad() in every iteration erases gradients
    }
  }
  void right(const Batches &batches) {
    optimizer_->zero_grad();
    for (const auto &x : batches) {
      net_->loss(x).backward();
      if (steps_++ % every_)
        continue;
      optimizer_->step();
      optimizer_->zero_grad();
    }
  }

private:
  Net net_;
  std::unique_ptr<torch::optim::AdamW> optimizer_;
  int steps_ = 0, every_ = 4;
};

// Right: where step() runs, or where as many iterations begin.
void after(Net net, torch::optim::Adam &optimizer, const Batches &batches, int accumulate) {
  int step = 0;
  for (const auto &x : batches) {
    if (step % accumulate == 0)
      optimizer.zero_grad();
    net->loss(x).backward();
    if (++step % accumulate == 0)
      optimizer.step();
  }
}
// Parts of one batch.
void parts(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  for (const auto &x : batches) {
    optimizer.zero_grad();
    for (const auto &part : x.chunk(4))
      (net->loss(part) / 4).backward();
    optimizer.step();
  }
}
// Steps that are left out have another reason, or come to nothing.
void finite(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  int step = 0;
  for (const auto &x : batches) {
    optimizer.zero_grad();
    auto loss = net->loss(x);
    if (!std::isfinite(loss.item<float>()))
      continue;
    loss.backward();
    if (loss.item<float>() < 100)
      optimizer.step();
    if (++step % 100 == 0)
      std::cout << step << '\n';
  }
}
// An optimizer with a backward() of its own, beside another one.
void adversarial(Net real, Net fake, torch::optim::Adam &critic, torch::optim::Adam &generator, const Batches &batches) {
  int step = 0;
  for (const auto &x : batches) {
    critic.zero_grad();
    generator.zero_grad();
    (real(x).mean() - real(fake(x).detach()).mean()).backward();
    critic.step();
    if (++step % 5 == 0) {
      real(fake(x)).mean().backward();
      generator.step();
    }
  }
}
void apart(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  int step = 0;
  for (const auto &x : batches) {
    optimizer.zero_grad();
    if (++step % 2 == 0) {
      net->loss(x).backward();
      optimizer.step();
    }
  }
}
// Gradients that are added up by hand, or handed on.
void byHand(Net net, torch::optim::Adam &optimizer, const Batches &batches, std::vector<at::Tensor> &sums) {
  int step = 0;
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    auto parameters = net->parameters();
    for (size_t i = 0; i < parameters.size(); ++i)
      sums[i] += parameters[i].grad();
    if (++step % 4 == 0)
      optimizer.step();
  }
}
void reduce(std::vector<at::Tensor> parameters);
void reduced(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  int step = 0;
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    reduce(net->parameters());
    if (++step % 4 == 0)
      optimizer.step();
  }
}
// A schedule of its own, every hundred steps.
void scheduled(Net net, torch::optim::Adam &optimizer, torch::optim::StepLR &schedule, const Batches &batches) {
  int step = 0;
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
    if (++step % 100 == 0)
      schedule.step();
  }
}
// Every time, if they are not gathered.
void always(Net net, torch::optim::Adam &optimizer, const Batches &batches) {
  int step = 0;
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    if (++step % 1 == 0)
      optimizer.step();
  }
}
