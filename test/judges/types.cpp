//===- types.cpp - element types, and what lists and windows hold ---------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "judge.h"

using torch::indexing::Slice;

CASE(typeMean) {
  auto x = torch::tensor({1, 2, 3});
  x.to(torch::kFloat).mean();
  x.mean(); // mismatch: mean
}

CASE(typeStd) {
  auto x = torch::arange(4);
  (x * 0.5).std();
  (x / 2).std();
  x.std(); // mismatch: std
}

CASE(typeMeanOfMatches) {
  auto hits = torch::zeros({4, 3}).argmax(1) == torch::zeros({4}, torch::kLong);
  hits.to(torch::kFloat).mean();
  hits.mean(); // mismatch: mean
}

CASE(typeSumOfMask) {
  auto mask = torch::zeros({4}) < 1;
  auto count = mask.sum();
  (count / 4.0).mean();
  count.mean(); // mismatch: mean
}

CASE(typeSubMask) {
  auto mask = torch::zeros({4}) < 1;
  mask.logical_not();
  mask.to(torch::kFloat) - 1;
  1 - mask; // mismatch: sub
}

CASE(typeSubTwoMasks) {
  auto mask = torch::zeros({4}) < 1;
  mask ^ mask;
  mask - mask; // mismatch: sub
}

CASE(typeNegMask) {
  auto mask = torch::zeros({4}) < 1;
  -mask; // mismatch: neg
}

CASE(typeNotOfFloats) {
  auto x = torch::zeros({4});
  ~(x < 1);
  ~x; // mismatch: bitwise_not
}

CASE(typeMatmulLiteral) {
  auto a = torch::zeros({2, 2}, torch::kDouble);
  a.mm(torch::tensor({{1.0, 2.0}, {3.0, 4.0}}, torch::kDouble));
  a.mm(torch::tensor({{1.0, 2.0}, {3.0, 4.0}})); // mismatch: mm
}

CASE(typeArangeTimesFloat) {
  auto rows = torch::arange(3).unsqueeze(1);
  auto row = torch::zeros({1, 4});
  (rows * 1.0).mm(row);
  (rows + row).mm(row.t());
  rows.mm(row); // mismatch: mm
}

CASE(typePutElements) {
  auto x = torch::zeros({4, 5});
  auto rows = torch::tensor({0, 2});
  x.index_put_({rows}, torch::ones({2, 5}));
  auto y = torch::ones({2, 5}, torch::kDouble);
  x.index_put_({rows}, y); // mismatch: index_put_
}

CASE(typeSoftmaxOfIntegers) {
  auto x = torch::zeros({2, 3}, torch::kLong);
  x.to(torch::kFloat).softmax(1);
  x.softmax(1); // mismatch: softmax
}

CASE(listShort) {
  auto parts = torch::zeros({4, 30}).chunk(3, 1);
  parts.at(2).view({4, 10});
  (void)parts.at(3); // mismatch: vector
}

CASE(putSlices) {
  auto x = torch::zeros({3, 64, 64});
  auto patch = torch::ones({3, 20, 30});
  x.index_put_({Slice(), Slice(0, 20), Slice(0, 30)}, patch);
  const int64_t h = 30, w = 20;
  x.index_put_({Slice(), Slice(0, h), Slice(0, w)}, patch); // mismatch: expand
}

CASE(putMask) {
  auto image = torch::zeros({3, 8, 8});
  auto one = torch::ones({});
  image.index_put_({Slice(), torch::zeros({8, 8}) < 1}, one);
  auto half = torch::zeros({8, 4}) < 1;
  image.index_put_({Slice(), half}, one); // mismatch: index
}

CASE(typeOfBounds) {
  auto x = torch::arange(6).view({2, 3});
  auto w = torch::zeros({3, 2});
  x.clamp(0.5).mm(w);
  x.clamp_min(1.5).mm(w);
  torch::where(x > 2, x, 0.5).mm(w);
  torch::where(x > 2, 1, 0.5).mm(w);
  x.float_power(2).mm(w.to(torch::kDouble));
  x.clamp(0, 3).mm(w); // mismatch: mm
}

CASE(typeOfQuotients) {
  auto x = torch::arange(6).view({2, 3});
  auto w = torch::zeros({3, 2});
  x.div(2).mm(w);
  x.div(2, "floor").mm(w); // mismatch: mm
}

CASE(typeOfPositions) {
  auto x = torch::zeros({1, 1, 4, 4});
  auto best = torch::max_pool2d_with_indices(x, 2);
  std::get<0>(best).mean();
  std::get<1>(best).mean(); // mismatch: mean
}

// Without autocast, which converts floats and halves, these throw.
CASE(typeProductOfHalf) {
  auto x = torch::zeros({2, 4}, torch::kHalf), w = torch::zeros({4, 3});
  torch::mm(x.to(torch::kFloat), w);
  torch::mm(x, w); // mismatch: mm
}

CASE(typeProductOfBFloat) {
  auto x = torch::zeros({2, 4}, torch::kBFloat16), w = torch::zeros({4, 3});
  torch::matmul(x, w.to(torch::kBFloat16));
  torch::matmul(x, w); // mismatch: matmul
}

CASE(typeLinearOfHalf) {
  auto x = torch::zeros({2, 4}), w = torch::zeros({3, 4}, torch::kHalf);
  torch::linear(x, w.to(torch::kFloat));
  torch::linear(x, w); // mismatch: linear
}

CASE(typeConvolutionOfHalf) {
  auto x = torch::zeros({1, 2, 4, 4}, torch::kHalf);
  auto w = torch::zeros({3, 2, 3, 3});
  torch::conv2d(x.to(torch::kFloat), w);
  torch::conv2d(x, w); // mismatch: conv2d
}

CASE(typeBatchesOfDouble) {
  auto x = torch::zeros({1, 2, 4}, torch::kDouble), w = torch::zeros({1, 4, 3});
  auto bias = torch::zeros({1, 2, 3});
  torch::baddbmm(bias, x.to(torch::kFloat), w);
  torch::baddbmm(bias, x, w); // mismatch: bmm
}

CASE(typeSoftmaxFunction) {
  auto x = torch::arange(4);
  torch::softmax(x, 0, torch::kFloat);
  torch::softmax(x, 0); // mismatch: softmax
}

CASE(typeGradientOfIntegers) {
  auto x = torch::arange(4);
  x.to(torch::kFloat).set_requires_grad(true);
  x.set_requires_grad(false);
  x.requires_grad_(true); // mismatch: requires_grad_
}

CASE(typeTargetOfIntegers) {
  auto x = torch::ones({4}), target = torch::ones({4}, torch::kLong);
  torch::binary_cross_entropy(x, target.to(torch::kFloat));
  torch::binary_cross_entropy(x, target); // mismatch: binary_cross_entropy
}

CASE(writtenByIndices) {
  auto x = torch::zeros({5, 6}), rows = torch::zeros({2}, torch::kLong);
  x.index_put_({rows}, torch::ones({2, 6}));
  x.index_put_({rows}, torch::ones({6}));
  x.index_put_({rows}, torch::ones({1, 2, 6}));
  x.index_put_({rows, rows}, torch::ones({2}));
  x.index_put_({rows}, torch::ones({3, 6})); // mismatch: expand
}
