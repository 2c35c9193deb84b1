//===- layouts.cpp - sizes, strides, offsets, sharing ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "judge.h"
#ifndef JUDGE_LIBTORCH
#include <string>
#include <tensortidy/release.h>
#endif

/// Whether the judge is libtorch of this release or a later one.
static bool since(int Major, int Minor) {
#ifdef JUDGE_LIBTORCH
  const int HasMajor = TORCH_VERSION_MAJOR, HasMinor = TORCH_VERSION_MINOR;
#else
  const std::string Release = tensortidy::libtorch();
  const int HasMajor = std::stoi(Release),
            HasMinor = std::stoi(Release.substr(Release.find('.') + 1));
#endif
  return HasMajor != Major ? HasMajor > Major : HasMinor >= Minor;
}

using at::MemoryFormat;
using judge::layout;
using torch::indexing::None;
using torch::indexing::Slice;

CASE(permuted) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.permute({2, 0, 1}), {4, 2, 3}, {1, 12, 4});
}

CASE(transposed) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.transpose(0, -1), {4, 3, 2}, {1, 4, 12});
}

CASE(moved) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.movedim(0, 1), {3, 2, 4}, {4, 12, 1});
}

CASE(selected) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.select(1, 2), {2, 4}, {12, 1}, 8);
  layout(x[1], {3, 4}, {4, 1}, 12);
}

CASE(sliced) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.slice(2, 1, 4, 2), {2, 3, 2}, {12, 4, 2}, 1);
}

CASE(slicedToOne) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.slice(1, 0, 5, 5), {2, 1, 4}, {12, 20, 1});
}

CASE(narrowed) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.narrow(1, 1, 2), {2, 2, 4}, {12, 4, 1}, 4);
}

CASE(expanded) {
  auto x = torch::zeros({3, 1});
  layout(x.expand({2, 3, 4}), {2, 3, 4}, {0, 1, 0});
}

CASE(expandedOfScalar) {
  auto x = torch::zeros({2}).sum();
  layout(x.expand({1, 2}), {1, 2}, {0, 0});
}

CASE(squeezed) {
  auto x = torch::zeros({1, 3, 1});
  layout(x.squeeze(), {3}, {1});
  layout(x.squeeze(0), {3, 1}, {1, 1});
}

CASE(unsqueezed) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.unsqueeze(1), {2, 1, 3, 4}, {12, 12, 4, 1});
  layout(x.unsqueeze(-1), {2, 3, 4, 1}, {12, 4, 1, 1});
}

CASE(unfolded) {
  auto x = torch::zeros({10});
  layout(x.unfold(0, 4, 3), {3, 4}, {3, 1});
}

CASE(unflattened) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.unflatten(2, {2, -1}), {2, 3, 2, 2}, {12, 4, 2, 1});
}

CASE(diagonals) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.diagonal(1), {4, 2}, {1, 16}, 4);
}

CASE(strided) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.as_strided({2, 2}, {3, 5}, 1), {2, 2}, {3, 5}, 1);
}

CASE(parts) {
  auto x = torch::zeros({2, 3, 4});
  auto p = x.split(2, 1);
  judge::require(p.size() == 2);
  layout(p[1], {2, 1, 4}, {12, 4, 1}, 8);
}

CASE(chunks) {
  auto x = torch::zeros({10});
  judge::require(x.chunk(6).size() == 5);
  layout(x.chunk(6)[4], {2}, {1}, 8);
}

CASE(tensorSplit) {
  auto x = torch::zeros({7});
  layout(x.tensor_split(3)[1], {2}, {1}, 3);
  layout(x.tensor_split({5, 2})[1], {0}, {1}, 5);
}

CASE(unbound) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.unbind(1)[2], {2, 4}, {12, 1}, 8);
}

CASE(indexed) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.index({1, None, Slice(None, None, 2)}), {1, 2, 4}, {12, 8, 1}, 12);
}

CASE(gathered) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.index({torch::tensor({1, 0})}), {2, 3, 4}, {12, 4, 1});
  layout(x.transpose(0, 2).index({Slice(), torch::tensor({1, 0})}), {4, 2, 2},
         {1, 4, 8});
}

CASE(viewed) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.view({6, 2, 2}), {6, 2, 2}, {4, 2, 1});
  layout(x.permute({2, 0, 1}).view({2, 2, 6}), {2, 2, 6}, {2, 1, 4});
}

CASE(flattened) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.flatten(1), {2, 12}, {12, 1});
  judge::copied(x, x.transpose(0, 1).flatten(0, 1));
}

CASE(raveled) {
  auto x = torch::zeros({6}).slice(0, 0, 6, 2);
  judge::same(x, x.flatten());
  judge::same(x, x.reshape({-1}));
  judge::copied(x, x.ravel());
}

CASE(reshapedView) {
  auto x = torch::zeros({2, 3, 4});
  judge::same(x, x.reshape({4, 6}));
  judge::copied(x, x.transpose(0, 1).reshape({4, 6}));
}

CASE(channelsLastStrides) {
  auto x = torch::zeros({2, 3, 4, 5}).contiguous(MemoryFormat::ChannelsLast);
  layout(x, {2, 3, 4, 5}, {60, 1, 15, 3});
  layout(x + 1, {2, 3, 4, 5}, {60, 1, 15, 3});
  layout(x.clone(), {2, 3, 4, 5}, {60, 1, 15, 3});
  layout(torch::zeros_like(x), {2, 3, 4, 5}, {60, 1, 15, 3});
}

CASE(channelsLastReduced) {
  auto x = torch::zeros({2, 3, 4, 5}).contiguous(MemoryFormat::ChannelsLast);
  layout(x.sum(at::IntArrayRef{2, 3}, true), {2, 3, 1, 1}, {3, 1, 1, 1});
  layout(x.mean(1), {2, 4, 5}, {20, 5, 1});
}

CASE(ambiguousFormat) {
  auto x = torch::zeros({2, 4, 5, 1}).permute({0, 3, 1, 2});
  layout(x, {2, 1, 4, 5}, {20, 1, 5, 1});
  layout(torch::relu(x), {2, 1, 4, 5}, {20, 20, 5, 1});
  layout(x + 1, {2, 1, 4, 5}, {20, 1, 5, 1});
}

CASE(suggestIsNotContiguous) {
  auto x = torch::zeros({2, 3, 4, 5})
               .contiguous(MemoryFormat::ChannelsLast)
               .select(0, 1)
               .unsqueeze(0);
  judge::require(x.is_contiguous(MemoryFormat::ChannelsLast));
  judge::require(x.suggest_memory_format() == MemoryFormat::Contiguous);
}

CASE(toFormatKeepsTransposed) {
  auto x = torch::zeros({2, 3}).t();
  judge::same(x, x.to(x.options(), false, false, MemoryFormat::Contiguous));
}

CASE(conditionFirst) {
  auto x = torch::zeros({2, 3, 4, 5});
  auto y = x.contiguous(MemoryFormat::ChannelsLast);
  layout(torch::where(x > 0, y, y), {2, 3, 4, 5}, {60, 20, 5, 1});
}

CASE(numberToTensorPower) {
  auto x = torch::zeros({2, 3, 4, 5}).contiguous(MemoryFormat::ChannelsLast);
  layout(torch::pow(2, x), {2, 3, 4, 5}, {60, 20, 5, 1});
}

CASE(transposedSum) {
  auto x = torch::zeros({2, 3}).t();
  layout(x + x, {3, 2}, {1, 3});
  layout(x + torch::zeros({3, 2}), {3, 2}, {1, 3});
  layout(torch::zeros({3, 2}) + x, {3, 2}, {2, 1});
}

CASE(nonzeroColumns) {
  auto x = torch::ones({2, 2});
  layout(x.nonzero(), {4, 2}, {1, 4});
}

CASE(emptyStrides) {
  auto x = torch::zeros({2, 0, 3});
  layout(x, {2, 0, 3}, {3, 3, 1});
}

CASE(resizedSame) {
  auto x = torch::zeros({2, 3}).t();
  x.resize_({3, 2});
  layout(x, {3, 2}, {1, 3});
  x.resize_({2, 3});
  layout(x, {2, 3}, {3, 1});
}

CASE(setStorage) {
  auto x = torch::zeros({12});
  auto y = torch::zeros({0});
  y.set_(x.storage(), 2, {2, 2}, {4, 1});
  layout(y, {2, 2}, {4, 1}, 2);
}

CASE(bytesOfFloats) {
  auto x = torch::zeros({2, 3, 4});
  layout(x.view(torch::kByte), {2, 3, 16}, {48, 16, 1});
  layout(x.view(torch::kDouble), {2, 3, 2}, {6, 2, 1});
}

CASE(stackedDense) {
  auto x = torch::zeros({2, 3}).t();
  layout(torch::stack({x, x}, 1), {3, 2, 2}, {4, 2, 1});
}

CASE(joinedChannelsLast) {
  auto x = torch::zeros({2, 3, 4, 5}).contiguous(MemoryFormat::ChannelsLast);
  layout(torch::cat({x, x}, 1), {2, 6, 4, 5}, {120, 1, 30, 6});
}

CASE(flippedKeepsOrder) {
  auto x = torch::zeros({2, 3}).t();
  layout(x.flip(0), {3, 2}, {1, 3});
}

CASE(repeatedDense) {
  auto x = torch::zeros({2, 3}).t();
  layout(x.repeat({1, 2}), {3, 4}, {4, 1});
}

CASE(productPermuted) {
  auto x = torch::zeros({2, 2});
  layout(torch::einsum("ij,jk->ki", {x, x}), {2, 2},
         since(2, 14) ? std::vector<int64_t>{2, 1}
                      : std::vector<int64_t>{1, 2});
}

CASE(convolved) {
  auto x = torch::zeros({2, 3, 4, 5}).contiguous(MemoryFormat::ChannelsLast);
  auto w = torch::zeros({6, 3, 2, 2});
  layout(torch::conv2d(x, w), {2, 6, 3, 4}, {72, 1, 24, 6});
  layout(torch::max_pool2d(x, 2), {2, 3, 2, 2}, {12, 1, 6, 3});
}

CASE(writesThroughViews) {
  auto x = torch::zeros({2, 3});
  x.t()[1].fill_(1);
  judge::require(x.sum().item<float>() == 2);
  x[0] = torch::ones({3});
  judge::require(x.sum().item<float>() == 4);
}

CASE(lostWrite) {
  auto x = torch::zeros({2, 3});
  x.index({torch::tensor({0})}) = torch::ones({1, 3}); // lost: =
  judge::require(x.sum().item<float>() == 0);
  x.index_put_({torch::tensor({0})}, torch::ones({1, 3}));
  judge::require(x.sum().item<float>() == 3);
}

CASE(versions) {
  auto x = torch::zeros({2, 3});
  auto before = x._version();
  x.t().add_(1);
  judge::require(x._version() > before);
}

CASE(outKeepsStrides) {
  auto x = torch::ones({2, 3});
  auto out = torch::zeros({3, 2}).t();
  torch::add_out(out, x, x);
  layout(out, {2, 3}, {1, 2});
}

CASE(dtypesOfFactories) {
  judge::require(torch::full({2}, 3).scalar_type() == torch::kLong);
  judge::require(torch::arange(3).scalar_type() == torch::kLong);
  judge::require(torch::tensor({1.5, 2.0}).scalar_type() == torch::kFloat);
}
