// https://github.com/pytorch/pytorch/issues/16990
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// The pointer outlives the copy that contiguous() made.

#include <tensortidy/aten.h>

void pack(const float *p, int64_t rows, int64_t columns);

void bug(const at::Tensor &input) {
  const float *p = input.contiguous().data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:39: warning: data_ptr() points into a temporary, the result of contiguous(), that is gone at the end of this statement; only when 'input' is not contiguous
  pack(p, input.size(0), input.size(1));
}

void fix(const at::Tensor &input) {
  auto input_contiguous = input.contiguous();
  const float *p = input_contiguous.data_ptr<float>();
  pack(p, input.size(0), input.size(1));
}
