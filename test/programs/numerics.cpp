//===- numerics.cpp - programs with random numbers and algebra ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Kalman filter, least squares with several factorisations, principal
// components, a particle filter, a small network of convolutions with options
// by name. Seeded, so that both libraries draw the same numbers.
//
//===----------------------------------------------------------------------===//

#include "programs.h"

namespace F = torch::nn::functional;

//===--- a moving object, seen through noise ----------------------------------===//

void kalmanFilter() {
  torch::manual_seed(1);
  const double dt = 0.5;
  auto a = torch::eye(4, torch::kDouble);
  a.index_put_({0, 2}, dt);
  a.index_put_({1, 3}, dt);
  auto h = torch::eye(2, 4, torch::kDouble);
  auto q = torch::eye(4, torch::kDouble) * 0.01, r = torch::eye(2, torch::kDouble) * 0.5;
  auto truth = torch::tensor({0.0, 0.0, 1.0, 0.5}, torch::kDouble);
  auto x = torch::zeros({4}, torch::kDouble), p = torch::eye(4, torch::kDouble) * 10;
  double before = 0, after = 0;
  for (int step = 0; step < 40; ++step) {
    truth = a.mv(truth);
    auto z = h.mv(truth) + torch::randn(2, torch::kDouble) * 0.7;
    x = a.mv(x);
    p = a.mm(p).mm(a.t()) + q;
    auto s = h.mm(p).mm(h.t()) + r;
    auto k = torch::linalg_solve(s, h.mm(p), /*left=*/true).t();
    x += k.mv(z - h.mv(x));
    p = (torch::eye(4, torch::kDouble) - k.mm(h)).mm(p);
    if (step >= 20) {
      before += (z - h.mv(truth)).norm().item<double>();
      after += (h.mv(x) - h.mv(truth)).norm().item<double>();
    }
  }
  show("state", x);
  show("covariance", p);
  std::printf("the filter is %s\n", after < before ? "better" : "worse");
}

//===--- a polynomial through points, three ways ------------------------------===//

void leastSquares() {
  torch::manual_seed(2);
  auto t = torch::linspace(-1, 1, 30, torch::kDouble);
  auto design = torch::stack({torch::ones_like(t), t, t.pow(2), t.pow(3)}, 1);
  auto truth = torch::tensor({0.5, -1.0, 2.0, 0.25}, torch::kDouble);
  auto y = design.mv(truth) + torch::randn(30, torch::kDouble) * 0.01;
  auto normal = torch::linalg_solve(design.t().mm(design), design.t().mv(y), true);
  auto [q, r] = torch::linalg_qr(design, "reduced");
  auto byQr = std::get<0>(q.t().mv(y).unsqueeze(1).triangular_solve(r)).squeeze(1);
  auto bySvd = torch::pinverse(design).mv(y);
  show("normal equations", normal);
  std::cout << "close: " << torch::allclose(normal, byQr, 1e-6, 1e-8) << torch::allclose(normal, bySvd, 1e-6, 1e-8)
            << "\n";
  auto l = torch::linalg_cholesky(design.t().mm(design));
  show("cholesky", l);
  show("log determinant", torch::logdet(design.t().mm(design)));
  show("condition", torch::linalg_svdvals(design, c10::nullopt));
  std::cout << q.strides() << r.strides() << l.strides() << "\n";
}

//===--- principal components --------------------------------------------------===//

void principalComponents() {
  torch::manual_seed(3);
  auto mix = torch::tensor({{2.0, 0.0, 0.0}, {0.5, 1.0, 0.0}, {0.1, 0.2, 0.3}}, torch::kDouble);
  auto data = torch::randn({200, 3}, torch::kDouble).mm(mix);
  auto [values, vectors] = torch::linalg_eigh(torch::cov(data.t()), "L");
  auto order = values.argsort(-1, true);
  auto share = values.index_select(0, order) / values.sum();
  show("share", share);
  auto projected = (data - data.mean(0)).mm(vectors.index_select(1, order.narrow(0, 0, 2)));
  show("spread", projected.std(0));
  show("correlation", torch::corrcoef(data.t()));
  auto bins = torch::histc(data.select(1, 0), 5, -6, 6);
  show("histogram", bins);
  show("quartiles", torch::quantile(data.select(1, 1), torch::tensor({0.25, 0.5, 0.75}, torch::kDouble)));
}

//===--- particles that follow a walker ----------------------------------------===//

void particleFilter() {
  torch::manual_seed(4);
  const int64_t n = 400;
  auto particles = torch::empty({n}).uniform_(-5, 5);
  auto weights = torch::full({n}, 1.0 / n);
  float position = 0;
  for (int step = 0; step < 15; ++step) {
    position += 0.4F;
    const float seen = position + 0.2F * torch::randn(1).item<float>();
    particles.add_(0.4).add_(torch::randn_like(particles), 0.1);
    weights.mul_(torch::exp(-(particles - seen).square() / (2 * 0.04)));
    weights.div_(weights.sum());
    const double effective = 1 / weights.square().sum().item<double>();
    if (effective < n / 2.0) {
      auto chosen = torch::searchsorted(weights.cumsum(0), (torch::arange(n) + torch::rand(1)) / n).clamp_max(n - 1);
      particles = particles.index_select(0, chosen);
      weights.fill_(1.0 / n);
    }
  }
  const float guess = (particles * weights).sum().item<float>();
  std::printf("the walker is at %.1f, found %s\n", position, std::abs(guess - position) < 0.3F ? "there" : "elsewhere");
  std::cout << torch::randint(0, 100, {2, 5}) << "\n" << torch::randperm(8) << "\n";
  std::cout << torch::rand({2, 3}) << "\n" << torch::randn({2, 10}) << "\n";
  std::cout << torch::bernoulli(torch::full({10}, 0.3)) << "\n";
  std::cout << F::dropout(torch::ones({2, 6}), F::DropoutFuncOptions().p(0.5)) << "\n";
}

//===--- images through a network ----------------------------------------------===//

void convolutions() {
  torch::manual_seed(5);
  auto x = torch::rand({2, 3, 16, 16});
  auto w1 = torch::randn({8, 3, 3, 3}) * 0.2, b1 = torch::zeros({8});
  auto w2 = torch::randn({8, 8, 3, 3}) * 0.1;
  auto gamma = torch::ones({8}), beta = torch::zeros({8});
  auto h = F::conv2d(x, w1, F::Conv2dFuncOptions().bias(b1).padding(1));
  h = F::batch_norm(h, torch::zeros({8}), torch::ones({8}), F::BatchNormFuncOptions().weight(gamma).bias(beta).training(true));
  h = F::leaky_relu(h, F::LeakyReLUFuncOptions().negative_slope(0.1));
  h = F::max_pool2d(h, F::MaxPool2dFuncOptions(2).stride(2));
  auto skip = h;
  h = F::relu(F::conv2d(F::pad(h, F::PadFuncOptions({1, 1, 1, 1}).mode(torch::kReflect)), w2)) + skip;
  show("features", h);
  auto up = F::interpolate(h, F::InterpolateFuncOptions()
                                  .scale_factor(std::vector<double>{2, 2})
                                  .mode(torch::kBilinear)
                                  .align_corners(false));
  show("upsampled", up);
  auto pooled = F::adaptive_avg_pool2d(up, F::AdaptiveAvgPool2dFuncOptions({2, 2})).flatten(1);
  auto logits = F::linear(F::layer_norm(pooled, F::LayerNormFuncOptions({32})), torch::randn({4, 32}) * 0.3);
  auto target = torch::tensor({1, 3});
  show("probabilities", F::softmax(logits, 1));
  show("loss", F::cross_entropy(logits, target, F::CrossEntropyFuncOptions().label_smoothing(0.1)));
  show("each", F::cross_entropy(logits, target, F::CrossEntropyFuncOptions().reduction(torch::kNone)));
  show("unit", F::normalize(logits, F::NormalizeFuncOptions().dim(1)));
  show("alike", F::cosine_similarity(pooled.narrow(0, 0, 1), pooled.narrow(0, 1, 1), F::CosineSimilarityFuncOptions().dim(1)));
  std::cout << x.dtype() << " " << target.dtype() << " " << x.options() << " " << x.device() << " " << x.layout() << "\n";
}
