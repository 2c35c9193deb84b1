// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// Comparisons of one integer with different constants exclude each other.

#include <tensortidy/aten.h>

at::Tensor packed(const at::Tensor &colors, int64_t n, int64_t degree, int64_t mode) {
  TORCH_CHECK(degree >= -1 && degree <= 3);
  if (degree >= 0)
    TORCH_CHECK(colors.dim() == 3 && colors.size(0) == n && colors.size(1) == (degree + 1) * (degree + 1) &&
                colors.size(2) == 3);
  else
    TORCH_CHECK(colors.dim() == 2 && colors.size(0) == n && colors.size(1) == 3);
  if (degree == 3)
    return mode == 0 ? colors.clone() : colors.view({n, 48});
  return colors.flatten();
}
at::Tensor bySteps(const at::Tensor &x, int64_t k) {
  TORCH_CHECK(x.dim() == 2);
  if (k < 4)
    TORCH_CHECK(x.size(1) == 3);
  else
    TORCH_CHECK(x.size(1) == 5);
  if (k > 5)
    return x.matmul(torch::zeros({5, 2}));
  if (k <= 3)
    return x.matmul(torch::zeros({3, 2}));
  return x.matmul(torch::zeros({5, 2}));
}
at::Tensor overlapping(const at::Tensor &x, int64_t k) {
  TORCH_CHECK(x.dim() == 2);
  if (k < 4)
    TORCH_CHECK(x.size(1) == 3);
  if (k > 2)
    // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: matmul(...): shapes [x.size(0), 3] and 5x2 cannot be multiplied
    return x.matmul(torch::zeros({5, 2}));
  return x;
}
at::Tensor inLoop(const at::Tensor &x, int64_t n) {
  at::Tensor y = x;
  for (int64_t i = 0; i < n; ++i) {
    if (i < 1)
      y = torch::zeros({3, 4});
    if (i > 3)
      // CHECK-MESSAGES: :[[@LINE+1]]:13: warning: matmul(...): shapes 3x4 and 5x2 cannot be multiplied
      y = y.matmul(torch::zeros({5, 2}));
  }
  return y;
}
at::Tensor oneRankLeft(const at::Tensor &x) {
  TORCH_CHECK(x.dim() >= 2 && x.dim() <= 2);
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: permute({0, 2, 1})
  return x.permute({0, 2, 1});
}
at::Tensor noRankLeft(const at::Tensor &x) {
  auto last = x.size(1);
  if (x.dim() < 2)
    return x.view({last + 1, 0, 7}).matmul(torch::zeros({5, 2}));
  return x;
}

// A loop over the dimensions may run no time at all, which nobody means to say.
int64_t checkedAgainst(const at::Tensor &x, const at::Tensor &y) {
  for (int i = 0; i < x.dim(); ++i)
    if (x.size(i) != y.size(i))
      throw 1;
  int64_t rows = x.size(0);
  for (int64_t i = 1; i != y.dim(); ++i)
    rows += y.size(i);
  return rows + y.size(1);
}

int64_t untilThere(at::Tensor x) {
  while (x.dim() > 2)
    x = x.squeeze(0);
  return x.size(0);
}
