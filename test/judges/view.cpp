//===- view.cpp - cases on view() -----------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "judge.h"

using at::MemoryFormat;
using judge::number;
using torch::indexing::None;
using torch::indexing::Slice;

CASE(transposed) {
  auto y = torch::zeros({2, 3}).t();
  y.view(-1); // throws: view
}

CASE(transposedBack) {
  auto y = torch::zeros({2, 3}).t().t();
  y.view(-1);
}

CASE(transposedSymbolic) {
  auto a = number(2), b = number(3), c = number(4);
  auto y = torch::zeros({a, b, c}).transpose(1, 2);
  y.view({a, c, b});
}

CASE(permutedMerge) {
  auto a = number(2), b = number(3), c = number(4);
  auto y = torch::zeros({a, b, c}).permute({0, 2, 1});
  y.view({a, b * c}); // throws: view
}

CASE(permutedLegalMerge) {
  auto a = number(2), b = number(3), c = number(4);
  auto y = torch::zeros({a, b, c}).permute({2, 0, 1});
  y.view({c, a * b});
}

CASE(permutedSplit) {
  auto a = number(2), b = number(3);
  auto y = torch::zeros({a, b, 6}).permute({1, 0, 2});
  y.view({b, a, 2, 3});
}

CASE(movedDim) {
  auto y = torch::zeros({2, 3, 4}).movedim(0, 2);
  y.view({3, 8}); // throws: view
}

CASE(swappedAxes) {
  auto y = torch::zeros({2, 3}).swapaxes(0, 1);
  y.view({2, 3}); // throws: view
}

CASE(matrixTransposed) {
  auto y = torch::zeros({2, 3, 4}).mT();
  y.view({2, -1}); // throws: view
}

CASE(narrowedColumns) {
  auto y = torch::zeros({3, 8}).narrow(1, 2, 4);
  y.view(12); // throws: view
}

CASE(narrowedRows) {
  auto y = torch::zeros({3, 8}).narrow(0, 1, 2);
  y.view(16);
}

CASE(narrowedOneRow) {
  auto y = torch::zeros({1, 8}).narrow(1, 2, 4);
  y.view(4);
}

CASE(steppedVector) {
  auto y = torch::zeros({12}).slice(0, 0, 12, 2);
  y.view({2, 3});
}

CASE(steppedMatrix) {
  auto y = torch::zeros({6, 6}).index({Slice(None, None, 2), Slice()});
  y.view(-1); // throws: view
}

CASE(selectedRow) {
  auto y = torch::zeros({3, 4, 5}).select(0, 1);
  y.view(20);
}

CASE(selectedColumn) {
  auto y = torch::zeros({3, 4, 5}).select(1, 2);
  y.view(15); // throws: view
}

CASE(chunkedColumns) {
  auto parts = torch::zeros({3, 8}).chunk(2, 1);
  parts[1].view({3, 2, 2});
  parts[1].view(12); // throws: view
}

CASE(chunkedRows) {
  auto parts = torch::zeros({4, 3}).chunk(2, 0);
  parts[1].view(6);
}

CASE(expandedColumn) {
  auto y = torch::zeros({3, 1}).expand({3, 4});
  y.view(12); // throws: view
}

CASE(expandedTwice) {
  auto y = torch::zeros({4}).expand({2, 3, 4});
  y.view({6, 4});
}

CASE(expandedScalar) {
  auto y = torch::zeros({1}).expand({3, 4});
  y.view(12);
}

CASE(overlappingWindows) {
  auto y = torch::zeros({10}).unfold(0, 4, 2);
  y.view(16); // throws: view
}

CASE(adjacentWindows) {
  auto y = torch::zeros({12}).unfold(0, 4, 4);
  y.view(12);
}

CASE(channelsLast) {
  auto y = torch::zeros({2, 3, 4, 5}).contiguous(MemoryFormat::ChannelsLast);
  y.view({2, 3, 20});
  y.view({2, 60}); // throws: view
}

CASE(channelsLastPixels) {
  auto y = torch::zeros({2, 3, 4, 5}).contiguous(MemoryFormat::ChannelsLast);
  auto z = y.permute({0, 2, 3, 1});
  z.view({40, 3});
}

CASE(oneChannel) {
  auto x = torch::zeros({2, 1, 4, 5});
  auto y = x.contiguous(MemoryFormat::ChannelsLast); // no-op: contiguous
  judge::same(x, y);
  y.view({2, 20});
}

CASE(turnedInPlace) {
  auto x = torch::zeros({2, 3});
  auto y = x;
  y.t_();
  x.view(6); // throws: view
}

CASE(viewTurnedInPlace) {
  auto x = torch::zeros({2, 3});
  auto y = x.view({2, 3});
  y.t_();
  x.view(6);
}

CASE(clonedTranspose) {
  auto y = torch::zeros({2, 3}).t().clone();
  y.view(6); // throws: view
}

CASE(scaledTranspose) {
  auto y = torch::ones({2, 3}).t() * 2;
  y.view(6); // throws: view
}

CASE(denseFirst) {
  auto y = torch::ones({3, 2}) + torch::ones({2, 3}).t();
  y.view(6);
}

CASE(denseSecond) {
  auto y = torch::ones({2, 3}).t() + torch::ones({3, 2});
  y.view(6); // throws: view
}

CASE(packedByArithmetic) {
  auto y = torch::ones({3, 8}).narrow(1, 0, 4) + 1;
  y.view(12);
}

CASE(likeTranspose) {
  auto y = torch::empty_like(torch::zeros({2, 3}).t());
  y.view(6); // throws: view
}

CASE(emptyTranspose) {
  auto y = torch::zeros({0, 3}).t();
  y.view(0);
}

CASE(rowVector) {
  auto n = number(5);
  auto y = torch::zeros({1, n}).t();
  y.view(-1);
}

CASE(headsMerged) {
  auto B = number(2), T = number(3), H = number(2), D = number(4);
  auto q = torch::rand({B, T, H * D});
  auto heads = q.view({B, T, H, D}).transpose(1, 2);
  heads.transpose(1, 2).view({B, T, H * D});
  auto scores = torch::matmul(heads, heads.transpose(2, 3));
  auto ctx = torch::matmul(scores, heads).transpose(1, 2);
  ctx.view({B, T, H * D}); // throws: view
}

CASE(branches) {
  auto turn = judge::flag(true);
  auto y = torch::zeros({2, 3});
  if (turn)
    y = y.t();
  if (!turn)
    y.view(6);
  if (y.is_contiguous())
    y.view(6);
  y.view(6); // throws: view
}

CASE(viewAs) {
  auto flat = torch::zeros({6});
  auto y = torch::zeros({2, 3}).t();
  y.view_as(torch::ones({3, 2}));
  y.view_as(flat); // throws: view
}

CASE(laterIteration) {
  auto y = torch::zeros({2, 3});
  for (int64_t i = 0; i < number(2); ++i) {
    y.view(6); // throws: view
    y = y.t();
  }
}
