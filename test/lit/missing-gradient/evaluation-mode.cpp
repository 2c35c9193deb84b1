// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-missing-gradient -- %torch
// RUN: %silent %s --checks=-*,tensor-missing-gradient --config='{CheckOptions: {tensor-missing-gradient.Level: 0}}' -- %torch
// A module that is evaluated in a training loop, and trained on in that mode.

#include <torch/script.h>
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

static double error(Net &net, const Batches &batches) {
  torch::NoGradGuard guard;
  double sum = 0;
  for (const auto &x : batches)
    sum += torch::l1_loss(net->forward(x), x).item<double>();
  return sum;
}

double fit(Net net, const Batches &batches, const Batches &held, int epochs) {
  torch::optim::AdamW optimizer(net->parameters());
  double last = 0;
  net->train();
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (const auto &x : batches) {
      optimizer.zero_grad();
      torch::l1_loss(net->forward(x), x).backward();
      optimizer.step();
    }
    net->eval();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'net' stays in evaluation mode: nothing in the loop puts it back, and its next iterations train it so [tensor-missing-gradient]
    // CHECK-MESSAGES: :[[#@LINE-9]]:3: note: it is put into training mode here, before the loop
    // CHECK-MESSAGES: :[[#@LINE-6]]:22: note: it is trained here
    last = error(net, held);
  }
  return last;
}
// No holder; train(false); every hundred steps of all epochs.
void steps(NetImpl &net, torch::optim::Optimizer &optimizer, const Batches &batches, const at::Tensor &test) {
  for (int epoch = 0; epoch < 10; ++epoch) {
    net.train();
    int step = 0;
    for (auto it = batches.begin(); it != batches.end(); ++it) {
      optimizer.zero_grad();
      auto loss = net.loss(*it);
      loss.backward();
      optimizer.step();
      if (++step % 100 == 0) {
        net.train(false);
        // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: 'net' stays in evaluation mode
        torch::NoGradGuard guard;
        std::cout << net.forward(test).mean() << '\n';
      }
    }
  }
}
class Trainer {
public:
  void fit(const Batches &batches, const at::Tensor &test) {
    net_->train(true);
    while (step_ < 1000) {
      const auto &x = batches[step_ % batches.size()];
      optimizer_.zero_grad();
      at::Tensor y = net_->forward(x), loss;
      loss = torch::mse_loss(y, x);
      loss.backward();
      optimizer_.step();
      ++step_;
      if (verbose_)
        show(test);
    }
  }

private:
  void show(const at::Tensor &test) {
    net_->eval();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'net_' stays in evaluation mode
    std::cout << net_->forward(test).mean() << '\n';
  }
  Net net_;
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};
  int step_ = 0;
  bool verbose_ = true;
};
void loaded(torch::jit::script::Module module, torch::optim::SGD &optimizer, const Batches &batches) {
  module.train();
  for (const auto &x : batches) {
    optimizer.zero_grad();
    auto loss = module.forward({x}).toTensor().mean();
    loss.backward();
    optimizer.step();
    module.eval();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'module' stays in evaluation mode
    module.forward({batches[0]});
  }
}

// Right: put back in the loop, before or after, by what it was.
void again(Net net, torch::optim::SGD &optimizer, const Batches &batches, const Batches &held) {
  net->train();
  for (int epoch = 0; epoch < 10; ++epoch) {
    net->train();
    for (const auto &x : batches) {
      optimizer.zero_grad();
      net->loss(x).backward();
      optimizer.step();
    }
    net->eval();
    error(net, held);
  }
}
static double put(Net &net, const Batches &held) {
  const bool was = net->is_training();
  net->eval();
  const double e = error(net, held);
  net->train(was);
  return e;
}
void restored(Net net, torch::optim::SGD &optimizer, const Batches &batches, const Batches &held) {
  net->train();
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
    put(net, held);
  }
}
static void step(Net &net, torch::optim::SGD &optimizer, const at::Tensor &x) {
  net->train();
  optimizer.zero_grad();
  net->loss(x).backward();
  optimizer.step();
}
void followed(Net net, torch::optim::SGD &optimizer, const Batches &batches, const Batches &held) {
  net->train();
  for (const auto &x : batches) {
    step(net, optimizer, x);
    net->eval();
    error(net, held);
  }
}
// An object puts it back at its end.
struct Evaluation {
  explicit Evaluation(Net net) : net(net) { net->eval(); }
  ~Evaluation() { net->train(); }
  Net net;
};
void scoped(Net net, torch::optim::SGD &optimizer, const Batches &batches, const Batches &held) {
  net->train();
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
    Evaluation mode(net);
    error(net, held);
  }
}
// Code that is not seen may.
void validate(Net net, const Batches &held);
void unseen(Net net, torch::optim::SGD &optimizer, const Batches &batches, const Batches &held) {
  net->train();
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
    net->eval();
    validate(net, held);
  }
}
void called(Net net, torch::optim::SGD &optimizer, const Batches &batches, const std::function<void()> &after) {
  net->train();
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
    net->eval();
    after();
  }
}
// It is the last iteration, or the loop ends there.
void last(Net net, torch::optim::SGD &optimizer, const Batches &batches, int epochs) {
  net->train();
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (const auto &x : batches) {
      optimizer.zero_grad();
      net->loss(x).backward();
      optimizer.step();
    }
    if (epoch == epochs - 1) {
      net->eval();
      torch::save(net, "net.pt");
    }
  }
}
void stopped(Net net, torch::optim::SGD &optimizer, const Batches &batches) {
  net->train();
  for (size_t step = 0;; ++step) {
    optimizer.zero_grad();
    auto loss = net->loss(batches[step % batches.size()]);
    loss.backward();
    optimizer.step();
    if (step % 100 == 0 && loss.item<float>() < 0.1) {
      net->eval();
      break;
    }
  }
}
void behind(Net net, torch::optim::SGD &optimizer, const Batches &batches, const Batches &held) {
  net->train();
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
  }
  net->eval();
  error(net, held);
}
// Trained in evaluation mode from the start, on purpose: batch norm as it is.
void frozen(Net net, torch::optim::SGD &optimizer, const Batches &batches) {
  net->train();
  for (const auto &x : batches) {
    net->eval();
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
  }
}
void tuned(Net net, torch::optim::SGD &optimizer, const Batches &batches, const Batches &held) {
  net->eval();
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
    net->eval();
    error(net, held);
  }
}
// Another module: a teacher, one that is loaded anew.
void distilled(Net net, Net teacher, torch::optim::SGD &optimizer, const Batches &batches) {
  net->train();
  teacher->train();
  for (const auto &x : batches) {
    teacher->eval();
    optimizer.zero_grad();
    torch::mse_loss(net(x), teacher(x).detach()).backward();
    optimizer.step();
  }
}
void best(Net net, torch::optim::SGD &optimizer, const Batches &batches, const Batches &held) {
  Net copy;
  copy->train();
  net->train();
  for (const auto &x : batches) {
    optimizer.zero_grad();
    net->loss(x).backward();
    optimizer.step();
    copy->eval();
    error(copy, held);
  }
}
// By turns.
void phases(Net net, torch::optim::SGD &optimizer, const Batches &batches) {
  net->train();
  for (int step = 0; step < 100; ++step) {
    const bool training = step % 2 == 0;
    if (training)
      net->train();
    else
      net->eval();
    auto loss = net->loss(batches[0]);
    if (training) {
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
    }
  }
}
