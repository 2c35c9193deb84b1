// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-raw-pointer-layout,tensor-shape-mismatch -- %torch
// Subscripts in loops that go beyond the dimension, or to the size of another one.

#include <torch/torch.h>

using at::Tensor;

// The bounds are swapped.
float sum(const Tensor &x) {
  auto a = x.accessor<float, 2>();
  float total = 0;
  for (int64_t i = 0; i < x.size(1); ++i)
    for (int64_t j = 0; j < x.size(0); ++j)
      total += a[i][j];
  // CHECK-MESSAGES: :[[#@LINE-5]]:14: warning: this loop goes to index x.size(1) - 1 of dimension 0 of 'x', whose size is x.size(0); wrong unless x.size(1) is x.size(0) [tensor-raw-pointer-layout]
  // CHECK-MESSAGES: :[[#@LINE-2]]:16: note: used here
  return total;
}
float named(const Tensor &image) {
  const auto h = image.size(0), w = image.size(1);
  auto a = image.accessor<float, 2>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: this loop goes to index w - 1 of dimension 0 of 'image', whose size is h; wrong unless w is h
  float total = 0;
  for (int64_t y = 0; y < w; ++y)
    for (int64_t x = 0; x < h; ++x)
      total += a[y][x];
  return total;
}
float asked(const Tensor &x) {
  auto a = x.accessor<float, 2>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: this loop goes to index x.size(1) - 1 of dimension 0 of 'x', whose size is x.size(0); wrong unless x.size(1) is x.size(0)
  float total = 0;
  for (int64_t i = 0; i < a.size(1); ++i)
    for (int64_t j = 0; j < a.size(0); ++j)
      total += a[i][j];
  return total;
}
Tensor filled(int64_t h, int64_t w) {
  auto x = torch::zeros({h, w});
  auto a = x.accessor<float, 2>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: this loop goes to index w - 1 of dimension 0 of 'x', whose size is h; wrong unless w is h
  for (int64_t i = 0; i < w; ++i)
    for (int64_t j = 0; j < h; ++j)
      a[i][j] = i * j;
  return x;
}
float planes(const Tensor &x) {
  auto a = x.packed_accessor64<float, 3>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: this loop goes to index x.size(2) - 1 of dimension 1 of 'x', whose size is x.size(1); wrong unless x.size(2) is x.size(1)
  float total = 0;
  for (int64_t c = 0; c < x.size(0); ++c)
    for (int64_t i = 0; i < x.size(2); ++i)
      for (int64_t j = 0; j < x.size(1); ++j)
        total += a[c][i][j];
  return total;
}
Tensor turned(const Tensor &x) {
  auto out = torch::zeros({x.size(0), x.size(1)});
  auto from = x.accessor<float, 2>(), to = out.accessor<float, 2>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:48: warning: this loop goes to index x.size(1) - 1 of dimension 0 of 'out', whose size is x.size(0); wrong unless x.size(1) is x.size(0)
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
      to[j][i] = from[i][j];
  return out;
}

// One too many, one too few.
float inclusive(const Tensor &x) {
  auto a = x.accessor<float, 2>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: this loop goes to index x.size(0) of dimension 0 of 'x', whose size is x.size(0) [tensor-raw-pointer-layout]
  float total = 0;
  for (int64_t i = 0; i <= x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
      total += a[i][j];
  return total;
}
float differences(const Tensor &x) {
  auto a = x.accessor<float, 2>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: this loop goes to index x.size(0) of dimension 0 of 'x', whose size is x.size(0)
  float total = 0;
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
      total += a[i + 1][j] - a[i][j];
  return total;
}
float before(const Tensor &x) {
  auto a = x.accessor<float, 2>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: this loop goes to index -1 of dimension 1 of 'x', whose size is x.size(1)
  float total = 0;
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
      total += a[i][j] - a[i][j - 1];
  return total;
}

// Tensors by their indices.
Tensor rows(const Tensor &x) {
  TORCH_CHECK(x.dim() == 2);
  Tensor total = torch::zeros({});
  for (int64_t i = 0; i < x.size(1); ++i)
    total = total + x[i].sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: x[i]: index x.size(1) - 1 is out of range for size x.size(0) of dimension 0; throws when x.dim() is 2, unless x.size(1) is x.size(0) [tensor-shape-mismatch]
  return total;
}
Tensor columns(const Tensor &x) {
  TORCH_CHECK(x.dim() == 3);
  Tensor total = torch::zeros({});
  for (int64_t i = 0; i < x.size(0); ++i)
    total = total + x.select(1, i).sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: select(1, i): index x.size(0) - 1 is out of range for size x.size(1) of dimension 1
  return total;
}
