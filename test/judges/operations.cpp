//===- operations.cpp - each operation, then view or contiguous ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "judge.h"

using at::MemoryFormat;
using judge::number;
using judge::same;

CASE(opPermute) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.permute({1, 0, 2});
  y.view(-1); // throws: view
}

CASE(opPermuteIdentity) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.permute({0, 1, 2});
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opSwapdims) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.swapdims(0, 2);
  y.view({4, 6}); // throws: view
}

CASE(opMoveaxis) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.moveaxis(2, 0);
  y.view({8, 3}); // throws: view
}

CASE(opSelectMiddle) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.select(1, 0);
  y.view(8); // throws: view
}

CASE(opSelectFirst) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.select(0, 1);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opRow) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x[1];
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opNarrowMiddle) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.narrow(1, 0, 2);
  y.view(16); // throws: view
}

CASE(opNarrowWhole) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.narrow(1, 0, 3);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opSliceStep) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.slice(2, 0, 4, 3);
  y.view(-1); // throws: view
}

CASE(opExpand) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.unsqueeze(1).expand({2, 5, 3, 4});
  y.view({10, 12}); // throws: view
}

CASE(opExpandAs) {
  auto x = torch::zeros({2, 3, 4});
  auto y = torch::zeros({3, 1}).expand_as(torch::ones({3, 4}));
  y.view(12); // throws: view
}

CASE(opSqueeze) {
  auto x = torch::zeros({2, 3, 4});
  auto y = torch::zeros({1, 3, 1}).squeeze();
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opUnsqueeze) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.unsqueeze(1);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opUnfold) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.unfold(2, 3, 1);
  y.view(-1); // throws: view
}

CASE(opUnflatten) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.unflatten(2, {2, 2});
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opDiagonal) {
  auto x = torch::zeros({2, 3, 4});
  auto y = torch::zeros({3, 3, 2}).diagonal().t();
  y.view(6); // throws: view
}

CASE(opAsStrided) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.as_strided({3, 3}, {5, 1});
  y.view(9); // throws: view
}

CASE(opSplit) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.split(2, 1)[0];
  y.view(16); // throws: view
}

CASE(opUnbind) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.unbind(1)[0];
  y.view(8); // throws: view
}

CASE(opTensorSplit) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.tensor_split(2, 2)[0];
  y.view(12); // throws: view
}

CASE(opFlatten) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 1).flatten();
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opReshapeView) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.reshape({6, 4});
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opReshapeCopy) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 2).reshape({6, 4});
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opRelu) {
  auto x = torch::zeros({2, 3, 4});
  auto y = torch::relu(x.transpose(0, 1));
  y.view(24); // throws: view
}

CASE(opNeg) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 1).neg();
  y.view(24); // throws: view
}

CASE(opExp) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 1).exp();
  y.view(24); // throws: view
}

CASE(opSum) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 1).sum(0);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opMean) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 2).mean(1, true);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opSoftmax) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 2).softmax(-1);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opMatmul) {
  auto x = torch::zeros({2, 3, 4});
  auto y = torch::matmul(x, torch::ones({4, 5}));
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opBmm) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.bmm(torch::ones({2, 4, 5}));
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opCat) {
  auto x = torch::zeros({2, 3, 4});
  auto y = torch::cat({x.transpose(0, 1), x.transpose(0, 1)}, 0);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opStack) {
  auto x = torch::zeros({2, 3, 4});
  auto y = torch::stack({x.transpose(0, 1), x.transpose(0, 1)});
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opRepeat) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 1).repeat({1, 1, 1});
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opIndexSelect) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 1).index_select(0, torch::arange(2));
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opZerosLikeFormat) {
  auto x = torch::zeros({2, 3, 4});
  auto y = torch::zeros_like(x.transpose(0, 1), x.options(),
                             MemoryFormat::Contiguous);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opZerosLike) {
  auto x = torch::zeros({2, 3, 4});
  auto y = torch::zeros_like(x.transpose(0, 1));
  y.view(24); // throws: view
}

CASE(opNewZeros) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 1).new_zeros({3, 4});
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opCloneContiguous) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 1).clone(MemoryFormat::Contiguous);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opToType) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 1).to(torch::kDouble);
  y.view(24); // throws: view
}

CASE(opCumsum) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 1).cumsum(0);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opMaskedFill) {
  auto x = torch::zeros({2, 3, 4});
  auto y =
      x.transpose(0, 1).masked_fill(torch::zeros({3, 2, 4}, torch::kBool), 1);
  same(y, y.contiguous()); // no-op: contiguous
}

CASE(opWhere) {
  auto x = torch::zeros({2, 3, 4});
  auto y =
      torch::where(x.transpose(0, 1) > 0, x.transpose(0, 1), x.transpose(0, 1));
  y.view(24); // throws: view
}

CASE(opInPlaceKeepsLayout) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.transpose(0, 1);
  y.add_(1);
  y.mul_(2);
  y.view(24); // throws: view
}

CASE(opTransposeInPlace) {
  auto x = torch::zeros({2, 3, 4});
  x.transpose_(0, 1);
  x.view(24); // throws: view
}

CASE(opUnsqueezeInPlace) {
  auto x = torch::zeros({2, 3, 4});
  x.unsqueeze_(0);
  same(x, x.contiguous()); // no-op: contiguous
}

CASE(opCopyKeepsLayout) {
  auto x = torch::zeros({2, 3, 4});
  auto y = torch::zeros({3, 2, 4}).transpose(0, 1);
  y.copy_(x);
  y.view(24); // throws: view
}
