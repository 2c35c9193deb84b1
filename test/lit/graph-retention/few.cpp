// REQUIRES: libtorch
// RUN: %silent %s --checks=-*,tensor-graph-retention -- %torch
// Sums and lists that hold few graphs, or none.

#include <torch/nn.h>
#include <torch/optim.h>
#include <deque>
#include <map>
#include <unordered_map>

namespace nn = torch::nn;
using at::Tensor;

// Begun anew from time to time.
void windows(nn::Linear &net, const std::vector<Tensor> &xs) {
  Tensor total, other, long_, counted, flagged;
  int k = 0;
  bool fresh = true;
  for (size_t i = 0; i < xs.size(); ++i) {
    auto loss = net(xs[i]).pow(2).mean();
    loss.backward();
    total = i % 10 == 0 ? loss : total + loss;
    if (i % 8 == 0)
      other = loss;
    else
      other = other + loss;
    long_ = long_.numel() > 100 ? loss.unsqueeze(0) : torch::cat({long_, loss.unsqueeze(0)});
    if (k == 0)
      counted = loss;
    else
      counted += loss;
    if (++k == 10)
      k = 0;
    flagged = fresh ? loss : flagged + loss;
    fresh = i % 100 == 99;
  }
}

// One of them is kept, or the latest few.
void few(nn::Linear &net, const std::vector<Tensor> &xs) {
  Tensor best = torch::ones({}), first;
  std::map<std::string, Tensor> byName;
  std::unordered_map<int, Tensor> slots;
  std::vector<Tensor> four(4), window;
  std::deque<Tensor> recent;
  for (const auto &x : xs) {
    auto loss = net(x).pow(2).mean();
    loss.backward();
    best = loss.item<float>() < best.item<float>() ? loss : best;
    if (!first.defined())
      first = loss;
    byName["loss"] = loss;
    slots[0] = loss;
    four[2] = loss;
    recent.push_back(loss);
    if (recent.size() > 10)
      recent.pop_front();
    window.push_back(loss);
    if (window.size() > 4)
      window.erase(window.begin());
  }
}

class Trainer {
public:
  void step(const Tensor &x) {
    auto loss = net(x).pow(2).mean();
    loss.backward();
    last = loss;
    lasts[0] = loss;
    total = total + loss.detach();
    best = best.defined() ? torch::min(best, loss.detach()) : loss.detach();
    sum += loss.item<double>();
    Tensor local = torch::zeros({});
    local += loss;
    std::vector<Tensor> all;
    all.push_back(loss);
  }
  // Gradients are accumulated through the graph of the sum.
  void accumulate(const Tensor &x) {
    pending = pending.defined() ? pending + net(x).sum() : net(x).sum();
    if (++steps % 4 == 0) {
      pending.backward();
      pending = Tensor();
    }
  }
  void collect(const Tensor &x) {
    outs.clear();
    auto out = net(x);
    out.sum().backward();
    outs.push_back(out);
    grads.push_back(x.grad());
  }
  void guarded(const Tensor &x) {
    auto loss = net(x).sum();
    loss.backward();
    torch::NoGradGuard guard;
    total += loss;
  }

private:
  Tensor last, total = torch::zeros({}), best, pending;
  double sum = 0;
  int steps = 0;
  std::vector<Tensor> lasts{1}, outs, grads;
  nn::Linear net{8, 1};
};

// Results of one call.
void once(nn::Linear &net, const Tensor &x, std::vector<Tensor> &out, Tensor &y) {
  y = net(x);
  y.sum().backward();
  out.push_back(y);
  out.push_back(x.grad());
}
void regularized(nn::Linear &net, const Tensor &x, Tensor &loss) {
  loss = loss + net(x).sum();
  loss.backward();
}
void averaged(nn::Linear &net, const Tensor &x, Tensor &weights) {
  net(x).sum().backward();
  weights = weights * 0.9 + net->weight.detach() * 0.1;
}
