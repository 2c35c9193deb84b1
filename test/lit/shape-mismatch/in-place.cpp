// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// What is written in place can neither grow nor change its dtype.

#include <tensortidy/aten.h>

void grows() {
  auto x = torch::zeros({3});
  x.add_(torch::ones({2, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: add_(...) would give 2 dimensions, 'x' has 1; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [3] here
  // CHECK-MESSAGES: note: the tensor is [2, 3] here
}

void longer(int64_t n) {
  auto x = torch::zeros({n, 3});
  auto y = torch::ones({n, 4});
  x += y;
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: x += y: size 4 does not fit into the size 3 of dimension 1 of 'x'; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [n, 3] here
  // CHECK-MESSAGES: note: 'y' is [n, 4] here
}

void element() {
  auto x = torch::zeros({2, 3});
  x[0] = torch::ones({2});
  // CHECK-MESSAGES: :[[#@LINE-1]]:8: warning: the assignment: size 2 does not fit into the size 3 of dimension 0; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is [3] here
  // CHECK-MESSAGES: note: the tensor is [2] here
}

void sum() {
  auto total = torch::zeros({1});
  auto x = torch::ones({4});
  total += x;
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: total += x: size 4 does not fit into the size 1 of dimension 0 of 'total'; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'total' is [1] here
  // CHECK-MESSAGES: note: 'x' is [4] here
}

void fractions() {
  auto steps = torch::arange(10);
  steps *= 0.5;
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: steps *= 0.5 gives float32, 'steps' has int64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here: arange(10)
  steps.div_(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: div_(2) gives float32, 'steps' has int64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here: arange(10)
}

void fits(int64_t n, const at::Tensor &p) {
  auto x = torch::zeros({n, 3});
  x += torch::ones({3});
  x.add_(torch::ones({n, 1}));
  x.mul_(torch::ones({}));
  x[0] = torch::ones({1});
  x += p;
  auto i = torch::arange(4);
  i *= 2;
  i.add_(torch::ones({4}, at::kLong));
  i.fill_(0.5);
}
