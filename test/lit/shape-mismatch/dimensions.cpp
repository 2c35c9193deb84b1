// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// Dimensions, permutations, indices, ranges.

#include <tensortidy/aten.h>
using torch::indexing::Slice;

int64_t outOfRange() {
  auto x = torch::zeros({3, 4});
  return x.size(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: size(2): dimension 2 of 'x' is out of range [-2, 1]; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [3, 4] here
}

at::Tensor reduced() {
  auto x = torch::zeros({3, 4});
  return x.sum(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: sum({2}): dimension 2 of 'x' is out of range [-2, 1]; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [3, 4] here
}

at::Tensor permuted(int64_t n) {
  auto x = torch::zeros({n, 3, 4});
  auto y = x.permute({0, 2});
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: permute({0, 2}) names 2 dimensions, but 'x' has 3; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [n, 3, 4] here
  return x.permute({0, 2, 2});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: permute({0, 2, 2}): dimension 2 is named twice; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [n, 3, 4] here
}

at::Tensor transposed() {
  auto x = torch::zeros({2, 3, 4});
  return x.t();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: t() expects at most 2 dimensions, 'x' has 3; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [2, 3, 4] here
}

at::Tensor selected(int64_t n) {
  auto x = torch::zeros({n, 3});
  auto y = x.select(1, 3);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: select(1, 3): index 3 is out of range for size 3 of dimension 1; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [n, 3] here
  return x[n];
  // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: x[n]: index n is out of range for size n of dimension 0; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [n, 3] here
}

at::Tensor narrowed(int64_t n) {
  auto x = torch::zeros({n, 8});
  auto y = x.narrow(1, 6, 4);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: narrow(1, 6, 4): start 6 + length 4 exceeds the size 8; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [n, 8] here
  return x.narrow(0, 1, n);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: narrow(0, 1, n): start 1 + length n exceeds the size n; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [n, 8] here
}

at::Tensor indexed() {
  auto x = torch::zeros({2, 3});
  return x.index({Slice(), 3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: index({{.*}}): index 3 is out of range for size 3 of dimension 1; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [2, 3] here
}

at::Tensor pieces() {
  auto x = torch::zeros({10, 2});
  return x.split_with_sizes({3, 3, 3})[0];
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: split_with_sizes({3, 3, 3}): sizes sum to 9, the dimension has 10; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [10, 2] here
}

at::Tensor window() {
  auto x = torch::zeros({4});
  return x.unfold(0, 5, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: unfold(0, 5, 1): dimension 0 has size 4, the window 5; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [4] here
}

at::Tensor legal(int64_t n, const at::Tensor &p, int64_t i) {
  auto x = torch::zeros({n, 3});
  auto y = x.select(1, -3) + x.select(-1, 2) + x[n - 1].sum() + x[i].sum();
  auto z = x.narrow(1, 1, 2).sum(-1) + x.index({Slice(0, 100)}).sum(1);
  auto w = x.split_with_sizes({1, 2}, 1)[0];
  return p.permute({1, 0}).select(0, 5) + p.size(1) + y + z + w + x.unsqueeze(2).size(2);
}

at::Tensor tooFew(const at::Tensor &x) {
  if (x.dim() <= 2)
    return x.transpose(0, 2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: {{.*}} [tensor-shape-mismatch]
  return x.transpose(0, 2);
}

at::Tensor ordered(const at::Tensor &x) {
  if (x.dim() < 4)
    return x.permute({0, 2, 3, 1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: {{.*}} [tensor-shape-mismatch]
  return x.permute({0, 2, 3, 1});
}

at::Tensor enough(const at::Tensor &x) {
  if (x.dim() <= 3)
    return x.select(2, 0).narrow(-1, 0, 1);
  return x.transpose(0, 2);
}
