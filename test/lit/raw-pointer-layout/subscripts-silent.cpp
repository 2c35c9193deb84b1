// REQUIRES: libtorch
// RUN: %silent %s --checks=-*,tensor-raw-pointer-layout,tensor-shape-mismatch -- %torch
// Subscripts in loops that stay inside, or that are of a square matrix.

#include <torch/torch.h>

using at::Tensor;

float inside(const Tensor &x) {
  auto a = x.accessor<float, 2>();
  float total = 0;
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
      total += a[i][j];
  for (int64_t i = 0; i + 1 < x.size(0); ++i)
    for (int64_t j = 1; j < x.size(1) - 1; ++j)
      total += a[i + 1][j + 1] - a[i][j - 1];
  for (int64_t i = 0; i <= a.size(0) - 1; ++i)
    total += a[i][0];
  for (int64_t i = x.size(0) - 1; i >= 0; --i)
    total += a[i][0];
  return total;
}
float guarded(const Tensor &x) {
  auto a = x.accessor<float, 2>();
  float total = 0;
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j) {
      if (i + 1 < x.size(0))
        total += a[i + 1][j];
      total += j > 0 ? a[i][j - 1] : 0;
    }
  for (int64_t i = 0; i < x.size(1); ++i) {
    if (i >= x.size(0))
      break;
    total += a[i][0];
  }
  return total;
}
Tensor turned(const Tensor &x) {
  auto out = torch::zeros({x.size(1), x.size(0)});
  auto from = x.accessor<float, 2>(), to = out.accessor<float, 2>();
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
      to[j][i] = from[i][j];
  return out;
}

// As many rows as columns.
float square(const Tensor &x) {
  auto a = x.accessor<float, 2>();
  float total = 0;
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(0); ++j)
      total += a[i][j];
  for (int64_t i = 0; i < x.size(1); ++i)
    for (int64_t j = 0; j < i; ++j)
      total += a[i][j];
  for (int64_t i = 0; i < x.size(0); ++i)
    total += a[i][i];
  return total;
}
float checked(const Tensor &x) {
  TORCH_CHECK(x.dim() == 2 && x.size(0) == x.size(1));
  auto a = x.accessor<float, 2>();
  float total = 0;
  for (int64_t i = 0; i < x.size(1); ++i)
    total += a[i][0];
  return total;
}
Tensor selected(const Tensor &x) {
  TORCH_CHECK(x.dim() == 2);
  Tensor total = torch::zeros({});
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(0); ++j)
      total = total + x[i][j];
  for (int64_t i = 0; i < x.size(1); ++i)
    total = total + x.select(1, i).sum() + x.t()[i].sum();
  return total;
}
float other(const Tensor &x, int64_t n) {
  auto a = x.accessor<float, 2>();
  float total = 0;
  for (int64_t i = 0; i < n; ++i)
    total += a[i][0];
  return total;
}
