// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-shape-mismatch -- %aten 2>&1 | FileCheck %s --implicit-check-not=warning:

// What masked_fill() gives is of the sizes that the tensor and the mask have together.

#include <ATen/ATen.h>

// One row that grows to the rows of the mask.
at::Tensor highest(at::Tensor x) {
  at::Tensor best = x.amax({0}, true).masked_fill(x.gt(2), 1);
  TORCH_CHECK(best.size(0) == 4, "four rows");
  return best;
}

// The row alone has no four.
at::Tensor lowest(at::Tensor x) {
  at::Tensor least = x.amin({0}, true);
  // CHECK: masked-fill.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}} [tensor-shape-mismatch]
  TORCH_CHECK(least.size(0) == 4, "four rows");
  return least;
}

// Half precision ends at 65504, and libtorch refuses to fill with more; infinity is a number of the type.
constexpr double kHidden = -2.3819763e38;

at::Tensor hide(const at::Tensor &q, const at::Tensor &k, const at::Tensor &seen) {
  auto scores = at::matmul(q.to(at::kHalf), k.to(at::kHalf).transpose(-2, -1)) * 0.125;
  auto hidden = seen.logical_not();
  // CHECK: masked-fill.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: masked_fill(hidden, -2.3819763E+38) needs a type that has -2.3819763E+38, 'scores' has float16; throws [tensor-shape-mismatch]
  auto a = scores.masked_fill(hidden, kHidden);
  // CHECK: masked-fill.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: masked_fill_(hidden, -1.0E+9) needs a type that has -1.0E+9, 'scores' has float16; throws [tensor-shape-mismatch]
  scores.masked_fill_(hidden, -1e9);
  return a;
}

at::Tensor hideRight(const at::Tensor &q, const at::Tensor &k, const at::Tensor &seen) {
  auto scores = at::matmul(q.to(at::kHalf), k.to(at::kHalf).transpose(-2, -1)) * 0.125;
  auto hidden = seen.logical_not();
  scores.masked_fill_(hidden, -65504.0);
  auto wide = scores.to(at::kFloat).masked_fill(hidden, kHidden);
  return wide + scores.masked_fill(hidden, -std::numeric_limits<float>::infinity()) +
         scores.to(at::kBFloat16).masked_fill(hidden, kHidden);
}
