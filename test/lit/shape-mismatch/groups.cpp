// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Each group of a convolution gives as many channels; what is written by
// index_put_() is a part.

#include <tensortidy/aten.h>

using torch::indexing::Slice;

at::Tensor odd() {
  auto x = torch::rand({1, 4, 8, 8}), w = torch::rand({15, 2, 3, 3});
  return at::conv2d(x, w, at::Tensor(), at::IntArrayRef{1, 1}, at::IntArrayRef{0, 0}, at::IntArrayRef{1, 1}, 2);
  // CHECK: :[[#@LINE-1]]:14: warning: conv2d({{.*}}): size 15 of dimension 0 of 'w' is no multiple of 2; throws [tensor-shape-mismatch]
}

at::Tensor even() {
  auto x = torch::rand({1, 4, 8, 8}), w = torch::rand({16, 2, 3, 3});
  return at::conv2d(x, w, at::Tensor(), at::IntArrayRef{1, 1}, at::IntArrayRef{0, 0}, at::IntArrayRef{1, 1}, 2);
}

at::Tensor symbolic(int64_t out) {
  auto x = torch::rand({1, 4, 8, 8}), w = torch::rand({out, 2, 3, 3});
  return at::conv2d(x, w, at::Tensor(), at::IntArrayRef{1, 1}, at::IntArrayRef{0, 0}, at::IntArrayRef{1, 1}, 2);
}

// The note does not say that 'img' is [3, 16, 16].
at::Tensor part() {
  auto img = torch::zeros({3, 32, 32});
  img.index_put_({Slice(), Slice(0, 16), Slice(0, 16)}, torch::ones({3, 8, 8}));
  // CHECK: :[[#@LINE-1]]:7: warning: index_put_({{.*}}): size 8 does not fit into the size 16 of dimension 1; throws [tensor-shape-mismatch]
  // CHECK-NOT: 'img' is
  // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: note: the tensor is [3, 8, 8] here: ones({3, 8, 8})
  return img;
}

