// RUN: %check %s --checks=-*,tensor-retain-graph,tensor-discarded-result --config='{CheckOptions: {tensor-retain-graph.Level: 2}}' -- %torch
// REQUIRES: libtorch
// What a data loader gives has no graph that anybody else may use.

#include <torch/torch.h>

namespace F = torch::nn::functional;

template <typename Loader> void train(torch::nn::Linear &net, Loader &loader, torch::optim::Optimizer &optimizer) {
  for (auto &batch : loader) {
    auto data = batch.data.to(torch::kCPU), target = batch.target;
    optimizer.zero_grad();
    auto loss = F::nll_loss(F::log_softmax(net(data), 1), target);
    loss.backward({}, /*retain_graph=*/true);
    // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: retain_graph keeps what the graph has saved, and nothing runs backward through it again [tensor-retain-graph]
    optimizer.step();
  }
}

void run(torch::nn::Linear &net, torch::optim::Optimizer &optimizer) {
  auto set = torch::data::datasets::MNIST("mnist").map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(set), 64);
  train(net, *loader, optimizer);
}

// Somebody else's tensors may be parts of a graph.
void given(torch::nn::Linear &net, std::vector<at::Tensor> &states) {
  for (auto &state : states) {
    auto loss = net(state).sum();
    loss.backward({}, true);
  }
}

void discarded(at::Tensor x) {
  F::normalize(x);
  // CHECK-MESSAGES: :[[#@LINE-1]]:6: warning: normalize() does not change 'x', and its result is thrown away [tensor-discarded-result]
  torch::nn::utils::clip_grad_norm_(x, 1.0);
  auto mean = torch::zeros({4}), var = torch::ones({4});
  torch::batch_norm(x, {}, {}, mean, var, true, 0.1, 1e-5, false); // updates mean and var
}
