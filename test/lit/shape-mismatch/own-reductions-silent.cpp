// REQUIRES: libtorch
// RUN: %silent %s --checks=-*,tensor-shape-mismatch -- %torch
// A tensor and what it was reduced to, where the dimensions meet themselves, or a matrix is square.

#include <torch/torch.h>

using at::Tensor;

// Kept, or put back.
Tensor rows(const Tensor &x) {
  TORCH_CHECK(x.dim() == 2);
  auto y = x / x.norm(2, 1, /*keepdim=*/true);
  y = y - y.mean(1).unsqueeze(1);
  y = (y.t() / y.norm(2, 1)).t();
  return y * y.sum(-1).view({-1, 1});
}
Tensor chosen(const Tensor &x, bool keep) {
  TORCH_CHECK(x.dim() == 2);
  return x / x.sum(1, keep);
}

// Of the first dimensions, or of vectors.
Tensor columns(const Tensor &x) {
  TORCH_CHECK(x.dim() == 3);
  return x - x.mean(0) + x.mean(at::IntArrayRef({0, 1}));
}
Tensor vectors(const Tensor &x, const Tensor &y) {
  TORCH_CHECK(y.dim() == 2);
  auto first = y[0];
  return x / x.sum(-1) + first / first.sum(0) + (y.sum(1) - y.mean(1)).sum();
}
Tensor channels(const Tensor &x) {
  TORCH_CHECK(x.dim() == 4);
  auto mean = x.mean({0, 2, 3});
  return x - mean.view({1, -1, 1, 1});
}
Tensor batched(Tensor x) {
  if (x.dim() == 1)
    x = x.unsqueeze(0);
  return x / x.norm(2, -1);
}
Tensor single(const Tensor &logits) {
  TORCH_CHECK(logits.size(0) == 1);
  auto e = logits.exp(), row = logits.view({1, -1});
  return e / e.sum(1) + row / row.sum(1);
}

// As many rows as columns: by a check, by what made it, by what is written, or by how the same vector is used.
Tensor square(const Tensor &x) {
  TORCH_CHECK(x.dim() == 2 && x.size(0) == x.size(1));
  return x / x.sum(1);
}
Tensor refused(const Tensor &x) {
  TORCH_CHECK(x.dim() == 2);
  if (x.size(0) != x.size(1))
    throw std::runtime_error("not square");
  return x / x.sum(1);
}
Tensor made(const Tensor &x, int64_t n) {
  TORCH_CHECK(x.dim() == 2);
  auto gram = x.mm(x.t()), distances = torch::cdist(x, x), weights = torch::rand({n, n});
  return gram / gram.sum(1) + distances - distances.mean(1) + weights / weights.sum(1);
}
Tensor laplacian(const Tensor &adjacency) {
  TORCH_CHECK(adjacency.dim() == 2);
  auto degree = adjacency.sum(1).pow(-0.5);
  return degree.unsqueeze(1) * adjacency * degree;
}
