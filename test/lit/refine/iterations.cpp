// RUN: not %tensortidy --checks=-*,tensor-view-after-permute,tensor-shape-mismatch %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// What fails only where a loop runs no time at all is nobody's case: sizes are
// there to be gone through. What an iteration leaves is, and so is a branch.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor next(const at::Tensor &x);

at::Tensor sumOfAll(int64_t b, int64_t c, int64_t d) {
  auto x = at::zeros({b, c, d});
  auto sum = x.select(1, 0);
  for (int64_t i = 1; i < c; ++i)
    sum = sum + x.select(1, i);
  return sum.view({-1});
}

at::Tensor nested(int64_t b, int64_t c, int64_t d, int64_t n) {
  auto x = at::zeros({b, c, d});
  auto sum = x.select(1, 0);
  for (int64_t k = 0; k < n; ++k)
    for (int64_t i = 2; i < c; ++i)
      sum = sum + x.select(1, i);
  return sum.view({-1});
}

at::Tensor layers(const std::vector<int> &widths) {
  auto x = at::zeros({2, 3});
  for (int width : widths)
    x = next(x) * width;
  while (x.sum().item<float>() > 1)
    x = next(x);
  return x.view({7});
}

at::Tensor branch(bool more) {
  auto x = at::zeros({2, 3});
  if (more)
    x = next(x);
  return x.view({7});
  // CHECK: :[[#@LINE-1]]:12: warning: view({7}): shape [7] does not fit the 6 elements of 'x'; throws when 'more' is false [tensor-shape-mismatch]
}

// The loop leaves it as it was.
at::Tensor scaled(const std::vector<int> &factors) {
  auto x = at::zeros({2, 3}).t();
  for (int factor : factors)
    x = x * factor;
  return x.view({-1});
  // CHECK: :[[#@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x'
}

at::Tensor untouched(const std::vector<int> &factors) {
  auto x = at::zeros({2, 3});
  int64_t all = 0;
  for (int factor : factors)
    all += factor;
  return x.view({7}) * all;
  // CHECK: :[[#@LINE-1]]:12: warning: view({7}): shape [7] does not fit the 6 elements of 'x'; throws [tensor-shape-mismatch]
}

at::Tensor once(const at::Tensor &y) {
  auto x = at::zeros({2, 3});
  do
    x = x * 2;
  while (y.sum().item<float>() > 1);
  return x.view({7});
  // CHECK: :[[#@LINE-1]]:12: warning: view({7}): shape [7] does not fit the 6 elements of 'x'; throws [tensor-shape-mismatch]
}

// Whatever rank `x` has, the loop makes `bias` fit.
at::Tensor fitted(const at::Tensor &input) {
  auto x = next(input), bias = at::ones({2, 8});
  while (bias.dim() < x.dim())
    bias = bias.unsqueeze(-1);
  x = x + bias;
  return x / x.size(3);
}
at::Tensor fittedBySizes(const at::Tensor &input) {
  auto x = next(input), bias = at::ones({2, 8});
  while (bias.sizes().size() < x.sizes().size())
    bias = bias.unsqueeze(-1);
  return (x + bias).permute({0, 2, 3, 1});
}
at::Tensor atLeastThree(const at::Tensor &input) {
  auto x = at::ones({2, 8});
  while (x.dim() < 3)
    x = x.unsqueeze(-1);
  return x / x.size(3);
  // CHECK: :[[#@LINE-1]]:16: warning: size(3): dimension 3 of 'x' is out of range [-3, 2]; throws
}
