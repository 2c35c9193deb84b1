// RUN: %check %s --checks=-*,tensor-value-domain -- %torch
// REQUIRES: libtorch

#include <torch/torch.h>

using torch::Tensor;
namespace F = torch::nn::functional;

// A head that ends with sigmoid(), and a loss that begins with it.
struct ConfidenceImpl : torch::nn::Module {
  explicit ConfidenceImpl(int64_t dim)
      : head(register_module("head", torch::nn::Sequential(torch::nn::Linear(dim, 1), torch::nn::Sigmoid()))),
        loss(register_module("loss", torch::nn::BCEWithLogitsLoss())) {}

  std::pair<Tensor, Tensor> forward(const Tensor &a, const Tensor &b) {
    return {head->forward(a.detach()).squeeze(-1), head->forward(b.detach()).squeeze(-1)};
  }
  Tensor train_step(const Tensor &a, const Tensor &b, const Tensor &same) {
    auto [p, q] = forward(a, b);
    return loss(p, same) + torch::binary_cross_entropy(q, same);
    // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: the loss takes logits, and makes probabilities of them itself: 'p' holds probabilities already [tensor-value-domain]
    // CHECK-MESSAGES: :[[#@LINE-6]]:13: note: Sigmoid() makes them here
  }

  torch::nn::Sequential head;
  torch::nn::BCEWithLogitsLoss loss;
};

Tensor classify(torch::nn::Linear &fc, const Tensor &x, const Tensor &target) {
  auto p = torch::softmax(fc(x), -1);
  auto predicted = p.argmax(-1);
  return F::cross_entropy(p, target) + (predicted == target).to(torch::kFloat).mean();
  // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: cross_entropy() takes logits, and makes probabilities of them itself: 'p' holds probabilities already [tensor-value-domain]
  // CHECK-MESSAGES: :[[#@LINE-4]]:19: note: softmax() makes them here
}

Tensor likelihood(const Tensor &x, const Tensor &w, const Tensor &target) {
  auto scores = torch::linear(x, w);
  auto p = scores.softmax(1);
  auto a = torch::nll_loss(p, target);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: nll_loss() takes logarithms of probabilities: 'p' holds the probabilities [tensor-value-domain]
  auto b = torch::nll_loss(scores, target);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: nll_loss() takes logarithms of probabilities: 'scores' holds scores that nothing has normalized [tensor-value-domain]
  return a + b;
}

Tensor distill(const Tensor &student, const Tensor &teacher, double t) {
  auto from = torch::log_softmax(student / t, -1);
  auto to = torch::log_softmax(teacher / t, -1).detach();
  auto a = torch::kl_div(from, to);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: kl_div() takes probabilities as its target unless log_target: 'to' holds their logarithms [tensor-value-domain]
  auto b = torch::kl_div(from, torch::softmax(teacher / t, -1), at::Reduction::Sum, /*log_target=*/true);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: kl_div() with log_target takes logarithms as its target: its target holds the probabilities [tensor-value-domain]
  auto c = torch::kl_div(torch::softmax(student / t, -1), torch::softmax(teacher / t, -1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: kl_div() takes logarithms of probabilities: its operand holds the probabilities [tensor-value-domain]
  auto d = torch::kl_div(from, torch::softmax(teacher / t, -1), at::Reduction::None).mean(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:86: warning: mean() divides the terms of kl_div() by their number along dimension -1, which the distribution goes along: the divergence is their sum [tensor-value-domain]
  return a + b + c + d.sum();
}

Tensor sample(torch::nn::Linear &head, const Tensor &x) {
  auto logp = torch::log_softmax(head(x), -1);
  auto next = torch::multinomial(logp, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: multinomial() takes probabilities: 'logp' holds logarithms, which are below 0 [tensor-value-domain]
  auto drawn = torch::bernoulli(torch::linear(x, x));
  // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: bernoulli() takes probabilities: its operand holds scores, which may be any numbers [tensor-value-domain]
  auto entropy = torch::log(logp);
  // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: log() is nan: 'logp' holds logarithms of probabilities [tensor-value-domain]
  return next + drawn + entropy;
}
