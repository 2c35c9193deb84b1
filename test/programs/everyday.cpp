//===- everyday.cpp - what small programs are made of ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors of all kinds printed, wrong calls caught, borrowed memory, files,
// sampling with generators of one's own, results into tensors that are there, a
// recurrent network, the game of life, boxes that overlap. Printed as libtorch
// prints them, to the letter.
//
//===----------------------------------------------------------------------===//

#include "programs.h"

namespace F = torch::nn::functional;
using torch::indexing::None;
using torch::indexing::Slice;

//===--- printing ---------------------------------------------------------------===//

void printing() {
  std::cout << torch::tensor({1, 2, 300}) << "\n"
            << torch::tensor({-1, 2, 3}, torch::kInt8) << "\n"
            << torch::tensor({true, false}) << "\n"
            << torch::tensor({1e-8, 1.0, 12345678.0}) << "\n"
            << torch::tensor({std::nan(""), 1.0}) << "\n"
            << torch::zeros({2, 0, 2}) << "\n"
            << torch::arange(24).view({2, 3, 4}) << "\n"
            << torch::arange(60).view({2, 30}) << "\n"
            << torch::tensor(3.5) << "\n"
            << torch::Tensor() << "\n";
  torch::print(std::cout, torch::eye(5), 20);
  auto x = torch::ones({2, 3}, torch::kLong);
  std::cout << "\n"
            << x.dtype() << " " << x.options().dtype().name() << " " << x.scalar_type() << " " << x.toString() << " "
            << x.sizes() << x.strides() << " " << x.sizes().vec() << " " << torch::Scalar(2.5) << " "
            << torch::MemoryFormat::ChannelsLast << " " << std::vector<torch::Tensor>{torch::ones(1), torch::zeros(1)}
            << " " << std::map<int, std::string>{{1, "one"}, {2, "two"}} << "\n";
}

//===--- wrong calls ------------------------------------------------------------===//

template <class F> static void attempt(const char *name, F call) {
  const char *what = "nothing";
  try {
    call();
  } catch (const c10::IndexError &) {
    what = "IndexError";
  } catch (const c10::Error &) {
    what = "Error";
  }
  std::cout << name << ": " << what << "\n";
}

void wrongCalls() {
  auto x = torch::arange(6).view({2, 3});
  attempt("mm", [&] { torch::mm(x, x); });
  attempt("add", [&] { x + torch::ones({4}); });
  attempt("row", [&] { x[2]; });
  attempt("dimension", [&] { x.squeeze(3); });
  attempt("select", [&] { x.select(1, 3); });
  attempt("index", [&] { x.index({torch::tensor({5})}); });
  attempt("gather", [&] { x.gather(1, torch::full({2, 1}, 7, torch::kLong)); });
  attempt("item", [&] { x.item<int>(); });
  attempt("pointer", [&] { x.data_ptr<float>(); });
  attempt("mixed numbers", [&] { torch::tensor({1.0, double(2.0F), 3.0}); });
  attempt("types", [&] { torch::mm(torch::ones({2, 2}), torch::ones({2, 2}, torch::kDouble)); });
  attempt("in place", [&] { x.add_(0.5); });
  attempt("empty", [&] { torch::empty({0}).max(); });
  attempt("singular", [&] { torch::inverse(torch::zeros({2, 2})); });
  attempt("own", [&] { TORCH_CHECK(x.dim() == 3, "expected 3 dimensions"); });
  try {
    TORCH_CHECK(x.dim() == 3, "sizes ", x.sizes(), ", type ", x.dtype(), ", ", 1.5, " ", true);
  } catch (const c10::Error &e) {
    std::cout << e.what_without_backtrace() << "\n";
  }
}

//===--- memory of others, files ------------------------------------------------===//

void borrowed() {
  std::vector<float> v{0, 1, 2, 3, 4, 5, 6, 7};
  int freed = 0;
  {
    auto x = torch::from_blob(v.data(), {2, 3}, {1, 2}, [&](void *) { ++freed; }, torch::kFloat);
    auto y = x.slice(1, 1);
    y[0][0] = 20;
    std::cout << x << "\n" << y.storage_offset() << freed;
  }
  std::cout << freed << " " << v << "\n";
  std::stringstream file;
  torch::save(std::vector<torch::Tensor>{torch::arange(6).view({2, 3}).t(), torch::tensor(2.5)}, file);
  std::vector<torch::Tensor> back;
  torch::load(back, file);
  std::cout << back.size() << back[0] << back[0].strides() << back[1] << "\n";
}

//===--- sampling ---------------------------------------------------------------===//

void sampling() {
  auto mine = at::detail::createCPUGenerator(42);
  std::cout << torch::rand({2}, mine) << torch::randperm(5, mine) << torch::randint(0, 9, {4}, mine) << "\n";
  mine.set_current_seed(42);
  auto other = torch::make_generator<at::CPUGeneratorImpl>(42);
  std::cout << torch::equal(torch::rand({9}, mine), torch::rand({9}, other)) << other.current_seed() << "\n";
  torch::manual_seed(5);
  auto p = torch::softmax(torch::arange(8, torch::kFloat) * 0.4, 0);
  auto [sorted, order] = p.sort(0, true);
  auto nucleus = sorted.masked_fill((sorted.cumsum(0) - sorted) > 0.7, 0);
  std::cout << order.gather(0, torch::multinomial(nucleus, 6, true)) << torch::multinomial(p, 3, false, other) << "\n";
}

//===--- results into tensors that are there ------------------------------------===//

void reused() {
  auto x = torch::tensor({{1.0F, 5.0F, 2.0F}, {7.0F, 2.0F, 2.0F}});
  auto sums = torch::empty({2}), most = torch::empty({0}), any = torch::empty({0});
  auto places = torch::empty({0}, torch::kLong);
  torch::sum_out(sums, x, 1);
  torch::max_out(most, places, x, 1);
  torch::matmul_out(any, x, x.t());
  std::cout << sums << most << places << any << "\n";
  torch::arange_out(any, 5);
  torch::mul_out(any, any, torch::full({5}, 0.5F));
  torch::clamp_out(any, any, 0.5, 1.5);
  std::cout << any << "\n";
  std::cout << std::get<0>(torch::histogram(x, 4, c10::ArrayRef<double>({0.0, 8.0})))
            << torch::einsum("...i,i->...", {x, x[0]}) << std::get<0>(torch::unique_dim(torch::cat({x, x}), 0))
            << torch::quantile(x, 0.4, 1, false, "lower") << torch::round(x / 3, 2)
            << x.var({0}, c10::optional<int64_t>(0)) << torch::where(x > 2)[1] << "\n";
}

//===--- a recurrent network ----------------------------------------------------===//

void recurrent() {
  torch::manual_seed(1);
  const int64_t in = 3, hidden = 4;
  std::vector<torch::Tensor> weights;
  for (int64_t layer = 0; layer < 2; ++layer)
    for (int64_t side = 0; side < 2; ++side) {
      weights.push_back(torch::randn({4 * hidden, layer ? 2 * hidden : in}) * 0.3);
      weights.push_back(torch::randn({4 * hidden, hidden}) * 0.3);
      weights.push_back(torch::zeros({4 * hidden}));
      weights.push_back(torch::ones({4 * hidden}) * 0.1);
    }
  auto x = torch::randn({2, 5, in}), zero = torch::zeros({4, 2, hidden});
  auto [y, h, c] = torch::lstm(x, {zero, zero}, weights, true, 2, 0.0, false, true, true);
  show("outputs", y);
  show("states", h);
  show("cells", c);
  auto [g, last] =
      torch::gru(x, torch::zeros({1, 2, hidden}), {torch::randn({3 * hidden, in}), torch::randn({3 * hidden, hidden})},
                 false, 1, 0.0, false, false, true);
  show("gated", g);
  show("last", last);
}

//===--- cells that live and die, boxes -----------------------------------------===//

void grids() {
  auto cells = torch::zeros({6, 6}, torch::kInt);
  cells.index_put_({torch::tensor({0, 1, 2, 2, 2}), torch::tensor({1, 2, 0, 1, 2})}, 1);
  for (int step = 0; step < 4; ++step) {
    auto around = -cells;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        around += cells.roll({dy, dx}, {0, 1});
    cells = ((around == 3) | ((cells == 1) & (around == 2))).to(torch::kInt);
  }
  std::cout << cells << "\n";

  auto boxes = torch::tensor({{0, 0, 10, 10}, {1, 1, 11, 11}, {20, 20, 30, 25}, {21, 19, 30, 25}}).to(torch::kFloat);
  auto scores = torch::tensor({0.9, 0.8, 0.3, 0.7});
  auto low = torch::max(boxes.index({Slice(), None, Slice(None, 2)}), boxes.index({None, Slice(), Slice(None, 2)}));
  auto high = torch::min(boxes.index({Slice(), None, Slice(2)}), boxes.index({None, Slice(), Slice(2)}));
  auto both = (high - low).clamp(0).prod(-1);
  auto area = (boxes.slice(1, 2) - boxes.slice(1, 0, 2)).prod(1);
  auto overlap = both / (area.unsqueeze(1) + area - both);
  std::vector<int64_t> kept;
  for (auto order = scores.argsort(-1, true); order.numel() > 0;) {
    kept.push_back(order[0].item<int64_t>());
    order = order.masked_select(overlap[kept.back()].index_select(0, order) < 0.5);
  }
  std::cout << kept << "\n" << overlap << "\n";
}

//===--- spellings that are rarer -----------------------------------------------===//

void spellings() {
  const auto options = torch::dtype<double>().layout(torch::kStrided).pinned_memory(false).requires_grad(false);
  std::cout << options << "\n"
            << torch::TensorOptions(at::layout(at::kStrided)) << "\n"
            << c10::canCast(torch::kFloat, torch::kInt) << torch::get_default_dtype_as_scalartype() << "\n";
  // Only empty() asks its options for a memory format.
  const auto last = torch::TensorOptions().memory_format(torch::MemoryFormat::ChannelsLast);
  std::cout << torch::zeros({1, 2, 2, 2}, last).strides() << torch::ones({1, 2, 2, 2}, last).strides() << "\n";
  const auto parts = torch::tensor_split(torch::arange(7), torch::tensor({2, -3}));
  std::cout << parts << torch::arange(7).tensor_split(torch::tensor(3))[2] << "\n";
  auto x = torch::arange(24, torch::kFloat).view({2, 3, 4});
  auto mask = x.select(2, 0) > 5;
  std::cout << x.index({mask, torch::tensor({3, 0, 1, 2})}) << x.index({mask, "...", torch::tensor({3})}) << "\n";
  auto quantiles = x.quantile(torch::tensor({0.25F, 0.5F}), 1);
  std::cout << quantiles.strides() << quantiles << "\n" << torch::linspace(-1000, 1, 7) << "\n";
  std::cout << torch::ones({1}).var() << torch::var(x, at::IntArrayRef{1}, c10::optional<int64_t>(9)) << "\n";
  std::cout << F::adaptive_avg_pool2d(x, F::AdaptiveAvgPool2dFuncOptions({2, c10::nullopt})) << "\n"
            << torch::nn::AdaptiveMaxPool2d(torch::nn::AdaptiveMaxPool2dOptions({c10::nullopt, 2})) << "\n"
            << torch::frobenius_norm(x, {0, 1}) << "\n";
  std::vector<float> flat(x.view(-1).data_ptr<float>(), x.view(-1).data_ptr<float>() + x.numel());
  std::copy(x[1].data_ptr<float>(), x[1].data_ptr<float>() + 4, flat.begin());
  std::cout << flat[3] << " " << flat[23] << "\n";
  auto turned = x.packed_accessor64<float, 3>().transpose(0, 2);
  std::cout << turned[3][1][0] << " " << x.generic_packed_accessor<float, 3>()[1][2][3] << "\n";
  attempt("brackets around a vector", [&] { x[torch::tensor({0, 1})].sum(); });
}
