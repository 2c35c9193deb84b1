// https://github.com/pytorch/pytorch/issues/76891
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// The first column of seventeen: right for the first sixteen only.

#include <tensortidy/aten.h>

at::Tensor bug(int64_t n) {
  auto c = torch::ones({n, 17});
  c.sub_(c.select(1, 0).unsqueeze(1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: sub_() writes 'c' while it reads an operand, a part of it; elements are read after they were overwritten, without an error [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'c' is [n, 17] here
  // CHECK-MESSAGES: note: the tensor is [n, 1] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return c;
}

at::Tensor fix(int64_t n) {
  auto c = torch::ones({n, 17});
  return c.sub(c.select(1, 0).unsqueeze(1));
}
