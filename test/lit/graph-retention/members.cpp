// RUN: not %tensortidy --checks=-*,tensor-graph-retention %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// A state that a module keeps in a member from call to call.
#include <torch/torch.h>

struct Recurrent : torch::nn::Module {
  Recurrent(int64_t in, int64_t hidden) : lstm(torch::nn::LSTMOptions(in, hidden)), head(hidden, 2) {
    register_module("lstm", lstm);
    register_module("head", head);
    state = std::make_tuple(torch::zeros({1, 4, hidden}), torch::zeros({1, 4, hidden}));
  }
  at::Tensor forward(at::Tensor x) {
    auto result = lstm->forward(x, state);
    state = std::get<1>(result);
    // CHECK: :[[#@LINE-1]]:5: warning: 'state' takes the graph of this iteration into the next one, whose backward() goes through it again; throws, unless it is detached [tensor-graph-retention]
    return head(std::get<0>(result));
  }
  torch::nn::LSTM lstm;
  torch::nn::Linear head;
  std::tuple<at::Tensor, at::Tensor> state;
};
void train(const std::vector<at::Tensor> &xs, const std::vector<at::Tensor> &ys) {
  auto model = std::make_shared<Recurrent>(8, 16);
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(1e-3));
  for (size_t i = 0; i < xs.size(); ++i) {
    auto y = model->forward(xs[i]);
    auto loss = torch::mse_loss(y, ys[i]);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}

struct CellNetImpl : torch::nn::Module {
  CellNetImpl() : cell(8, 16), out(16, 1) {
    register_module("cell", cell);
    register_module("out", out);
    h = torch::zeros({1, 16});
    c = torch::zeros({1, 16});
  }
  at::Tensor forward(at::Tensor x) {
    std::tie(h, c) = cell(x, std::make_tuple(h, c));
    // CHECK: :[[#@LINE-1]]:5: warning: 'h' takes the graph of this iteration into the next one
    return out(h);
  }
  torch::nn::LSTMCell cell;
  torch::nn::Linear out;
  at::Tensor h, c;
};
TORCH_MODULE(CellNet);
void steps(const at::Tensor &series) {
  CellNet net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int64_t t = 0; t + 1 < series.size(0); ++t) {
    auto loss = (net(series[t].view({1, 8})) - series[t + 1].sum()).pow(2).sum();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}

// Right ones.
struct Detached : torch::nn::Module {
  Detached() : cell(8, 16) { register_module("cell", cell); h = torch::zeros({4, 16}); }
  at::Tensor forward(at::Tensor x) {
    h = cell(x, h.detach());
    return h;
  }
  torch::nn::GRUCell cell;
  at::Tensor h;
};
void detachedInForward(int n) {
  Detached net;
  for (int i = 0; i < n; ++i)
    net.forward(torch::randn({4, 8})).sum().backward();
}
struct Kept : torch::nn::Module {
  Kept() : cell(8, 16) { register_module("cell", cell); reset(); }
  void reset() { h = torch::zeros({4, 16}); }
  void cut() { h = h.detach(); }
  at::Tensor forward(at::Tensor x) {
    h = cell(x, h);
    return h;
  }
  torch::nn::GRUCell cell;
  at::Tensor h;
};
void resetInLoop(int n) {
  auto net = std::make_shared<Kept>();
  for (int i = 0; i < n; ++i) {
    net->reset();
    auto y = net->forward(torch::randn({4, 8}));
    y.sum().backward();
  }
}
void cutInLoop(int n) {
  Kept net;
  for (int i = 0; i < n; ++i) {
    auto y = net.forward(torch::randn({4, 8}));
    y.sum().backward();
    net.cut();
  }
}
void cutByHand(int n) {
  Kept net;
  for (int i = 0; i < n; ++i) {
    auto y = net.forward(torch::randn({4, 8}));
    y.sum().backward();
    net.h.detach_();
  }
}
void throughTime(int n) {
  Kept net;
  for (int i = 0; i < n; ++i) {
    net.reset();
    auto loss = torch::zeros({});
    for (int t = 0; t < 8; ++t)
      loss = loss + net.forward(torch::randn({4, 8})).sum();
    loss.backward();
  }
}
void evaluated(int n) {
  Kept net;
  torch::nn::Linear probe(16, 1);
  for (int i = 0; i < n; ++i) {
    at::Tensor y;
    {
      torch::NoGradGuard none;
      y = net.forward(torch::randn({4, 8}));
    }
    probe(y).sum().backward();
  }
}
void restore(Kept &net);
void restored(int n) {
  Kept net;
  for (int i = 0; i < n; ++i) {
    restore(net);
    net.forward(torch::randn({4, 8})).sum().backward();
  }
}

// backward() that keeps the graph comes to those of all iterations before.
struct LeakyImpl : torch::nn::Module {
  LeakyImpl(int64_t batch, int64_t in, int64_t out) {
    fc = register_module("fc", torch::nn::Linear(in, out));
    v = torch::zeros({batch, out});
  }
  at::Tensor forward(const at::Tensor &x) {
    v = 0.5 * v + fc->forward(x);
    // CHECK: :[[#@LINE-1]]:5: warning: 'v' takes the graph of this iteration into the next one, whose backward() goes through those of all iterations before: each takes more time and memory, unless it is detached [tensor-graph-retention]
    return torch::sigmoid(v);
  }
  at::Tensor cut(const at::Tensor &x) {
    at::Tensor now = 0.5 * v + fc->forward(x);
    v = now.detach();
    return torch::sigmoid(now);
  }
  torch::nn::Linear fc{nullptr};
  at::Tensor v;
};
TORCH_MODULE(Leaky);
void kept(Leaky &net, const std::vector<at::Tensor> &frames) {
  for (const auto &x : frames)
    net->forward(x).sum().backward({}, /*retain_graph=*/true);
}
void cut(Leaky &net, const std::vector<at::Tensor> &frames) {
  for (const auto &x : frames)
    net->cut(x).sum().backward({}, /*retain_graph=*/true);
}
// The steps of a sequence, and gradients of gradients.
void sequences(torch::nn::GRUCell &cell, const std::vector<std::vector<at::Tensor>> &all) {
  for (const auto &steps : all) {
    at::Tensor h = torch::zeros({1, 8});
    for (const auto &x : steps) {
      h = cell(x, h);
      h.sum().backward({}, /*retain_graph=*/true);
    }
  }
}
void inner(at::Tensor w, const std::vector<at::Tensor> &steps) {
  for (const auto &x : steps) {
    auto loss = (x * w).pow(2).sum();
    loss.backward({}, /*retain_graph=*/true, /*create_graph=*/true);
    w = w - 0.1 * w.grad();
  }
}
