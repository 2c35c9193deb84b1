// https://github.com/pytorch/pytorch/pull/175500
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// An empty tensor is contiguous from the start.

#include <tensortidy/aten.h>

at::Tensor bug(int64_t n) {
  return torch::empty({n, 4}).contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:31: warning: contiguous() does nothing: its operand is contiguous already [tensor-redundant-contiguous]
  // CHECK-MESSAGES: note: {{.*}}empty
}

at::Tensor fix(int64_t n) { return torch::empty({n, 4}); }
