// Calls that have a meaning, or that are the user's own: none is counted as without a model.

// REQUIRES: libtorch
// RUN: %tensortidy --stats %s -- %torch 2>&1 | FileCheck %s --implicit-check-not="without a model"
// CHECK: calls modelled: [[N:[0-9]+]] of [[N]] (100 %)

#include <torch/torch.h>

// A holder runs forward() of the user's module, whatever that is.
struct PairImpl : torch::nn::Module {
  std::tuple<at::Tensor, at::Tensor> forward(at::Tensor x);
};
TORCH_MODULE(Pair);
at::Tensor called(Pair &pair, const at::Tensor &x) {
  auto [a, b] = pair(x);
  return a + b;
}

void slower(torch::optim::Adam &optimizer, double lr) {
  for (auto &group : optimizer.param_groups())
    if (group.has_options())
      static_cast<torch::optim::AdamOptions &>(group.options()).lr(lr);
}
int64_t count(torch::optim::SGD &optimizer) {
  int64_t n = 0;
  for (auto &group : optimizer.param_groups())
    for (const at::Tensor &p : group.params())
      n += p.numel();
  return n;
}
