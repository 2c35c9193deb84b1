// https://github.com/pytorch/FBGEMM/pull/588
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// contiguous() does not make its tensor contiguous.

#include <tensortidy/aten.h>

const int64_t *bug(const at::Tensor &indices, const at::Tensor &offsets) {
  offsets.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: contiguous() does not change 'offsets', and its result is thrown away [tensor-discarded-result]
  return offsets.data_ptr<int64_t>() + indices.numel();
}

int64_t fix(const at::Tensor &indices, const at::Tensor &offsets) {
  auto dense = offsets.contiguous();
  return dense.data_ptr<int64_t>()[indices.numel()];
}
