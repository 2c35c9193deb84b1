// RUN: %silent %s --checks=-*,tensor-value-domain -- %torch
// REQUIRES: libtorch
// What each operation takes; what arithmetic or a write made of it; what came about in two ways.

#include <limits>
#include <torch/torch.h>

using torch::Tensor;
namespace F = torch::nn::functional;

struct MatchImpl : torch::nn::Module {
  explicit MatchImpl(int64_t dim) : proj(register_module("proj", torch::nn::Linear(dim, 1))) {}
  Tensor logits(const Tensor &x) { return proj(x).squeeze(-1); }
  Tensor forward(const Tensor &x) { return torch::sigmoid(logits(x)); }
  Tensor loss(const Tensor &x, const Tensor &y) {
    return torch::binary_cross_entropy_with_logits(logits(x), y) + torch::binary_cross_entropy(forward(x), y);
  }
  torch::nn::Linear proj;
};

Tensor likelihood(torch::nn::Linear &fc, const Tensor &x, const Tensor &y) {
  auto logp = torch::log_softmax(fc(x), -1);
  return torch::nll_loss(logp, y) + F::cross_entropy(fc(x), y) + torch::nll_loss(torch::log(torch::softmax(fc(x), -1)), y);
}

// Soft targets are probabilities.
Tensor soft(const Tensor &logits, const Tensor &teacher) {
  auto target = torch::softmax(teacher, -1);
  return F::cross_entropy(logits, target) +
         torch::kl_div(logits.log_softmax(-1), target, at::Reduction::Sum) +
         torch::kl_div(logits.log_softmax(-1), teacher.log_softmax(-1), at::Reduction::Sum, true) +
         torch::kl_div(logits.log_softmax(-1), target, at::Reduction::None).sum(-1).mean();
}

// Of all rows, not along them.
Tensor rows(const Tensor &logits, const Tensor &teacher) {
  return torch::kl_div(logits.log_softmax(1), torch::softmax(teacher, 1), at::Reduction::None).mean(0);
}

Tensor written(const Tensor &x, const Tensor &y) {
  auto p = torch::softmax(x, -1);
  p.log_();
  return torch::nll_loss(p, y);
}

Tensor oneOfTwo(const Tensor &x, const Tensor &y, bool normalized) {
  auto p = x;
  if (!normalized)
    p = torch::softmax(x, -1);
  return F::cross_entropy(p, y);
}

Tensor sharpened(const Tensor &x, const Tensor &y) {
  auto p = torch::softmax(x, -1);
  return F::cross_entropy(p * 16, y) + torch::softmax(p / 0.05, -1).sum() + torch::softmax(p, 0).sum();
}

Tensor sample(torch::nn::Linear &head, const Tensor &x) {
  auto p = head(x).softmax(-1);
  return torch::multinomial(p, 1) + torch::bernoulli(p) + torch::multinomial(torch::log_softmax(head(x), -1).exp(), 1);
}

Tensor masked(const Tensor &q, const Tensor &k, const Tensor &future) {
  auto scores = q.matmul(k.transpose(-2, -1));
  auto p = torch::softmax(scores.masked_fill(future, -std::numeric_limits<float>::infinity()), -1);
  return p.masked_fill(future, 0);
}

// Rows of padding, whose softmax() nobody reads.
Tensor wholeRows(torch::nn::Linear &fc, const Tensor &x, const Tensor &ids, int64_t pad_id) {
  auto scores = fc(x).masked_fill(ids.eq(pad_id).unsqueeze(-1), 0);
  return torch::softmax(scores, -1);
}

// Features, of which 0 says what it should.
Tensor features(const Tensor &x, const Tensor &mask) { return torch::softmax(x.masked_fill(mask, 0), -1); }

Tensor padded(const Tensor &scores, const Tensor &ids, int64_t pad_id, int64_t eos) {
  auto a = scores.masked_fill(ids == pad_id, -1e9).masked_fill(ids.ne(pad_id).logical_not(), -1e9);
  // What is no padding is no end either.
  return a.masked_fill(ids != eos, -1e9).masked_fill(ids != pad_id, 0);
}

// Steps of a random walk: rows that add up to 1 times such rows.
Tensor walk(const Tensor &transitions, const Tensor &from) {
  auto p = torch::matmul(from, transitions);
  return torch::multinomial(p, 1) + torch::bernoulli(p.mm(transitions));
}

// The name of the function says nothing of its parameter.
static Tensor padding_aside(const Tensor &ids, int64_t eos) { return ids.ne(eos); }

Tensor onlyEnds(const Tensor &scores, const Tensor &ids, int64_t eos) {
  return scores.masked_fill(padding_aside(ids, eos), -1e9).softmax(-1);
}
