// https://github.com/pytorch/pytorch/issues/101669
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A batch added to one matrix in place.

#include <tensortidy/aten.h>

void bug() {
  auto x = torch::randn({3, 3});
  x.add_(torch::randn({3, 3, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: add_(...) would give 3 dimensions, 'x' has 2; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [3, 3] here
  // CHECK-MESSAGES: note: the tensor is [3, 3, 3] here
}

void fix() {
  auto x = torch::randn({3, 3});
  x.add_(torch::randn({3, 3, 3}).sum(0));
}
