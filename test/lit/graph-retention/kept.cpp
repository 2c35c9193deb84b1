// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-graph-retention -- %torch
// Graphs that outlive the iteration in which backward() has used them up.

#include <torch/nn.h>
#include <torch/optim.h>
#include <map>

namespace nn = torch::nn;
using at::Tensor;

// The loss of an epoch.
double epoch(nn::Sequential &net, const std::vector<Tensor> &images, const std::vector<Tensor> &labels, torch::optim::Optimizer &opt) {
  net->train();
  Tensor running = torch::zeros({1});
  for (size_t i = 0; i < images.size(); ++i) {
    opt.zero_grad();
    auto logits = net->forward(images[i]);
    auto loss = torch::nll_loss(torch::log_softmax(logits, 1), labels[i]);
    loss.backward();
    opt.step();
    running += loss * images[i].size(0);
    // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: 'running' keeps the graph of every iteration, which backward() has used up: give it detach() or item() of this [tensor-graph-retention]
    // CHECK-MESSAGES: :[[#@LINE-4]]:10: note: backward() runs here
  }
  return running.item<double>() / static_cast<double>(images.size());
}

// Added to itself, in a nested loop.
void average(nn::Linear &net, const std::vector<Tensor> &xs, torch::optim::Adam &opt, int epochs) {
  for (int e = 0; e < epochs; ++e) {
    auto mean = torch::zeros({});
    for (const auto &x : xs) {
      auto loss = torch::mse_loss(net(x), x);
      opt.zero_grad();
      loss.backward();
      opt.step();
      mean = mean + loss / static_cast<double>(xs.size());
      // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'mean' keeps the graph of every iteration
    }
    std::cout << mean.item<double>() << "\n";
  }
}

// Lists of losses and of what the module gave.
std::vector<Tensor> history(nn::Linear &net, const std::vector<Tensor> &xs) {
  std::vector<Tensor> losses, outputs;
  losses.reserve(xs.size());
  for (const auto &x : xs) {
    auto out = torch::tanh(net->forward(x));
    auto loss = out.pow(2).mean();
    loss.backward();
    losses.push_back(loss.cpu());
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'losses' keeps the graph of every iteration
    outputs.emplace_back(out);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'outputs' keeps the graph of every iteration
  }
  return losses;
}

// A member.
class Trainer {
public:
  void step(const Tensor &x) {
    for (int i = 0; i < 10; ++i) {
      auto loss = net(x).sum();
      loss.backward();
      total = total + loss;
      // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'total' keeps the graph of every iteration
    }
  }
  nn::Linear net{8, 1};
  Tensor total = torch::zeros({});
};

// Grown by cat().
Tensor curve(nn::Linear &net, const std::vector<Tensor> &xs) {
  Tensor all = torch::zeros({1});
  for (const auto &x : xs) {
    auto loss = net(x).mean();
    loss.backward();
    all = torch::cat({all, loss.unsqueeze(0)});
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'all' keeps the graph of every iteration
  }
  return all;
}

// The loss is computed elsewhere.
Tensor lossOf(nn::Linear &net, const Tensor &x);
float hidden(nn::Linear &net, const std::vector<Tensor> &xs) {
  Tensor total = torch::zeros({});
  for (const auto &x : xs) {
    Tensor loss = lossOf(net, x);
    (loss / 4).backward();
    total.add_(loss);
    // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: 'total' keeps the graph of every iteration
  }
  return total.item<float>();
}

// A state that goes from step to step.
void recurrent(nn::GRU &gru, nn::Linear &head, const std::vector<Tensor> &xs, torch::optim::SGD &opt) {
  Tensor h = torch::zeros({1, 4, 16}), out;
  for (const auto &x : xs) {
    std::tie(out, h) = gru->forward(x, h);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'h' takes the graph of this iteration into the next one, whose backward() goes through it again; throws, unless it is detached [tensor-graph-retention]
    auto loss = head->forward(out).sum();
    opt.zero_grad();
    loss.backward();
    opt.step();
  }
}

// The state of a cell, over an inner loop.
void unrolled(nn::RNNCell &cell, const std::vector<std::vector<Tensor>> &sequences, torch::optim::SGD &opt) {
  Tensor h = torch::zeros({4, 16});
  for (const auto &sequence : sequences) {
    Tensor loss = torch::zeros({});
    for (const auto &x : sequence) {
      h = cell->forward(x, h);
      // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'h' takes the graph of this iteration into the next one
      loss = loss + h.pow(2).sum();
    }
    opt.zero_grad();
    loss.backward();
    opt.step();
  }
}

// Both states of an LSTM.
void paired(nn::LSTM &lstm, nn::Linear &head, const std::vector<Tensor> &xs, const std::vector<Tensor> &ys) {
  auto state = std::make_tuple(torch::zeros({1, 4, 16}), torch::zeros({1, 4, 16}));
  for (size_t i = 0; i < xs.size(); ++i) {
    auto [out, next] = lstm->forward(xs[i], state);
    state = next;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'state' takes the graph of this iteration into the next one
    torch::mse_loss(head(out), ys[i]).backward();
  }
}

// The state is handed on at the end of the step.
void atTheEnd(nn::GRU &gru, nn::Linear &head, const std::vector<Tensor> &xs, torch::optim::SGD &opt) {
  Tensor h = torch::zeros({1, 4, 16});
  for (const auto &x : xs) {
    auto [out, next] = gru->forward(x, h);
    auto loss = head->forward(out).sum();
    opt.zero_grad();
    loss.backward();
    opt.step();
    h = next;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'h' takes the graph of this iteration into the next one
  }
}

// A memory that the module reads and writes.
void memory(nn::Linear &write, nn::Linear &read, const std::vector<Tensor> &xs) {
  Tensor memory = torch::zeros({8});
  for (const auto &x : xs) {
    memory = torch::tanh(write(x) + memory * 0.9);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'memory' takes the graph of this iteration into the next one
    auto loss = read(memory).sum();
    loss.backward();
  }
}

// The sum itself runs backward in every iteration.
void summed(nn::Linear &net, const std::vector<Tensor> &xs) {
  Tensor total = torch::zeros({});
  for (const auto &x : xs) {
    total = total + net(x).sum();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'total' takes the graph of this iteration into the next one
    total.backward();
  }
}
