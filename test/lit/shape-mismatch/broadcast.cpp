// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %torch
// Named sizes stay what they are beside a tensor of which nothing is known, unless they are 1.

#include <torch/torch.h>

using torch::Tensor;

struct Sizes {
  int64_t rank, rotary, heads;
};

static Tensor normed(const Tensor &x, const Tensor &weight) {
  auto variance = x.pow(2).mean(-1, /*keepdim=*/true);
  return x * torch::rsqrt(variance + 1e-6) * weight;
}

// The part that was cut out is cut again by the widths of the whole row.
Tensor again(const Tensor &latent, const Tensor &weight, const Sizes &s) {
  auto row = latent.split_with_sizes({s.rank, s.rotary}, -1);
  auto part = normed(row[0], weight);
  auto twice = part.split_with_sizes({s.rank, s.rotary}, -1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: split_with_sizes({s.rank, s.rotary}, -1): sizes sum to {{.*}}, the dimension has s.rank; throws unless s.rank is 1
  return twice[1];
}
Tensor whole(const Tensor &latent, const Tensor &weight, const Sizes &s) {
  auto row = latent.split_with_sizes({s.rank, s.rotary}, -1);
  auto both = torch::cat({normed(row[0], weight), row[1]}, -1);
  return both.split_with_sizes({s.rank, s.rotary}, -1)[1];
}

// A matrix and a row of unknown width.
Tensor matrix(const Tensor &x, const Tensor &bias, const Sizes &s) {
  TORCH_CHECK(x.dim() == 2 && bias.dim() == 1);
  auto y = x.narrow(1, 0, s.rank) + bias;
  return y.split_with_sizes({s.rank, s.rotary}, 1)[1];
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: split_with_sizes({s.rank, s.rotary}, 1): sizes sum to {{.*}}, the dimension has y.size(1); throws unless s.rank is 1
}

// A size that nobody has a name for may be 1 for a purpose, and so may a constant.
Tensor unnamed(const Tensor &x, const Tensor &w) {
  TORCH_CHECK(x.dim() == 2 && w.dim() == 2);
  auto y = x * w;
  return y.view({x.size(0), w.size(1)});
}
Tensor column(const Tensor &x, const Tensor &w, const Sizes &s) {
  auto y = x.view({s.rank, 1}) * w;
  return y.view({s.rank, s.heads, s.rotary});
}
// Of two that have a name either may be the one.
Tensor either(const Tensor &x, const Tensor &w, const Sizes &s) {
  auto y = x.view({s.rank, s.heads}) * w.narrow(0, 0, s.heads);
  return y.view({-1, s.heads});
}
