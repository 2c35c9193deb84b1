//===- programs.cpp - programs as users write them ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written for libtorch: a network trained by hand, an attention block, images
// on their way into a network, k-means, beam search, and those of numerics.cpp.
// Built once with libtorch and once with the checked runtime; both must print
// the same.
//
//===----------------------------------------------------------------------===//

#include "programs.h"

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;

void show(const std::string &name, const Tensor &t) {
  std::cout << name << " " << t.scalar_type() << " " << t.sizes() << " " << t.strides();
  auto flat = t.to(torch::kDouble).flatten();
  const auto n = std::min<int64_t>(flat.numel(), 12);
  // Not -0.000; last digits may differ.
  auto rounded = [](double v) { return std::round(v * 1000) / 1000 + 0.0; };
  for (int64_t i = 0; i < n; ++i)
    std::printf(" %.3f", rounded(flat[i].item<double>()));
  std::printf(" mean %.3f\n", rounded(flat.mean().item<double>()));
  std::fflush(stdout);
}

namespace {

/// Numbers that look random and are the same everywhere.
Tensor noise(std::vector<int64_t> sizes, double seed) {
  int64_t count = 1;
  for (int64_t n : sizes)
    count *= n;
  auto i = torch::arange(count, torch::kDouble);
  return ((i * 12.9898 + seed).sin() * 43758.5453).frac().to(torch::kFloat).view(sizes);
}

//===--- a network with two layers, its gradients written out ---------------===//

struct Adam {
  std::vector<Tensor> params, m, v;
  double lr;
  int64_t step = 0;
  Adam(std::vector<Tensor> p, double rate) : params(std::move(p)), lr(rate) {
    for (const auto &x : params) {
      m.push_back(torch::zeros_like(x));
      v.push_back(torch::zeros_like(x));
    }
  }
  void update(const std::vector<Tensor> &grads) {
    ++step;
    const double c1 = 1 - std::pow(0.9, static_cast<double>(step)), c2 = 1 - std::pow(0.999, static_cast<double>(step));
    for (size_t k = 0; k < params.size(); ++k) {
      m[k].mul_(0.9).add_(grads[k], 0.1);
      v[k].mul_(0.999).addcmul_(grads[k], grads[k], 0.001);
      params[k].addcdiv_(m[k] / c1, (v[k] / c2).sqrt_().add_(1e-8), -lr);
    }
  }
};

void trainNetwork() {
  torch::NoGradGuard guard;
  const int64_t N = 96, In = 8, Hidden = 16, Classes = 3;
  auto x = noise({N, In}, 1) * 2 - 1;
  auto y = (x.slice(1, 0, 2).sum(1) * 3).floor().to(torch::kLong).remainder(Classes);
  auto onehot = torch::zeros({N, Classes}).scatter_(1, y.unsqueeze(1), 1.0);
  auto w1 = noise({In, Hidden}, 2) * 0.5, b1 = torch::zeros({Hidden});
  auto w2 = noise({Hidden, Classes}, 3) * 0.5, b2 = torch::zeros({Classes});
  Adam optimizer({w1, b1, w2, b2}, 0.05);
  double first = 0, last = 0;
  for (int epoch = 0; epoch < 30; ++epoch) {
    auto order = torch::arange(N).roll(epoch * 7, 0);
    for (int64_t at = 0; at < N; at += 32) {
      auto rows = order.narrow(0, at, 32);
      auto xb = x.index_select(0, rows), tb = onehot.index({rows});
      auto z = torch::addmm(b1, xb, w1);
      auto h = torch::relu(z);
      auto logp = torch::log_softmax(torch::addmm(b2, h, w2), 1);
      last = -(logp * tb).sum().item<double>() / 32;
      if (epoch == 0 && at == 0)
        first = last;
      auto dout = (logp.exp() - tb) / 32;
      auto dh = dout.mm(w2.t());
      dh.masked_fill_(z <= 0, 0);
      optimizer.update({xb.t().mm(dh), dh.sum(0), h.t().mm(dout), dout.sum(0)});
    }
  }
  auto guess = torch::relu(x.matmul(w1) + b1).matmul(w2).add(b2).argmax(1);
  auto confusion = torch::zeros({Classes, Classes}, torch::kLong);
  confusion.index_put_({y, guess}, torch::ones({N}, torch::kLong), /*accumulate=*/true);
  std::printf("loss %.2f to below %.1f\n", first, std::ceil(last * 10) / 10);
  show("confusion", confusion);
  std::printf("right %d\n", static_cast<int>((guess == y).sum().item<int64_t>()));
}

//===--- an attention block --------------------------------------------------===//

Tensor heads(const Tensor &x, int64_t h) {
  return x.view({x.size(0), x.size(1), h, x.size(2) / h}).transpose(1, 2);
}

Tensor attentionBlock(const Tensor &x, const Tensor &wqkv, const Tensor &wo, const Tensor &w1, const Tensor &w2, int64_t h) {
  const auto B = x.size(0), T = x.size(1), C = x.size(2);
  auto n = torch::layer_norm(x, {C});
  auto qkv = torch::matmul(n, wqkv).chunk(3, -1);
  auto q = heads(qkv[0].contiguous(), h), k = heads(qkv[1].contiguous(), h), v = heads(qkv[2].contiguous(), h);
  auto scores = torch::matmul(q, k.transpose(-2, -1)) / std::sqrt(static_cast<double>(C / h));
  auto later = torch::ones({T, T}, torch::kBool).triu(1);
  scores = scores.masked_fill(later, -INFINITY);
  auto ctx = torch::matmul(torch::softmax(scores, -1), v);
  auto y = x + torch::matmul(ctx.transpose(1, 2).reshape({B, T, C}), wo);
  return y + torch::linear(torch::gelu(torch::linear(torch::layer_norm(y, {C}), w1)), w2);
}

void attend() {
  const int64_t B = 2, T = 6, C = 12, H = 3;
  auto x = noise({B, T, C}, 4) - 0.5;
  auto position = torch::arange(T, torch::kFloat).unsqueeze(1) / torch::pow(10000.0, torch::arange(0, C, 2, torch::kFloat) / C);
  auto code = torch::stack({position.sin(), position.cos()}, -1).flatten(1);
  show("positions", code);
  auto weight = [](std::vector<int64_t> sizes, double seed) { return noise(std::move(sizes), seed) * 0.2 - 0.1; };
  auto y = attentionBlock(x + code, weight({C, 3 * C}, 5), weight({C, C}, 6), weight({4 * C, C}, 7), weight({C, 4 * C}, 8), H);
  show("block", y);
  show("last token", y.index({Slice(), -1}));
  auto e = torch::einsum("btc,bsc->bts", {y, y});
  show("similar", e.diagonal(0, 1, 2));
}

//===--- images on their way into a network ---------------------------------===//

void preprocess() {
  const int64_t H = 17, W = 23;
  std::vector<uint8_t> pixels(static_cast<size_t>(H * W * 3));
  for (size_t k = 0; k < pixels.size(); ++k)
    pixels[k] = static_cast<uint8_t>(k * 37 + k / 100);
  auto image = torch::from_blob(pixels.data(), {1, H, W, 3}, torch::kUInt8);
  auto x = image.permute({0, 3, 1, 2}).to(torch::kFloat).div_(255);
  show("as a view", x);
  auto planar = x.contiguous();
  auto mean = torch::tensor({0.485, 0.456, 0.406}, torch::kFloat).view({1, 3, 1, 1});
  auto std = torch::tensor({0.229, 0.224, 0.225}, torch::kFloat).view({1, 3, 1, 1});
  planar.sub_(mean).div_(std);
  const int64_t side = 16, top = (H - side) / 2, left = (W - side) / 2;
  auto crop = planar.narrow(2, top, side).narrow(3, left, side);
  show("crop", crop);
  auto both = torch::cat({crop, crop.flip({3})}, 0);
  auto padded = torch::constant_pad_nd(both, {2, 2, 1, 1}, 0.5);
  show("padded", padded.sum({1, 3}));
  auto small = torch::avg_pool2d(both, {2, 2});
  auto edges = torch::conv2d(small, torch::tensor({-1.F, 0.F, 1.F, -2.F, 0.F, 2.F, -1.F, 0.F, 1.F}).view({1, 1, 3, 3}).expand({3, 1, 3, 3}).contiguous(), {}, 1, 1, 1, 3);
  show("edges", edges);
  auto patches = both.unfold(2, 4, 4).unfold(3, 4, 4).permute({0, 2, 3, 1, 4, 5}).reshape({2, 16, -1});
  show("patches", patches);
  auto last = both.to(torch::MemoryFormat::ChannelsLast);
  std::printf("channels-last %d %d\n", last.is_contiguous(), last.is_contiguous(torch::MemoryFormat::ChannelsLast));
  auto back = last.permute({0, 2, 3, 1}).mul(40).add(128).clamp(0, 255).round().to(torch::kUInt8);
  show("bytes", back);
  auto values = std::get<0>(both.flatten(2).max(2));
  show("brightest", values);
}

//===--- k-means -------------------------------------------------------------===//

void cluster() {
  const int64_t N = 120, D = 2, K = 4;
  auto groups = torch::arange(N).remainder(K);
  auto points = noise({N, D}, 9) * 0.4 + torch::stack({groups.div(2, "floor"), groups.remainder(2)}, 1).to(torch::kFloat) * 3;
  auto centers = points.slice(0, 0, K).clone();
  auto owner = torch::empty({N}, torch::kLong);
  int rounds = 0;
  for (; rounds < 20; ++rounds) {
    auto distance = (points.unsqueeze(1) - centers.unsqueeze(0)).pow(2).sum(-1);
    auto nearest = distance.argmin(1);
    if (rounds && torch::equal(nearest, owner))
      break;
    owner.copy_(nearest);
    auto sums = torch::zeros({K, D}).index_add_(0, owner, points);
    auto counts = torch::zeros({K}).index_add_(0, owner, torch::ones({N}));
    centers = sums / counts.clamp_min(1).unsqueeze(1);
  }
  std::printf("rounds %d\n", rounds);
  auto order = (centers.select(1, 0) * 10 + centers.select(1, 1)).argsort();
  show("centers", centers.index_select(0, order));
  for (int64_t k = 0; k < K; ++k) {
    auto mine = points.index({owner == order[k]});
    std::printf("cluster of %d, spread %.3f\n", static_cast<int>(mine.size(0)), (mine - mine.mean(0, true)).norm().item<double>());
  }
}

//===--- beam search -----------------------------------------------------------===//

void search() {
  const int64_t Words = 11, Beams = 3, Steps = 6, End = 0;
  auto table = torch::log_softmax(noise({Words, Words}, 10) * 4, -1);
  auto tokens = torch::full({1, 1}, 5, torch::kLong);
  auto scores = torch::zeros({1});
  auto done = torch::zeros({1}, torch::kBool);
  for (int64_t step = 0; step < Steps; ++step) {
    auto next = table.index_select(0, tokens.index({Slice(), -1}));
    auto stay = torch::full_like(next, -INFINITY);
    stay.index_put_({Slice(), End}, 0.0);
    next = torch::where(done.unsqueeze(1), stay, next);
    auto all = (scores.unsqueeze(1) + next).view(-1);
    auto best = all.topk(std::min<int64_t>(Beams, all.numel()));
    scores = std::get<0>(best);
    auto from = std::get<1>(best).div(Words, "floor"), word = std::get<1>(best).remainder(Words);
    tokens = torch::cat({tokens.index({from}), word.index({Slice(), None})}, 1);
    done = done.gather(0, from).logical_or(word.eq(End));
    if (done.all().item<bool>())
      break;
  }
  show("tokens", tokens);
  show("scores", scores);
  auto lengths = (tokens != End).sum(1);
  show("normalised", scores / lengths.to(torch::kFloat).pow(0.6));
  std::cout << tokens[0] << "\n";
}

} // namespace

int main() {
  trainNetwork();
  attend();
  preprocess();
  cluster();
  search();
  kalmanFilter();
  leastSquares();
  principalComponents();
  particleFilter();
  convolutions();
  printing();
  wrongCalls();
  borrowed();
  sampling();
  reused();
  recurrent();
  grids();
  ownModule();
  layers();
  transformerBlock();
  layersOverTime();
  savedModules();
  factors();
  lists();
  translator();
  sentences();
  heard();
  volumes();
  spellings();
}
