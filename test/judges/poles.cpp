//===- poles.cpp - gradients where values are replaced --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that have no finite gradient where their operand is 0 or below,
// and what replaces their value there: in front of them, or behind.
//
//===----------------------------------------------------------------------===//

#include "judge.h"

using torch::Tensor;

/// The gradient of all of \p Y is nan for each element of \p X, or for none.
static void isNan(const Tensor &X, const Tensor &Y) {
  Y.sum().backward();
  judge::require(X.grad().isnan().all().item<bool>());
}
static void isFinite(const Tensor &X, const Tensor &Y) {
  Y.sum().backward();
  judge::require(X.grad().isfinite().all().item<bool>());
}

CASE(limitedRoot) {
  auto x = torch::zeros({3}, torch::requires_grad());
  auto y = x.square().sqrt().clamp_min(1e-6); // nan: clamp_min
  isNan(x, y);
}
CASE(rootOfLimited) {
  auto x = torch::zeros({3}, torch::requires_grad());
  isFinite(x, x.square().clamp_min(1e-12).sqrt());
}
CASE(limitedNorm) {
  auto x = torch::zeros({3}, torch::requires_grad());
  isFinite(x, x.norm().clamp_min(1e-6));
}
CASE(limitedInverseRoot) {
  auto x = torch::zeros({3}, torch::requires_grad());
  auto y = x.rsqrt().clamp_max(1e3); // nan: clamp_max
  isNan(x, y);
}
CASE(limitedReciprocal) {
  auto x = torch::zeros({3}, torch::requires_grad());
  auto y = x.reciprocal().clamp(-1e3, 1e3); // nan: clamp
  isNan(x, y);
}
CASE(limitedLogarithm) {
  auto x = torch::zeros({3}, torch::requires_grad());
  auto y = x.log().clamp_min(-100); // nan: clamp_min
  isNan(x, y);
}
CASE(shiftedLogarithm) {
  auto x = torch::zeros({3}, torch::requires_grad());
  isFinite(x, (x + 1e-6).log().clamp_min(-100));
}
CASE(chosenRoot) {
  auto x = torch::zeros({3}, torch::requires_grad());
  auto y = torch::where(x > 0, x.sqrt(), x); // nan: where
  isNan(x, y);
}
CASE(rootOfNegative) {
  auto x = torch::full({3}, -1.0, torch::requires_grad());
  auto y = torch::where(x >= 0, x.sqrt(), x); // nan: where
  isNan(x, y);
}
CASE(inverseRootOfNegative) {
  auto x = torch::full({3}, -1.0, torch::requires_grad());
  auto y = torch::where(x < 0, x, x.rsqrt()); // nan: where
  isNan(x, y);
}
CASE(logarithmOfNegative) {
  auto x = torch::full({3}, -1.0, torch::requires_grad());
  isFinite(x, torch::where(x >= 0, x.log(), x));
}
CASE(chosenEntropy) {
  auto x = torch::zeros({3}, torch::requires_grad());
  auto y = torch::where(x > 0, x * x.log(), x); // nan: where
  isNan(x, y);
}
CASE(chosenQuotient) {
  auto x = torch::zeros({3}, torch::requires_grad());
  auto y = torch::where(x == 0, x, torch::ones({3}) / x); // nan: where
  isNan(x, y);
}
CASE(chosenReciprocal) {
  auto x = torch::zeros({3}, torch::requires_grad());
  auto y = torch::where(x < 1e-3, x, x.reciprocal()); // nan: where
  isNan(x, y);
}
CASE(chosenTwice) {
  auto x = torch::zeros({3}, torch::requires_grad());
  auto inside = torch::where(x > 0, x, torch::ones({3}));
  isFinite(x, torch::where(x > 0, inside.log(), x));
}
