//===- contiguous.cpp - cases on contiguous() -----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "judge.h"

using at::MemoryFormat;
using judge::copied;
using judge::number;
using judge::same;

CASE(fresh) {
  auto y = torch::zeros({number(2), number(3)});
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(transposedCopy) {
  auto y = torch::zeros({2, 3}).t();
  copied(y, y.contiguous());
}

CASE(second) {
  auto y = torch::zeros({2, 3}).t().contiguous();
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(rows) {
  auto y = torch::zeros({4, 3}).narrow(0, 1, 2);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(columns) {
  auto y = torch::zeros({4, 3}).narrow(1, 1, 2);
  copied(y, y.contiguous());
}

CASE(column) {
  auto y = torch::zeros({4, 3}).select(1, 1);
  copied(y, y.contiguous());
}

CASE(oneRow) {
  auto y = torch::zeros({1, 3}).narrow(1, 1, 2);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(sumOfDense) {
  auto y = torch::ones({2, 3}) + torch::ones({3});
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(sumOfTransposed) {
  auto y = torch::ones({2, 3}).t() + 1;
  copied(y, y.contiguous());
}

CASE(product) {
  auto y = torch::matmul(torch::ones({2, 3}).t(), torch::ones({2, 4}));
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(otherFormat) {
  auto y = torch::zeros({2, 3, 4, 5}).contiguous(MemoryFormat::ChannelsLast);
  copied(y, y.contiguous());
}

CASE(sameFormat) {
  auto y = torch::zeros({2, 3, 4, 5}).contiguous(MemoryFormat::ChannelsLast);
  same(y, y.contiguous(MemoryFormat::ChannelsLast)); // no-op: contiguous
}

CASE(permutedIntoFormat) {
  auto y = torch::zeros({2, 4, 5, 3}).permute({0, 3, 1, 2});
  same(y, y.contiguous(MemoryFormat::ChannelsLast)); // no-op: contiguous
}

CASE(oneChannelBothFormats) {
  auto y = torch::zeros({2, 1, 4, 5});
  same(y, y.contiguous(MemoryFormat::ChannelsLast)); // no-op: contiguous
}

CASE(onePixelBothFormats) {
  auto y = torch::zeros({2, 3, 1, 1});
  same(y, y.contiguous(MemoryFormat::ChannelsLast)); // no-op: contiguous
}

CASE(expanded) {
  auto y = torch::zeros({3, 1}).expand({3, 4});
  copied(y, y.contiguous());
}

CASE(guarded) {
  auto x = torch::zeros({2, 3});
  if (judge::flag(true))
    x = x.t();
  if (!x.is_contiguous())
    x = x.contiguous();
  same(x, x.contiguous()); // no-op: contiguous
}

CASE(viewOfReshape) {
  auto y = torch::zeros({2, 3}).t().reshape({6});
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(reshapeKeepsStride) {
  auto y = torch::zeros({6, 2}).select(1, 0).reshape({2, 3});
  copied(y, y.contiguous());
}
