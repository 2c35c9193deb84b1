// RUN: not %tensortidy --checks=-*,tensor-view-after-permute,tensor-shape-mismatch,tensor-raw-pointer-layout %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// An element of a list of which nothing is known is the same tensor each time, until the list may change.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor rows(const std::vector<at::Tensor> &xs) {
  TORCH_CHECK(xs.size() == 2, "keys and values");
  TORCH_CHECK(xs[0].dim() == 3);
  return xs[0].transpose(1, 2).view({xs[0].size(0), -1}) * 2;
  // CHECK: :[[#@LINE-1]]:32: warning: view({xs[0].size(0), -1}) cannot merge dimensions 1 and 2: sizes [xs[0].size(0), xs[0].size(2), xs[0].size(1)], {{.*}} when 'xs[0]' is contiguous, unless xs[0].size(1) or xs[0].size(2) is 1 [tensor-view-after-permute]
}
at::Tensor both(at::TensorList xs) {
  TORCH_CHECK(xs[0].dim() == 2 && xs[1].dim() == 2);
  const auto n = xs[0].size(0);
  auto w = at::zeros({n + 1, 4});
  // CHECK: :[[#@LINE+1]]:20: warning: matmul(w): shapes [xs[0].size(1), n] and [n + 1, 4] cannot be multiplied; throws [tensor-shape-mismatch]
  return xs[0].t().matmul(w);
}
/// What is learnt in a branch is known after it, if both have it.
at::Tensor branch(const std::vector<at::Tensor> &xs, bool sum) {
  TORCH_CHECK(xs[1].dim() == 2);
  auto y = sum ? xs[1].sum() : xs[1].mean();
  // CHECK: :[[#@LINE+1]]:20: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [xs[1].size(1), xs[1].size(0)]
  return xs[1].t().view({-1}) + y;
}
float address(const std::vector<at::Tensor> &xs) {
  TORCH_CHECK(xs[0].dim() == 2);
  auto c = xs[0].t();
  const float *p = c.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: this loop takes the strides of 'c' for [xs[0].size(0), 1]
  float s = 0;
  for (int64_t i = 0; i < c.size(0); ++i)
    for (int64_t j = 0; j < c.size(1); ++j)
      s += p[i * c.size(1) + j];
  return s;
}

at::Tensor sizes(const std::vector<at::Tensor> &xs) {
  TORCH_CHECK(xs[0].dim() == 1 && xs[0].size(0) == 3);
  auto y = xs[1] * 2;
  // CHECK: :[[#@LINE+1]]:16: warning: ... + ...: sizes 3 and 4 do not match at dimension 0; throws [tensor-shape-mismatch]
  return xs[0] + at::zeros({4}) + y;
}

// Not reported: others, and lists that change between.
at::Tensor other(const std::vector<at::Tensor> &xs) {
  TORCH_CHECK(xs[0].dim() == 1 && xs[0].size(0) == 3);
  return xs[1] + at::zeros({4});
}
at::Tensor fine(const std::vector<at::Tensor> &xs) {
  TORCH_CHECK(xs[0].dim() == 1 && xs[0].size(0) == 3);
  return xs[0] + at::zeros({3});
}
at::Tensor assigned(std::vector<at::Tensor> xs, const at::Tensor &y) {
  TORCH_CHECK(xs[0].dim() == 1 && xs[0].size(0) == 3);
  xs[0] = y;
  return xs[0] + at::zeros({4});
}
void refill(std::vector<at::Tensor> &xs);
at::Tensor refilled(std::vector<at::Tensor> xs) {
  TORCH_CHECK(xs[0].dim() == 1 && xs[0].size(0) == 3);
  refill(xs);
  return xs[0] + at::zeros({4});
}
at::Tensor copied(const std::vector<at::Tensor> &xs, const std::vector<at::Tensor> &ys) {
  auto zs = xs;
  TORCH_CHECK(zs[0].dim() == 1 && zs[0].size(0) == 3);
  zs = ys;
  return zs[0] + at::zeros({4});
}
at::Tensor loop(std::vector<at::Tensor> xs, int n) {
  TORCH_CHECK(xs[0].dim() == 1 && xs[0].size(0) == 3);
  at::Tensor y = at::zeros({});
  for (int i = 0; i < n; ++i) {
    refill(xs);
    y = y + xs[0] + at::zeros({4});
  }
  return y;
}
