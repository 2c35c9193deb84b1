// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-graph-retention -- %torch
// Sums and lists in the forms that people write: begun by the first loss, averaged, in fields, in what outlives a call.

#include <torch/nn.h>
#include <torch/optim.h>
#include <deque>
#include <map>

namespace nn = torch::nn;
using at::Tensor;

// Begun by the first one: a branch of the expression.
double begun(nn::Linear &net, const std::vector<Tensor> &xs, torch::optim::SGD &opt) {
  Tensor total, count = torch::empty({0});
  c10::optional<Tensor> maybe;
  int step = 0;
  Tensor curve, counted;
  for (const auto &x : xs) {
    opt.zero_grad();
    auto loss = net(x).pow(2).mean();
    loss.backward();
    opt.step();
    total = total.defined() ? total + loss : loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'total' keeps the graph of every iteration, which backward() has used up: give it detach() or item() of this [tensor-graph-retention]
    count = count.numel() ? count + loss : loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'count' keeps the graph of every iteration
    maybe = maybe ? *maybe + loss : loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'maybe' keeps the graph of every iteration
    curve = curve.defined() ? torch::cat({curve, loss.unsqueeze(0)}) : loss.unsqueeze(0);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'curve' keeps the graph of every iteration
    counted = step++ == 0 ? loss : counted + loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'counted' keeps the graph of every iteration
  }
  return (total / step).item<double>();
}

// The same with statements.
double branched(nn::Linear &net, const std::vector<Tensor> &xs) {
  Tensor total, sum, flagged;
  bool first = true;
  for (size_t i = 0; i < xs.size(); ++i) {
    auto loss = net(xs[i]).pow(2).mean();
    loss.backward();
    if (!total.defined())
      total = loss;
    else
      total = total + loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'total' keeps the graph of every iteration
    if (i == 0)
      sum = loss.clone();
    else
      sum += loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: 'sum' keeps the graph of every iteration
    if (first) {
      flagged = loss;
      first = false;
    } else {
      flagged = torch::add(flagged, loss);
      // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'flagged' keeps the graph of every iteration
    }
  }
  return (total + sum + flagged).item<double>();
}

// Averages, and the worst of all.
double smoothed(nn::Sequential &net, const std::vector<Tensor> &xs) {
  Tensor ema = torch::zeros({}), mean, worst = torch::zeros({}), near = torch::zeros({});
  for (const auto &x : xs) {
    auto loss = net->forward(x).abs().mean();
    loss.backward();
    ema = 0.9 * ema + 0.1 * loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'ema' keeps the graph of every iteration
    mean = mean.defined() ? mean * 0.99 + loss * 0.01 : loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'mean' keeps the graph of every iteration
    near = torch::lerp(near, loss, 0.1);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'near' keeps the graph of every iteration
    worst = torch::max(worst, loss);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'worst' keeps the graph of every iteration
  }
  return (ema + mean + near + worst).item<double>();
}

// By step, and in fields of one object.
struct Record {
  Tensor loss = torch::zeros({});
  std::vector<Tensor> all;
  int64_t count = 0;
};
Record recorded(nn::Linear &net, const std::vector<Tensor> &xs) {
  Record record;
  std::map<int64_t, Tensor> byStep;
  for (const auto &x : xs) {
    auto loss = net(x).mean();
    loss.backward();
    record.loss += loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: 'record.loss' keeps the graph of every iteration
    record.all.push_back(loss);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'record.all' keeps the graph of every iteration
    byStep[record.count++] = loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'byStep' keeps the graph of every iteration
  }
  return record;
}

// A method for each step: what the object has outlives the call.
class Trainer {
public:
  Tensor step(const Tensor &x, const Tensor &y) {
    opt.zero_grad();
    auto loss = torch::mse_loss(net->forward(x), y);
    loss.backward();
    opt.step();
    total += loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: 'total' keeps the graph of every call, which backward() has used up: give it detach() or item() of this [tensor-graph-retention]
    history.push_back(loss);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'history' keeps the graph of every call
    average = average.defined() ? 0.9 * average + 0.1 * loss : loss;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 'average' keeps the graph of every call
    ++steps;
    return loss.detach();
  }
  double mean() const { return total.item<double>() / static_cast<double>(steps); }

private:
  nn::Linear net{8, 1};
  torch::optim::Adam opt{net->parameters(), 1e-3};
  Tensor total = torch::zeros({}), average;
  std::vector<Tensor> history;
  int64_t steps = 0;
};

// What the caller handed over outlives it as well.
struct State {
  Tensor ema;
  std::deque<Tensor> losses;
};
void trainStep(nn::Linear &net, const Tensor &x, State &state, Tensor &sum) {
  auto loss = net(x).pow(2).mean();
  loss.backward();
  state.losses.push_back(loss);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: 'state.losses' keeps the graph of every call
  state.ema = 0.9 * state.ema + 0.1 * loss;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: 'state.ema' keeps the graph of every call
  sum += loss;
  // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: 'sum' keeps the graph of every call
}

// A meter of one's own, which does not know what it is given.
class Meter {
public:
  void update(const Tensor &value, int64_t n) {
    sum += value * n;
    // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: 'metered::meter.sum' keeps the graph of every iteration
    count += n;
  }
  double mean() const { return sum.item<double>() / static_cast<double>(count); }

private:
  Tensor sum = torch::zeros({});
  int64_t count = 0;
};
double metered(nn::Linear &net, const std::vector<Tensor> &xs) {
  Meter meter;
  for (const auto &x : xs) {
    auto loss = net(x).pow(2).mean();
    loss.backward();
    meter.update(loss, x.size(0));
  }
  return meter.mean();
}
