// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch,tensor-view-after-permute %s -- %runtime-torch | FileCheck %s --implicit-check-not=warning:
// A constructor that the compiler writes runs what the fields are initialised with.

#include <tensortidy/torch.h>

struct Layer {
  at::Tensor weight = torch::zeros({3, 4});
  int64_t calls = 0;
  at::Tensor run(const at::Tensor &x) {
    ++calls;
    return torch::matmul(x, weight);
    // CHECK: :[[#@LINE-1]]:19: warning: matmul(x, {{.*}}.weight): shapes 2x4 and 3x4 cannot be multiplied; throws
  }
};
at::Tensor used() {
  Layer layer;
  return layer.run(torch::zeros({2, 4}));
}
at::Tensor read() {
  Layer first, second;
  second.weight = torch::zeros({4, 3});
  auto fits = torch::matmul(torch::zeros({2, 4}), second.weight);
  return torch::matmul(fits, torch::matmul(first.weight, second.weight)) +
         torch::matmul(torch::zeros({2, 4}), first.weight);
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: matmul(..., first.weight): shapes 2x4 and 3x4 cannot be multiplied; throws
}

struct Defaulted {
  at::Tensor turned = torch::zeros({3, 4}).t();
  at::Tensor none;
  Defaulted() = default;
};
at::Tensor flat() {
  Defaulted d;
  return d.turned.view({-1});
  // CHECK: :[[#@LINE-1]]:19: warning: view({-1}) cannot merge dimensions 0 and 1 of 'd.turned': sizes [4, 3], strides [1, 4]; throws
}

// Numbers alone need no constructor to be followed.
struct Sizes {
  int64_t rows = 2, columns = 4;
  at::Tensor made;
};
at::Tensor sized() {
  Sizes s;
  s.made = torch::zeros({s.columns, 3});
  return torch::matmul(torch::zeros({s.rows, s.columns}), s.made);
}
