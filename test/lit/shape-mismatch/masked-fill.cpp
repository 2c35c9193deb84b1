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
