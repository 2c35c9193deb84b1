// RUN: %check %s --checks=-*,tensor-missing-no-grad --config='{CheckOptions: {tensor-missing-no-grad.Level: 2}}' -- %runtime
// RUN: %silent %s --checks=-*,tensor-missing-no-grad --config='{CheckOptions: {tensor-missing-no-grad.Level: 0}}' -- %runtime
// eval() and forward() without a guard.

#include <tensortidy/aten.h>

struct Net {
  void eval();
  void train();
  at::Tensor forward(const at::Tensor &x);
};

float infer(Net &net, const at::Tensor &x) {
  net.eval();
  auto y = net.forward(x);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: this forward() records a graph for gradients, and the function keeps nothing that has one, unless the caller has a NoGradGuard [tensor-missing-no-grad]
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note: eval() changes what some modules do; it does not keep autograd from recording
  return y.sum().item<float>();
}

float guarded(Net &net, const at::Tensor &x) {
  torch::NoGradGuard guard;
  net.eval();
  return net.forward(x).sum().item<float>();
}

float trains(Net &net, const at::Tensor &x) {
  net.eval();
  auto y = net.forward(x).sum();
  net.train();
  net.forward(x).sum().backward();
  return y.item<float>();
}

// The mode is put back at the end.
double validate(Net &net, const std::vector<at::Tensor> &xs) {
  net.eval();
  double sum = 0;
  for (const auto &x : xs)
    sum += net.forward(x).sum().item<double>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: this forward() records a graph
  net.train();
  return sum;
}
at::Tensor inTurns(Net &net, const std::vector<at::Tensor> &xs) {
  at::Tensor last;
  for (const auto &x : xs) {
    net.eval();
    last = net.forward(x);
    net.train();
    last = last + net.forward(x);
  }
  return last;
}

// With frozen statistics, for a gradient.
void adversarial(Net &net, const at::Tensor &x) {
  net.eval();
  net.forward(x).sum().backward();
}

at::Tensor forwardAlone(Net &net, const at::Tensor &x) { return net.forward(x); }
