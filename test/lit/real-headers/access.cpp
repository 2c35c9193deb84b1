// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch,tensor-lost-write,tensor-overlapping-write %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Accessors, pointers, writes and convolutions behind <ATen/ATen.h>.

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
using at::indexing::Slice;

float packed(int64_t n) {
  auto x = at::zeros({n, 4});
  auto a = x.packed_accessor32<float, 3>();
  // CHECK: :[[#@LINE-1]]:14: warning: packed_accessor32() expects 3 dimensions, 'x' has 2; throws [tensor-shape-mismatch]
  return a[0][0][0];
}

int64_t old(int64_t n) {
  auto x = at::zeros({n}, at::kInt);
  return *x.data<int64_t>();
  // CHECK: :[[#@LINE-1]]:13: warning: data() asks for int64, 'x' has int32; throws [tensor-shape-mismatch]
}

void dispatched(at::Tensor out) {
  auto x = at::zeros({4}, at::kDouble);
  AT_DISPATCH_FLOATING_TYPES(out.scalar_type(), "dispatched", [&] { out.fill_(*x.to(out.scalar_type()).data_ptr<scalar_t>()); });
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "dispatched", [&] { out.fill_(*x.data_ptr<scalar_t>()); });
}

at::Tensor transposed(int64_t n) {
  return at::conv_transpose2d(at::zeros({n, 3, 8, 8}), at::zeros({4, 5, 3, 3}));
  // CHECK: :[[#@LINE-1]]:14: warning: conv_transpose2d(..., ...): the weight wants 4 channels in 1 group, the input has 3; throws [tensor-shape-mismatch]
}

at::Tensor grouped(int64_t n) {
  return at::conv2d(at::zeros({n, 4, 8, 8}), at::zeros({4, 2, 3, 3}), {}, at::IntArrayRef{1}, at::IntArrayRef{0}, at::IntArrayRef{1}, 2);
}

void masked(at::Tensor x, const at::Tensor &y) {
  x.index({x > 0}) = y;
  // CHECK: :[[#@LINE-1]]:20: warning: this assignment is lost: it writes to the copy that index() makes [tensor-lost-write]
  x.index({Slice(), 0}) = y;
}

void rows(at::Tensor x) {
  auto first = x[0];
  first = at::zeros_like(first);
  // CHECK: :[[#@LINE-1]]:3: warning: this assignment is lost: it changes only the handle{{.*}} [tensor-lost-write]
}

void centre(int64_t n) {
  auto x = at::rand({n, 3});
  x -= x[0];
  // CHECK: :[[#@LINE-1]]:5: warning: -= writes 'x' while it reads an operand, a part of it; throws unless n is 1 [tensor-overlapping-write]
  x -= x.mean(0);
}
