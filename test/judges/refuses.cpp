//===- refuses.cpp - what every operation refuses -------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "judge.h"

CASE(permuteLength) {
  auto x = torch::zeros({2, 3, 4});
  x.permute({0, 1}); // mismatch: permute
}

CASE(permuteRepeat) {
  auto x = torch::zeros({2, 3, 4});
  x.permute({0, 1, 1}); // mismatch: permute
}

CASE(permuteRange) {
  auto x = torch::zeros({2, 3, 4});
  x.permute({0, 1, 3}); // mismatch: permute
}

CASE(transposeRange) {
  auto x = torch::zeros({2, 3, 4});
  x.transpose(0, 3); // mismatch: transpose
}

CASE(transposeNegativeRange) {
  auto x = torch::zeros({2, 3, 4});
  x.transpose(-4, 0); // mismatch: transpose
}

CASE(tOfThree) {
  auto x = torch::zeros({2, 3, 4});
  x.t(); // mismatch: t
}

CASE(mTOfVector) {
  auto x = torch::zeros({3});
  x.mT(); // mismatch: mT
}

CASE(movedimRepeat) {
  auto x = torch::zeros({2, 3, 4});
  x.movedim({0, 0}, {1, 2}); // mismatch: movedim
}

CASE(movedimLength) {
  auto x = torch::zeros({2, 3, 4});
  x.movedim({0, 1}, {2}); // mismatch: movedim
}

CASE(selectRange) {
  auto x = torch::zeros({2, 3, 4});
  x.select(1, 3); // mismatch: select
}

CASE(selectNegativeRange) {
  auto x = torch::zeros({2, 3, 4});
  x.select(1, -4); // mismatch: select
}

CASE(selectOfScalar) {
  auto x = torch::zeros({2}).sum();
  x.select(0, 0); // mismatch: select
}

CASE(rowRange) {
  auto x = torch::zeros({2, 3, 4});
  x[2]; // mismatch: select
}

CASE(narrowEnd) {
  auto x = torch::zeros({2, 3, 4});
  x.narrow(1, 2, 2); // mismatch: narrow
}

CASE(narrowStart) {
  auto x = torch::zeros({2, 3, 4});
  x.narrow(1, 4, 0); // mismatch: narrow
}

CASE(narrowOfScalar) {
  auto x = torch::zeros({2}).sum();
  x.narrow(0, 0, 1); // mismatch: narrow
}

CASE(sliceStep) {
  auto x = torch::zeros({2, 3, 4});
  x.slice(0, 0, 2, 0); // mismatch: slice
}

CASE(sliceOfScalar) {
  auto x = torch::zeros({2}).sum();
  x.slice(0, 0, 1); // mismatch: slice
}

CASE(expandSize) {
  auto x = torch::zeros({2, 3, 4});
  x.expand({2, 4, 4}); // mismatch: expand
}

CASE(expandRank) {
  auto x = torch::zeros({2, 3, 4});
  x.expand({3, 4}); // mismatch: expand
}

CASE(expandNegative) {
  auto x = torch::zeros({2, 3, 4});
  x.expand({-1, 2, 3, 4}); // mismatch: expand
}

CASE(squeezeRange) {
  auto x = torch::zeros({2, 3, 4});
  x.squeeze(3); // mismatch: squeeze
}

CASE(unsqueezeRange) {
  auto x = torch::zeros({2, 3, 4});
  x.unsqueeze(4); // mismatch: unsqueeze
}

CASE(unfoldSize) {
  auto x = torch::zeros({2, 3, 4});
  x.unfold(2, 5, 1); // mismatch: unfold
}

CASE(unfoldStep) {
  auto x = torch::zeros({2, 3, 4});
  x.unfold(2, 2, 0); // mismatch: unfold
}

CASE(unflattenCount) {
  auto x = torch::zeros({2, 3, 4});
  x.unflatten(2, {3, 2}); // mismatch: unflatten
}

CASE(diagonalSame) {
  auto x = torch::zeros({2, 3, 4});
  x.diagonal(0, 1, 1); // mismatch: diagonal
}

CASE(asStridedStorage) {
  auto x = torch::zeros({2, 3, 4});
  x.as_strided({100}, {1}); // mismatch: as_strided
}

CASE(asStridedNegative) {
  auto x = torch::zeros({2, 3, 4});
  x.as_strided({2}, {-1}); // mismatch: as_strided
}

CASE(asStridedLength) {
  auto x = torch::zeros({2, 3, 4});
  x.as_strided({2, 2}, {1}); // mismatch: as_strided
}

CASE(splitZero) {
  auto x = torch::zeros({2, 3, 4});
  x.split(0, 1); // mismatch: split
}

CASE(splitSum) {
  auto x = torch::zeros({2, 3, 4});
  x.split_with_sizes({1, 1}, 1); // mismatch: split_with_sizes
}

CASE(chunkZero) {
  auto x = torch::zeros({2, 3, 4});
  x.chunk(0, 1); // mismatch: chunk
}

CASE(unbindOfScalar) {
  auto x = torch::zeros({2}).sum();
  x.unbind(0); // refuses: unbind
}

CASE(flattenOrder) {
  auto x = torch::zeros({2, 3, 4});
  x.flatten(2, 1); // mismatch: flatten
}

CASE(viewCount) {
  auto x = torch::zeros({2, 3, 4});
  x.reshape({5, 5}); // mismatch: reshape
}

CASE(reshapeTwoInferred) {
  auto x = torch::zeros({2, 3, 4});
  x.reshape({-1, -1}); // mismatch: reshape
}

CASE(reshapeAmbiguous) {
  auto x = torch::zeros({2, 0});
  x.reshape({-1, 0}); // mismatch: reshape
}

CASE(reshapeNegative) {
  auto x = torch::zeros({2, 3, 4});
  x.reshape({-2, 24}); // mismatch: reshape
}

CASE(viewDtypeOdd) {
  auto x = torch::zeros({2, 3, 4});
  auto y = x.narrow(2, 0, 3);
  y.view(torch::kDouble); // mismatch: view
}

CASE(formatRank) {
  auto x = torch::zeros({2, 3, 4});
  x.contiguous(at::MemoryFormat::ChannelsLast); // mismatch: contiguous
}

CASE(cloneFormatRank) {
  auto x = torch::zeros({2, 3, 4});
  x.clone(at::MemoryFormat::ChannelsLast); // refuses: clone
}

CASE(repeatRank) {
  auto x = torch::zeros({2, 3, 4});
  x.repeat({2, 2}); // mismatch: repeat
}

CASE(flipRepeat) {
  auto x = torch::zeros({2, 3, 4});
  x.flip({0, 0}); // refuses: flip
}

CASE(rollAlign) {
  auto x = torch::zeros({2, 3, 4});
  x.roll({1, 2}, {0}); // refuses: roll
}

CASE(trilOfVector) {
  auto x = torch::zeros({3});
  x.tril(); // mismatch: tril
}

CASE(addSizes) {
  auto x = torch::zeros({2, 3}), y = torch::zeros({2, 4});
  x + y; // mismatch: add
}

CASE(inPlaceWiden) {
  auto x = torch::zeros({3}), y = torch::zeros({2, 3});
  x.add_(y); // mismatch: add_
}

CASE(inPlaceFloatIntoInt) {
  auto x = torch::zeros({3}, torch::kInt);
  x.add_(1.5); // mismatch: add_
}

CASE(copySizes) {
  auto x = torch::zeros({3}), y = torch::zeros({4});
  x.copy_(y); // mismatch: copy_
}

CASE(expandedAdd) {
  auto x = torch::zeros({3, 1}).expand({3, 4});
  x.add_(1); // overlaps: add_
}

CASE(expandedCopy) {
  auto x = torch::zeros({3, 1}).expand({3, 4});
  x.copy_(torch::ones({3, 4})); // overlaps: copy_
}

CASE(turnedOverlap) {
  auto x = torch::zeros({3, 3});
  x.add_(x.t()); // overlaps: add_
}

CASE(turnedCopy) {
  auto x = torch::zeros({3, 3});
  x.copy_(x.t()); // overlaps: copy_
}

CASE(shiftedOverlap) {
  auto x = torch::zeros({8});
  auto y = x.slice(0, 0, 6);
  y.mul_(x.slice(0, 2, 8)); // overlaps: mul_
}

CASE(rowsMoveUp) {
  auto x = torch::zeros({5, 3});
  x.slice(0, 0, -1).copy_(x.slice(0, 1)); // overlaps: copy_
}

CASE(rowsMoveDown) {
  auto x = torch::zeros({5, 3});
  x.narrow(0, 1, 4) = x.narrow(0, 0, 4); // overlaps: copy_
}

CASE(outOverlap) {
  auto x = torch::zeros({8});
  auto y = x.slice(0, 0, 6);
  torch::add_out(y, x.slice(0, 2, 8), x.slice(0, 2, 8)); // overlaps: add_out
}

CASE(indexPutOverlap) {
  auto x = torch::zeros({8});
  x.index_put_({torch::arange(4)}, x.slice(0, 2, 6)); // overlaps: index_put_
}

CASE(matmulSizes) {
  auto x = torch::zeros({2, 3}), y = torch::zeros({2, 3});
  torch::matmul(x, y); // mismatch: matmul
}

CASE(matmulScalar) {
  auto x = torch::zeros({2, 3}).sum(), y = torch::zeros({2});
  torch::matmul(x, y); // mismatch: matmul
}

CASE(mmOfThree) {
  auto x = torch::zeros({2, 3, 4});
  x.mm(torch::zeros({4, 2})); // mismatch: mm
}

CASE(bmmBatches) {
  auto x = torch::zeros({2, 3, 4});
  x.bmm(torch::zeros({3, 4, 5})); // mismatch: bmm
}

CASE(mmTypes) {
  auto x = torch::zeros({2, 3}), y = torch::zeros({3, 2}, torch::kDouble);
  x.mm(y); // mismatch: mm
}

CASE(addmmBias) {
  auto x = torch::zeros({2, 3});
  torch::addmm(torch::zeros({4}), x, x.t()); // mismatch: expand
}

CASE(catSizes) {
  auto x = torch::zeros({2, 3, 4});
  torch::cat({x, torch::zeros({2, 4, 4})}, 2); // mismatch: cat
}

CASE(catRank) {
  auto x = torch::zeros({2, 3, 4});
  torch::cat({x, torch::zeros({3, 4})}, 0); // mismatch: cat
}

CASE(stackSizes) {
  auto x = torch::zeros({2, 3, 4});
  torch::stack({x, torch::zeros({2, 3, 5})}); // mismatch: stack
}

CASE(whereCondition) {
  auto x = torch::zeros({3});
  torch::where(x, x, x); // mismatch: where
}

CASE(sumDims) {
  auto x = torch::zeros({2, 3, 4});
  x.sum(at::IntArrayRef{0, 0}); // refuses: sum
}

CASE(sumRange) {
  auto x = torch::zeros({2, 3, 4});
  x.sum(3); // mismatch: sum
}

CASE(meanOfInts) {
  auto x = torch::zeros({3}, torch::kLong);
  x.mean(); // mismatch: mean
}

CASE(amaxOfNothing) {
  auto x = torch::zeros({2, 0});
  x.amax(1); // refuses: amax
}

CASE(softmaxRange) {
  auto x = torch::zeros({2, 3, 4});
  torch::softmax(x, 3); // mismatch: softmax
}

CASE(layerNormShape) {
  auto x = torch::zeros({2, 3, 4});
  torch::layer_norm(x, {3}); // mismatch: layer_norm
}

CASE(topkRange) {
  auto x = torch::zeros({2, 3, 4});
  x.topk(5); // mismatch: topk
}

CASE(indexRange) {
  auto x = torch::zeros({2, 3, 4});
  x.index({torch::tensor({2})}); // refuses: index
}

CASE(indexTooMany) {
  auto x = torch::zeros({2, 3, 4});
  x.index({0, 0, 0, 0}); // mismatch: index
}

CASE(indexSelectRange) {
  auto x = torch::zeros({2, 3, 4});
  x.index_select(1, torch::tensor({3})); // refuses: index_select
}

CASE(gatherType) {
  auto x = torch::zeros({2, 3, 4});
  x.gather(0, torch::zeros({2, 3, 4})); // mismatch: gather
}

CASE(maskShape) {
  auto x = torch::zeros({2, 3, 4});
  x.index({torch::ones({3}, torch::kBool)}); // mismatch: index
}

CASE(maskedSelectType) {
  auto x = torch::zeros({2, 3, 4});
  x.masked_select(torch::ones({2, 3, 4})); // mismatch: masked_select
}

CASE(itemOfMany) {
  auto x = torch::zeros({2, 3, 4});
  x.item(); // mismatch: item
}

CASE(accessorRank) {
  auto x = torch::zeros({2, 3, 4});
  x.accessor<float, 2>(); // mismatch: accessor
}

CASE(accessorType) {
  auto x = torch::zeros({2, 3, 4});
  x.accessor<double, 3>(); // mismatch: accessor
}

CASE(dataPtrType) {
  auto x = torch::zeros({2, 3, 4});
  x.data_ptr<double>(); // mismatch: data_ptr
}

CASE(negativeSize) {
  auto n = judge::number(-1);
  torch::zeros({2, n}); // refuses: zeros
}

CASE(resizeBorrowed) {
  float data[4] = {};
  auto x = torch::from_blob(data, {4});
  x.resize_({8}); // refuses: resize_
}

CASE(convChannels) {
  auto x = torch::zeros({1, 3, 5, 5}), w = torch::zeros({2, 4, 3, 3});
  torch::conv2d(x, w); // mismatch: conv2d
}

CASE(convKernel) {
  auto x = torch::zeros({1, 3, 5, 5}), w = torch::zeros({2, 3, 6, 6});
  torch::conv2d(x, w); // mismatch: conv2d
}

CASE(poolSize) {
  auto x = torch::zeros({1, 3, 5, 5});
  torch::max_pool2d(x, 6); // mismatch: max_pool2d
}

CASE(einsumSizes) {
  auto x = torch::zeros({2, 3});
  torch::einsum("ij,jk->ik", {x, x}); // mismatch: einsum
}

CASE(inPlaceBool) {
  auto x = torch::ones({3}, torch::kBool);
  x - x; // mismatch: sub
}

CASE(divideByZero) {
  auto x = torch::ones({3}, torch::kLong);
  torch::floor_divide(x, torch::zeros({3}, torch::kLong)); // refuses: Zero
}
