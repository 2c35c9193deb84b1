//===- lessons.cpp - what people are taught about tensor memory -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/lessons.md names these cases; lessons.test compares the names. What only
// the runtime can show is in test/runtime/LessonsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "judge.h"

using judge::copied;
using judge::layout;
using judge::require;
using judge::same;
using torch::indexing::None;
using torch::indexing::Slice;

CASE(lessonParts) {
  auto x = torch::zeros({2, 3});
  layout(x, {2, 3}, {3, 1});
  auto column = x.select(1, 2);
  layout(column, {2}, {3}, 2);
  require(column.storage().nbytes() == 24);
  require(column.scalar_type() == at::kFloat && column.device().is_cpu());
}

CASE(lessonRowMajor) {
  layout(torch::empty({32, 3, 224, 224}), {32, 3, 224, 224},
         {150528, 50176, 224, 1});
}

CASE(lessonContiguity) {
  auto x = torch::zeros({4, 1, 3});
  require(x.is_contiguous() && !x.transpose(0, 2).is_contiguous());
  // A dimension of one element may have any stride.
  require(x.as_strided({4, 1, 3}, {3, 999, 1}).is_contiguous());
}

CASE(lessonColumnMajor) {
  auto x = torch::zeros({3, 2}).t();
  layout(x, {2, 3}, {1, 2});
  require(!x.is_contiguous() && x.t().is_contiguous());
  require(x.stride(1) * static_cast<int64_t>(x.element_size()) == 8);
}

CASE(lessonViewsShare) {
  auto x = torch::zeros({2, 3, 4});
  same(x, x.transpose(0, 2));
  same(x, x.permute({2, 0, 1}));
  same(x, x.narrow(1, 0, 2));
  same(x, x.slice(2, 0, 2));
  same(x, x.unsqueeze(0).expand({5, 2, 3, 4}));
}

CASE(lessonViewOfTransposed) {
  auto x = torch::zeros({2, 3});
  auto y = x.t();
  y.view(-1); // throws: view
}

CASE(lessonReshape) {
  auto x = torch::zeros({2, 3});
  same(x, x.reshape({3, 2}));
  copied(x, x.t().reshape({-1}));
}

CASE(lessonContiguousOfContiguous) {
  auto x = torch::zeros({2, 3});
  same(x, x.contiguous()); // no-op: contiguous
}

CASE(lessonContiguousOfTransposed) {
  auto x = torch::zeros({2, 3}).t();
  copied(x, x.contiguous());
}

CASE(lessonStridedSlice) {
  auto b = torch::arange(16).view({4, 4});
  auto every = b.index({Slice(None, None, 2), Slice(None, None, 2)});
  layout(every, {2, 2}, {8, 2});
  same(b, every);
  copied(every, every.contiguous());
  every.view(4); // throws: view
}

CASE(lessonOffset) {
  auto x = torch::arange(10);
  auto part = x.slice(0, 3, 8);
  layout(part, {5}, {1}, 3);
  require(part.storage_offset() == 3);
}

CASE(lessonAdvancedIndexing) {
  auto x = torch::arange(6);
  auto picked = x.index({torch::arange(6)});
  copied(x, picked);
  same(x, x.index({Slice()}));
}

CASE(lessonWriteThroughView) {
  auto x = torch::zeros({2, 3});
  auto kept = x.clone();
  x.select(0, 1).fill_(7);
  require(x.sum().item<float>() == 21);
  require(kept.sum().item<float>() == 0);
}

CASE(lessonOneStorage) {
  auto x = torch::zeros({6});
  auto y = torch::empty({0});
  y.set_(x.storage(), 2, {2, 2}, {2, 1});
  layout(y, {2, 2}, {2, 1}, 2);
  y.fill_(1);
  require(x.sum().item<float>() == 4);
}

CASE(lessonChannelsLast) {
  auto x = torch::zeros({2, 3, 4, 5});
  auto y = x.contiguous(at::MemoryFormat::ChannelsLast);
  layout(y, {2, 3, 4, 5}, {60, 1, 15, 3});
  require(y.is_contiguous(at::MemoryFormat::ChannelsLast));
  require(!y.is_contiguous());
  layout(torch::relu(y), {2, 3, 4, 5}, {60, 1, 15, 3});
}

CASE(lessonCopiesCost) {
  auto x = torch::empty({32, 3, 224, 224});
  require(x.numel() * static_cast<int64_t>(x.element_size()) == 19267584);
  require(x.nbytes() == 19267584); // 18.4 MiB
  auto y = torch::zeros({4});
  same(y, y.to(at::kFloat));
  copied(y, y.to(at::kDouble));
}

CASE(lessonVersions) {
  auto x = torch::zeros({4});
  auto view = x.narrow(0, 0, 2);
  const auto before = x._version();
  view.add_(1);
  require(x._version() > before);
}

CASE(lessonNoGrad) {
  torch::NoGradGuard guard;
  auto y = torch::ones({2, 2}).mm(torch::ones({2, 2}));
  require(!y.requires_grad());
}

CASE(lessonBatched) {
  auto x = torch::arange(24).view({2, 3, 4}).to(at::kFloat);
  auto w = torch::arange(8).view({4, 2}).to(at::kFloat);
  auto all = x.matmul(w);
  for (int64_t i = 0; i < 2; ++i)
    require(all[i].equal(x[i].mm(w)));
}

CASE(lessonSharedBuffer) {
  std::vector<float> data(4, 1);
  auto x = torch::from_blob(data.data(), {4});
  auto kept = x.clone();
  data[0] = 5;
  require(x.sum().item<float>() == 8);
  require(kept.sum().item<float>() == 4);
}

CASE(lessonWriteToExpanded) {
  auto x = torch::zeros({3, 1}).expand({3, 4});
  x.add_(1); // overlaps: add_
}

CASE(lessonPointerOrder) {
  auto x = torch::arange(6).view({2, 3});
  auto y = x.t();
  auto packed = y.contiguous();
  // The same memory, which a raw pointer sees in x's order.
  require(y.data_ptr<int64_t>()[1] == 1 && y[0][1].item<int64_t>() == 3);
  require(packed.data_ptr<int64_t>()[1] == 3);
}
