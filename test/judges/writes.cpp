//===- writes.cpp - writes that overlap, and writes that are lost ---------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "judge.h"

using torch::indexing::Slice;

static at::Tensor counted(int64_t Rows, int64_t Columns) {
  return torch::arange(Rows * Columns).view({Rows, Columns}).to(at::kFloat) + 1;
}

static bool sameValues(const at::Tensor &X, const at::Tensor &Y) {
  return (X - Y).abs().sum().item<float>() == 0;
}

CASE(expandedRows) {
  auto x = torch::zeros({1, 3}).expand({4, 3});
  x.add_(1); // overlaps: add_
}

CASE(firstRow) {
  auto x = torch::ones({3, 4});
  x -= x[0]; // overlaps: sub_
}

CASE(firstElement) {
  auto x = torch::ones({10});
  x.div_(x[0]); // overlaps: div_
}

CASE(copiedRow) {
  auto x = torch::ones({3, 4});
  x.copy_(x[0]); // overlaps: copy_
}

CASE(transposedSelf) {
  auto x = torch::ones({3, 3});
  x.add_(x.t()); // overlaps: add_
}

CASE(shiftedRow) {
  auto x = torch::ones({10});
  x.narrow(0, 1, 9).add_(x.narrow(0, 0, 9)); // overlaps: add_
}

// A second handle of a tensor is that tensor: what tensor-shared-metadata is
// about.
CASE(secondHandle) {
  auto x = torch::ones({3, 4});
  const at::Tensor &promised = x;
  at::Tensor same = promised;
  same.unsqueeze_(0);
  judge::require(x.dim() == 3);
  at::Tensor view = promised.squeeze(0);
  view.t_();
  judge::require(x.dim() == 3 && x.size(1) == 3);
}

CASE(clonedRow) {
  auto x = counted(3, 4);
  auto right = x - x[0];
  x -= x[0].clone();
  judge::require(sameValues(x, right));
}

CASE(lastColumn) {
  auto x = counted(3, 4);
  auto right = x / x.narrow(1, 3, 1);
  x.div_(x.narrow(1, 3, 1));
  judge::require(sameValues(x, right));
}

CASE(halves) {
  auto x = counted(1, 10).view({10});
  auto right = x.narrow(0, 0, 5) + x.narrow(0, 5, 5);
  x.narrow(0, 0, 5).add_(x.narrow(0, 5, 5));
  judge::require(sameValues(x.narrow(0, 0, 5), right));
}

CASE(firstColumn) {
  auto x = torch::ones({3, 4}) * 2;
  auto right = x - x.narrow(1, 0, 1);
  x.sub_(x.narrow(1, 0, 1)); // overwrites: sub_
#ifdef JUDGE_LIBTORCH
  judge::require(!sameValues(x, right)); // the runtime may read in time
#endif
}

CASE(windows) {
  auto x = torch::zeros({6});
  x.unfold(0, 3, 1).add_(1); // overwrites: add_
  judge::require(!sameValues(x, torch::ones({6})));
}

CASE(lower) {
  auto x = torch::ones({1, 4}).expand({4, 4});
  x.tril_(); // overwrites: tril_
  judge::require(x.sum().item<float>() == 4);
}

CASE(assignedHandle) {
  auto x = torch::zeros({2, 3});
  auto row = x[0];
  row = torch::ones({3}); // lost: =
  judge::require(x.sum().item<float>() == 0);
}

CASE(assignedElements) {
  auto x = torch::zeros({2, 3});
  auto row = x[0];
  row.copy_(torch::ones({3}));
  judge::require(x.sum().item<float>() == 3);
}

CASE(masked) {
  auto x = torch::zeros({4});
  x.index({torch::arange(4) > 1}).fill_(1); // lost: fill_
  judge::require(x.sum().item<float>() == 0);
}

CASE(convertedCopy) {
  auto x = torch::zeros({4});
  x.to(at::kDouble).add_(1); // lost: add_
  judge::require(x.sum().item<float>() == 0);
}

CASE(denseCopy) {
  auto x = torch::zeros({2, 3}).t();
  auto dense = x.contiguous();
  dense.add_(1); // lost: add_
  judge::require(x.sum().item<float>() == 0);
}

CASE(movedTemporaries) {
  std::vector<at::Tensor> all = {torch::zeros({2}), torch::zeros({2})};
  for (auto t : all)
    t = t + 1; // lost: =
  judge::require(all[0].sum().item<float>() == 0);
}

CASE(accessorRank) {
  auto x = torch::zeros({3, 4});
  auto a = x.accessor<float, 3>(); // mismatch: accessor
  judge::require(a[0][0][0] == 0);
}

CASE(accessorType) {
  auto x = torch::zeros({3, 4});
  auto a = x.accessor<double, 2>(); // mismatch: accessor
  judge::require(a[0][0] == 0);
}

CASE(inPlaceRank) {
  auto x = torch::zeros({3});
  x.add_(torch::ones({1, 3})); // mismatch: add_
}

CASE(inPlaceSize) {
  auto x = torch::zeros({5, 1});
  x.mul_(torch::ones({5, 20})); // mismatch: mul_
}

CASE(assignedRow) {
  auto x = torch::zeros({2, 3});
  x[0] = torch::ones({2}); // mismatch: copy_
}

CASE(fractionsOfIntegers) {
  auto x = torch::arange(4);
  x.mul_(0.5); // mismatch: mul_
}

CASE(dividedIntegers) {
  auto x = torch::arange(4);
  x.div_(2); // mismatch: div_
}

CASE(functionsOfIntegers) {
  auto x = torch::arange(4);
  x.pow_(2);
  x.clamp_(0, 3);
  x.eq_(torch::ones({4}));
  x.exp_(); // mismatch: exp_
}

CASE(boundsOfIntegers) {
  auto x = torch::arange(4);
  x.clamp_(0.5, 2.5); // mismatch: clamp_
}

CASE(nothingIsWrittenTwice) {
  auto x = torch::zeros({1, 0, 2}).expand({3, 0, 2});
  x.add_(1);
  torch::zeros({1, 2}).expand({3, 2}).add_(1); // overlaps: add_
}

CASE(putIntegersIntoFloats) {
  auto x = torch::zeros({3, 4});
  auto counts = torch::arange(8).view({2, 4});
  x.index_put_({Slice(0, 2)}, counts); // copies, which converts
  x.index_put_({2}, counts[0]);
  x.index_put_({true}, counts[1]);
  x.index_put_({torch::tensor({0, 1})}, counts); // mismatch: index_put_
}

CASE(resizedToAFormat) {
  auto x = torch::zeros({2, 4, 3, 5});
  x.resize_({2, 3, 4, 5}, at::MemoryFormat::ChannelsLast);
  judge::require(x.stride(1) == 1);
  x.view({2, 60}); // throws: view
}
