// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-lost-write -- %torch
// RUN: %silent %s --checks=-*,tensor-lost-write --config='{CheckOptions: {tensor-lost-write.Level: 0}}' -- %torch
// Parameters that are remembered without a copy, and copied back onto themselves.

#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))) {}
  at::Tensor forward(const at::Tensor &x) { return fc(x); }
  torch::nn::Linear fc;
};
TORCH_MODULE(Net);
using Batches = std::vector<at::Tensor>;

static double epoch(Net &net, torch::optim::Optimizer &optimizer, const Batches &batches) {
  double sum = 0;
  for (const auto &x : batches) {
    optimizer.zero_grad();
    auto loss = net->forward(x).mean();
    loss.backward();
    optimizer.step();
    sum += loss.item<double>();
  }
  return sum;
}

// The best epoch's parameters, by name, in methods of a class.
class Trainer {
public:
  explicit Trainer(Net net) : net_(net), optimizer_(net->parameters(), 0.1) {}
  void fit(const Batches &batches) {
    for (int i = 0; i < 10; ++i) {
      const double loss = epoch(net_, optimizer_, batches);
      if (loss < least_) {
        least_ = loss;
        remember();
      }
    }
    restore();
  }

private:
  void remember() {
    for (const auto &p : net_->named_parameters())
      best_[p.key()] = p.value().detach();
    // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'best_' keeps a handle here, which changes with the parameter: clone() keeps what it is now [tensor-lost-write]
    // CHECK-MESSAGES: :[[#@LINE+5]]:7: note: this copies the parameter onto itself
  }
  void restore() {
    torch::NoGradGuard guard;
    for (auto &p : net_->named_parameters())
      p.value().copy_(best_[p.key()]);
  }
  Net net_;
  torch::optim::SGD optimizer_;
  std::map<std::string, at::Tensor> best_;
  double least_ = 1e9;
};
// A list, cleared each time; one weight.
class Lists {
public:
  void save() {
    saved_.clear();
    for (auto &p : net_->parameters())
      saved_.push_back(p.data());
    // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'saved_' keeps a handle here
    weight_ = net_->fc->weight;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'weight_' keeps a handle here
  }
  void load() {
    torch::NoGradGuard guard;
    auto params = net_->parameters();
    for (size_t i = 0; i < saved_.size(); ++i)
      params[i].copy_(saved_[i]);
    net_->fc->weight.copy_(weight_);
  }

private:
  Net net_;
  Batches saved_;
  at::Tensor weight_;
};
// What is there, by iterators and loops.
class Found {
public:
  void save() {
    for (const auto &p : net_->named_parameters())
      best_.insert_or_assign(p.key(), p.value());
    // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'best_' keeps a handle here
    for (const auto &b : net_->named_buffers())
      buffers_[b.key()] = b.value().detach();
    // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'buffers_' keeps a handle here
  }
  void load() {
    torch::NoGradGuard guard;
    for (auto &p : net_->named_parameters()) {
      auto it = best_.find(p.key());
      if (it != best_.end())
        p.value().copy_(it->second);
    }
    auto named = net_->named_buffers();
    for (const auto &[name, value] : buffers_)
      named[name].copy_(value);
  }

private:
  Net net_;
  std::map<std::string, at::Tensor> best_, buffers_;
};
// In one function.
void fit(Net net, torch::optim::SGD &optimizer, const Batches &batches) {
  Batches best;
  double least = 1e9;
  for (int i = 0; i < 10; ++i) {
    const double loss = epoch(net, optimizer, batches);
    if (loss < least) {
      least = loss;
      best.clear();
      for (const auto &p : net->parameters())
        best.push_back(p.detach());
      // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: 'best' keeps a handle here
    }
  }
  torch::NoGradGuard guard;
  const auto params = net->parameters();
  for (size_t i = 0; i < params.size(); ++i)
    params[i].copy_(best[i]);
}

// A tensor that is compared with itself.
double moved(at::Tensor w, const at::Tensor &g) {
  auto old = w.detach();
  w.sub_(g);
  return (w - old).norm().item<double>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: 'old' and 'w' are one tensor, which differs from itself by 0: sub_() changes both [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-4]]:8: note: 'old' is another handle: clone() keeps what it is
  // CHECK-MESSAGES: :[[#@LINE-4]]:5: note: changed in place here
}
class Solver {
public:
  bool converges(const at::Tensor &a) {
    for (int i = 0; i < 100; ++i) {
      at::Tensor before = x_;
      x_.copy_(a.matmul(x_) + b_);
      if (torch::mse_loss(x_, before).item<double>() < 1e-9)
        // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: 'before' and 'x_' are one tensor
        return true;
    }
    return false;
  }

private:
  at::Tensor x_, b_;
};

// Right: copies, lists for an optimizer, another module's tensors, handles that
// are not copied back.
class Rightly {
public:
  void save() {
    for (const auto &p : net_->named_parameters())
      best_[p.key()] = p.value().detach().clone();
    for (const auto &p : net_->parameters())
      trained_.push_back(p);
    for (const auto &p : net_->parameters())
      online_.push_back(p);
  }
  void load() {
    torch::NoGradGuard guard;
    for (auto &p : net_->named_parameters())
      p.value().copy_(best_[p.key()]);
    auto params = target_->parameters();
    for (size_t i = 0; i < params.size(); ++i)
      params[i].copy_(online_[i]);
  }
  void start() { optimizer_ = std::make_unique<torch::optim::SGD>(trained_, 0.1); }

private:
  Net net_, target_;
  std::unique_ptr<torch::optim::SGD> optimizer_;
  std::map<std::string, at::Tensor> best_;
  Batches trained_, online_;
};
// The module is another one by then; the tensors get other memory; copies at
// first; a container that goes somewhere else.
class Replaced {
public:
  void grow() {
    for (auto &p : net_->parameters())
      old_.push_back(p.detach());
    net_ = Net();
    torch::NoGradGuard guard;
    auto params = net_->parameters();
    for (size_t i = 0; i < params.size(); ++i)
      params[i].copy_(old_[i]);
  }

private:
  Net net_;
  Batches old_;
};
class Averaged {
public:
  void swap() {
    for (auto &p : net_->parameters()) {
      backup_.push_back(p.data());
      p.set_data(average_[backup_.size() - 1]);
    }
  }
  void restore() {
    auto params = net_->parameters();
    for (size_t i = 0; i < params.size(); ++i)
      params[i].data().copy_(backup_[i]);
  }

private:
  Net net_;
  Batches backup_, average_;
};
class Copies {
public:
  Copies() {
    for (auto &p : net_->parameters())
      best_.push_back(p.clone());
  }
  void save(bool first) {
    if (first)
      for (auto &p : net_->parameters())
        best_.push_back(p.detach());
  }
  void restore() {
    auto params = net_->parameters();
    for (size_t i = 0; i < params.size(); ++i)
      params[i].data().copy_(best_[i]);
  }

private:
  Net net_;
  Batches best_;
};
class Cloned {
public:
  void save() {
    for (const auto &p : net_->named_parameters())
      best_[p.key()] = p.value();
    for (auto &[name, value] : best_)
      value = value.clone();
  }
  void load() {
    torch::NoGradGuard guard;
    for (auto &p : net_->named_parameters())
      p.value().copy_(best_[p.key()]);
  }

private:
  Net net_;
  std::map<std::string, at::Tensor> best_;
};
void shift(Batches &all);
void elsewhere(Net net) {
  Batches best;
  for (const auto &p : net->parameters())
    best.push_back(p.detach());
  shift(best);
  torch::NoGradGuard guard;
  auto params = net->parameters();
  for (size_t i = 0; i < params.size(); ++i)
    params[i].copy_(best[i]);
}
// A copy; another tensor under the name; nothing that changes it.
double cloned(at::Tensor w, const at::Tensor &g) {
  auto old = w.clone();
  w.sub_(g);
  return (w - old).norm().item<double>();
}
double assigned(at::Tensor w, const at::Tensor &g) {
  auto old = w;
  w = w - g;
  w.add_(1);
  return (w - old).norm().item<double>();
}
double before(at::Tensor w, const at::Tensor &g) {
  auto old = w;
  auto d = (w - old).norm().item<double>();
  w.sub_(g);
  return d;
}

// What copies back is given the container, which it only reads; of what another one holds, it copies the same way.
class Loads {
public:
  explicit Loads(Net net) : net_(std::move(net)) {
    for (const auto &p : net_->named_parameters())
      first_[p.key()] = p.value().detach().clone();
  }
  void keep() {
    for (const auto &p : net_->named_parameters())
      best_[p.key()] = p.value().detach();
    // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'best_' keeps a handle here, which changes with the parameter: clone() keeps what it is now [tensor-lost-write]
  }
  void back() { load(best_); }
  void reset() { load(first_); }

private:
  void load(const std::map<std::string, at::Tensor> &state) {
    torch::NoGradGuard guard;
    for (auto &p : net_->named_parameters()) {
      auto found = state.find(p.key());
      if (found != state.end())
        p.value().copy_(found->second);
      // CHECK-MESSAGES: :[[#@LINE-1]]:9: note: this copies the parameter onto itself
    }
  }

  Net net_;
  std::map<std::string, at::Tensor> first_, best_;
};
