//===- loops.cpp - what the checks on loops advise is the same ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "judge.h"

/// Small whole numbers, so that sums are exact in any order.
static at::Tensor numbers(at::IntArrayRef Sizes) {
  int64_t N = 1;
  for (int64_t S : Sizes)
    N *= S;
  return torch::arange(N, at::kFloat).view(Sizes);
}

CASE(loopAccessor) {
  auto x = numbers({5, 7});
  float ByItem = 0, ByAccessor = 0;
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < 7; ++j)
      ByItem += x[i][j].item<float>();
  auto x_a = x.accessor<float, 2>();
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < 7; ++j)
      ByAccessor += x_a[i][j];
  judge::require(ByItem == ByAccessor && ByItem == 34 * 35 / 2);
}

CASE(loopAccessorWrites) {
  auto x = torch::zeros({5, 7}), y = torch::zeros({5, 7});
  auto y_a = y.accessor<float, 2>();
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < 7; ++j) {
      x[i][j] = i + 2 * j;
      y_a[i][j] = i + 2 * j;
    }
  judge::require(torch::equal(x, y));
}

CASE(loopMatmul) {
  auto x = numbers({3, 4, 5}), w = numbers({5, 2});
  std::vector<at::Tensor> ys;
  for (int64_t i = 0; i < 3; ++i)
    ys.push_back(x[i].matmul(w));
  judge::require(torch::equal(torch::stack(ys), x.matmul(w)));
  judge::require(torch::equal(torch::cat(ys), x.matmul(w).flatten(0, 1)));
  judge::require(torch::equal(torch::stack(ys, 1), x.matmul(w).movedim(0, 1)));
}

CASE(loopMatrixFirst) {
  auto x = numbers({3, 5, 4}), w = numbers({2, 5}), v = numbers({3, 5});
  std::vector<at::Tensor> ys, zs;
  for (int64_t i = 0; i < 3; ++i) {
    ys.push_back(w.matmul(x[i]));
    zs.push_back(w.mv(v[i]));
  }
  judge::require(torch::equal(torch::stack(ys), torch::matmul(w, x)));
  judge::require(torch::equal(torch::stack(zs), v.matmul(w.t())));
}

CASE(loopBatches) {
  auto x = numbers({3, 4, 5}), y = numbers({3, 5, 2});
  std::vector<at::Tensor> zs;
  for (int64_t i = 0; i < 3; ++i)
    zs.push_back(x[i].mm(y[i]));
  judge::require(torch::equal(torch::stack(zs), x.bmm(y)));
}

CASE(loopLinear) {
  auto x = numbers({3, 5}), w = numbers({2, 5}), b = numbers({2});
  std::vector<at::Tensor> ys;
  for (int64_t i = 0; i < 3; ++i)
    ys.push_back(torch::linear(x[i].unsqueeze(0), w, b));
  judge::require(torch::equal(torch::cat(ys), torch::linear(x, w, b)));
  judge::require(
      torch::equal(torch::stack(ys), torch::linear(x, w, b).unsqueeze(1)));
}

CASE(loopElementwise) {
  auto x = numbers({3, 4, 5}), b = numbers({5});
  auto y = torch::empty({3, 4, 5});
  for (int64_t i = 0; i < 3; ++i)
    y[i] = torch::relu(x[i] - b);
  judge::require(torch::equal(y, torch::relu(x - b)));
}
