// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// Products whose inner sizes differ.

#include <tensortidy/aten.h>

at::Tensor matrices() {
  auto a = torch::zeros({3, 4});
  auto b = torch::zeros({5, 6});
  return a.matmul(b);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(b): shapes 3x4 and 5x6 cannot be multiplied; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-4]]:19: note: 'a' is [3, 4] here: zeros({3, 4})
  // CHECK-MESSAGES: :[[#@LINE-4]]:19: note: 'b' is [5, 6] here: zeros({5, 6})
}

at::Tensor transposeForgotten(int64_t n) {
  auto q = torch::zeros({n, 64});
  return torch::mm(q, torch::zeros({32, n}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: mm({{.*}}): shapes [n, 64] and [32, n] cannot be multiplied; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'q' is [n, 64] here
  // CHECK-MESSAGES: note: the tensor is [32, n] here
}

at::Tensor heads(int64_t t, int64_t h, int64_t d) {
  auto x = torch::zeros({t, h * d});
  return x.matmul(torch::zeros({d, d}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(...): shapes [t, h*d] and [d, d] cannot be multiplied; throws unless h is 1 [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [t, h*d] here
  // CHECK-MESSAGES: note: the tensor is [d, d] here
}

at::Tensor batched(int64_t b) {
  auto x = torch::zeros({b, 3, 4});
  return torch::bmm(x, torch::zeros({4, 5}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: bmm({{.*}}) expects 3 dimensions, the tensor has 2; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [b, 3, 4] here
  // CHECK-MESSAGES: note: the tensor is [4, 5] here
}

at::Tensor bias() {
  auto x = torch::zeros({2, 3}), w = torch::zeros({3, 4});
  return torch::addmm(torch::zeros({3}), x, w);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: addmm({{.*}}): size 3 of dimension 1 is neither 1 nor 4; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is [3] here
}

at::Tensor fits(int64_t n, int64_t k, const at::Tensor &x, const at::Tensor &w) {
  auto a = torch::zeros({n, k});
  a = a.matmul(torch::zeros({k, 3}));
  a = torch::addmm(torch::zeros({3}), a, torch::zeros({3, 3}));
  a = a.matmul(torch::zeros({3}));
  return x.matmul(w) + x.mm(w.t());
}

at::Tensor sizesMayAgree(int64_t n, int64_t k) {
  return torch::zeros({2, k}).matmul(torch::zeros({n, 3}));
}

void expected() {
  try {
    torch::zeros({2, 3}).matmul(torch::zeros({2, 3}));
  } catch (...) {
  }
}
