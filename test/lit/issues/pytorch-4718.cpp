// https://github.com/pytorch/pytorch/issues/4718
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// mul_() of a batch that was expanded in the middle.

#include <tensortidy/aten.h>

at::Tensor bug(const at::Tensor &scale) {
  auto a = torch::randn({2, 1, 2}).expand({2, 4, 2});
  a.mul_(scale);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: mul_() writes elements of 'a' more than once: a dimension of size 4 has stride 0; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'a' is [2, 4, 2] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return a;
}

at::Tensor fix(const at::Tensor &scale) {
  auto a = torch::randn({2, 1, 2}).expand({2, 4, 2});
  return a.mul(scale);
}
