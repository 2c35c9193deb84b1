// REQUIRES: libtorch
// RUN: %silent %s --checks=-*,tensor-graph-retention -- %torch
// Graphs that end with their iteration, or are needed after it.

#include <torch/nn.h>
#include <torch/optim.h>

namespace nn = torch::nn;
using at::Tensor;

double numbers(nn::Sequential &net, const std::vector<Tensor> &xs, torch::optim::Optimizer &opt) {
  double total = 0;
  Tensor sum = torch::zeros({}), other = torch::zeros({});
  std::vector<float> history;
  for (const auto &x : xs) {
    auto loss = net->forward(x).mean();
    opt.zero_grad();
    loss.backward();
    opt.step();
    total += loss.item<double>();
    sum += loss.detach();
    other = other + loss.item<float>();
    history.push_back(loss.item().toFloat());
  }
  return total + sum.item<double>() + other.item<double>();
}

// The sum is what backward() is called on.
Tensor later(nn::Linear &net, const std::vector<Tensor> &xs) {
  std::vector<Tensor> parts;
  Tensor all = torch::zeros({});
  for (const auto &x : xs) {
    parts.push_back(net(x).sum());
    all = all + parts.back();
  }
  (torch::stack(parts).mean() + all).backward();
  return all;
}

// Nothing is recorded there.
double guarded(nn::Linear &net, const std::vector<Tensor> &xs) {
  Tensor sum = torch::zeros({});
  for (const auto &x : xs) {
    auto loss = net(x).sum();
    loss.backward();
    torch::NoGradGuard guard;
    sum += loss;
  }
  return sum.item<double>();
}

// Labels and predictions have no graph.
double accuracy(nn::Linear &net, const std::vector<Tensor> &xs, const std::vector<Tensor> &ys) {
  std::vector<Tensor> predicted, labels, inputs;
  Tensor right = torch::zeros({});
  for (size_t i = 0; i < xs.size(); ++i) {
    auto out = net(xs[i]);
    torch::nll_loss(out, ys[i]).backward();
    predicted.push_back(out.argmax(1));
    labels.push_back(ys[i]);
    inputs.push_back(xs[i]);
    right += out.argmax(1).eq(ys[i]).sum();
  }
  return right.item<double>();
}

// Of each iteration alone.
Tensor last(nn::Linear &net, const std::vector<Tensor> &xs) {
  Tensor best, smooth = torch::zeros({});
  for (const auto &x : xs) {
    Tensor sum = torch::zeros({});
    auto out = net(x);
    for (int64_t k = 0; k < out.size(0); ++k)
      sum = sum + out[k].sum();
    sum.backward();
    best = sum;
    smooth = 0.9 * smooth + 0.1 * sum.detach();
  }
  return best + smooth;
}

// Emptied, or shown and begun again.
void windows(nn::Linear &net, const std::vector<Tensor> &xs) {
  std::vector<Tensor> recent;
  Tensor sum = torch::zeros({});
  int step = 0;
  for (const auto &x : xs) {
    auto loss = net(x).sum();
    loss.backward();
    recent.push_back(loss);
    sum = sum + loss;
    if (++step % 10 == 0) {
      recent.clear();
      sum = torch::zeros({});
    }
  }
}

// The generator's graph is used by both.
void adversaries(nn::Sequential &generator, nn::Sequential &critic, torch::optim::Adam &g, torch::optim::Adam &c, int64_t steps) {
  for (int64_t i = 0; i < steps; ++i) {
    auto fake = generator->forward(torch::randn({8, 16}));
    auto loss = critic->forward(fake).mean();
    c.zero_grad();
    loss.backward({}, /*retain_graph=*/true);
    c.step();
    g.zero_grad();
    (-critic->forward(fake)).mean().backward();
    g.step();
  }
}

// Truncated: where a window begins the state is detached.
void truncated(nn::GRU &gru, nn::Linear &head, const std::vector<Tensor> &xs, torch::optim::SGD &opt) {
  Tensor h = torch::zeros({1, 4, 16}), out;
  for (const auto &x : xs) {
    h = h.detach();
    std::tie(out, h) = gru->forward(x, h);
    opt.zero_grad();
    head(out).sum().backward();
    opt.step();
  }
}
void afterwards(nn::LSTM &lstm, nn::Linear &head, const std::vector<Tensor> &xs) {
  auto state = std::make_tuple(torch::zeros({1, 4, 16}), torch::zeros({1, 4, 16}));
  for (const auto &x : xs) {
    auto [out, next] = lstm->forward(x, state);
    head(out).sum().backward();
    state = std::make_tuple(std::get<0>(next).detach(), std::get<1>(next).detach());
  }
}
void inPlace(nn::RNNCell &cell, const std::vector<Tensor> &xs) {
  Tensor h = torch::zeros({4, 16});
  for (const auto &x : xs) {
    h.detach_();
    h = cell(x, h);
    h.sum().backward();
  }
}
void anew(nn::RNNCell &cell, const std::vector<std::vector<Tensor>> &sequences) {
  Tensor h, loss;
  for (const auto &sequence : sequences) {
    h = torch::zeros({4, 16});
    loss = torch::zeros({});
    for (const auto &x : sequence) {
      h = cell(x, h);
      loss = loss + h.sum();
    }
    loss.backward();
  }
}
std::tuple<Tensor, Tensor> repackaged(std::tuple<Tensor, Tensor> state);
void elsewhere(nn::LSTM &lstm, nn::Linear &head, const std::vector<Tensor> &xs) {
  std::tuple<Tensor, Tensor> state;
  for (const auto &x : xs) {
    auto [out, next] = lstm->forward(x, state);
    state = repackaged(next);
    head(out).sum().backward();
  }
}

// What is carried has no part in the loss, or comes from no module.
Tensor environment(const Tensor &action);
void played(nn::Linear &policy, const Tensor &start, int64_t steps) {
  Tensor state = start;
  for (int64_t i = 0; i < steps; ++i) {
    auto action = policy(state);
    action.sum().backward();
    state = environment(action);
  }
}
void attacked(nn::Linear &net, const Tensor &x, int64_t steps) {
  Tensor z = x.clone().requires_grad_();
  for (int64_t i = 0; i < steps; ++i) {
    net(z).sum().backward();
    torch::NoGradGuard guard;
    z -= 0.1 * z.grad();
  }
}
void kept(nn::Linear &net, const Tensor &x, int64_t steps) {
  auto y = net(x);
  for (int64_t i = 0; i < steps; ++i)
    (y * i).sum().backward({}, true);
}

// Handed on at the end of the step, without its graph, or used before it is given a new one.
void atTheEnd(nn::GRU &gru, nn::Linear &head, const std::vector<Tensor> &xs) {
  Tensor h = torch::zeros({1, 4, 16});
  for (const auto &x : xs) {
    auto [out, next] = gru->forward(x, h);
    head->forward(out).sum().backward();
    h = next.detach();
  }
}
void begun(nn::GRU &gru, nn::Linear &head, const std::vector<Tensor> &xs) {
  Tensor h;
  for (const auto &x : xs) {
    h = torch::zeros({1, 4, 16});
    auto [out, next] = gru->forward(x, h);
    head->forward(out).sum().backward();
    h = next;
  }
}
