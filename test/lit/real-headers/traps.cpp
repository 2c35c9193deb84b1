// RUN: %silent %s --checks=-*,tensor-* -- %torch
// Code that looks like a mistake and is none: every check stays silent.

#include <ATen/Parallel.h>
#include <torch/torch.h>
#include <vector>
using torch::Tensor;

// Dims only split.
Tensor split(int64_t b, int64_t t, int64_t h, int64_t d) {
  auto x = torch::zeros({b, t, h * d}).permute({0, 2, 1});
  return x.view({b, h, d, t});
}
// Merged where strides allow.
Tensor merged(int64_t a, int64_t b, int64_t c) {
  auto x = torch::zeros({a, b, c}).permute({2, 0, 1});
  return x.view({c, a * b});
}
Tensor chunked(int64_t n, int64_t d) {
  auto qkv = torch::zeros({n, 3 * d}).chunk(3, 1);
  return qkv[1].view({n, 1, d, 1});
}
Tensor chunkedFront(int64_t n, int64_t d) {
  auto parts = torch::zeros({2 * n, d}).chunk(2, 0);
  return parts[1].view({-1});
}
// zeros_like of a transposed tensor is fresh but not contiguous.
Tensor like(int64_t n, int64_t m) {
  auto x = torch::zeros({n, m}).t();
  auto y = torch::zeros_like(x).contiguous();
  return y.view({-1});
}
Tensor likeOf(Tensor x) { return torch::zeros_like(x.t()).contiguous(); }
// contiguous() that cuts the lifetime of borrowed memory.
Tensor cut(int64_t n, int64_t m) {
  std::vector<float> v(static_cast<size_t>(n * m));
  return torch::from_blob(v.data(), {n, m}).permute({1, 0}).contiguous();
}
// Scratch in a parallel_for lambda.
void parallel(Tensor out, int64_t n, int64_t d) {
  at::parallel_for(0, n, 1, [&](int64_t begin, int64_t end) {
    auto scratch = torch::zeros({d});
    for (int64_t i = begin; i < end; ++i) {
      scratch.fill_(i);
      out[i].copy_(scratch);
    }
  });
}
// Accumulators zeroed again in each iteration.
Tensor accumulate(Tensor x, int64_t n, int64_t d) {
  std::vector<Tensor> rows;
  for (int64_t i = 0; i < n; ++i) {
    auto acc = torch::zeros({d});
    for (int64_t j = 0; j < d; ++j)
      acc += x[i][j] * x[j];
    rows.push_back(acc);
  }
  return torch::stack(rows);
}
float accumulateOnly(Tensor x, int64_t n, int64_t d) {
  float best = 0;
  for (int64_t i = 0; i < n; ++i) {
    auto acc = torch::zeros({d});
    acc.add_(x.select(0, i));
    best += acc.sum().item<float>();
  }
  return best;
}
void writes(Tensor x, Tensor y, int64_t i) {
  x[i] = y;
  x.slice(0, 1, 3) = y;
  x.select(1, 0) = 1;
  x.index_put_({0}, y);
  x[0][1] = 3.0;
  x.index({torch::indexing::Slice(), 0}) = y;
}
