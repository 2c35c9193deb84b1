// RUN: %check %s --checks=-*,tensor-redundant-contiguous -- %runtime
// resize_() to other sizes packs; to the sizes a tensor has it changes nothing.

#include <tensortidy/aten.h>

at::Tensor any(at::Tensor x, int64_t n) {
  x.resize_({n});
  return x.contiguous();
}

at::Tensor packed(int64_t n) {
  auto x = at::zeros({3, 4});
  x.resize_({n});
  return x.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already [tensor-redundant-contiguous]
}
