// https://github.com/pytorch/pytorch/pull/49192
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Pointers of temporaries: wrong when kept, fine within the statement.

#include <tensortidy/aten.h>

void copyOut(const float *from, int64_t n);

void bug(const at::Tensor &x) {
  const float *values = x.to(at::kFloat).data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:42: warning: data_ptr() points into a temporary, the result of to(), that is gone at the end of this statement; only when 'x' is not of that dtype and device already [tensor-dangling-data-pointer]
  copyOut(values, x.numel());
}

void fix(const at::Tensor &x) {
  copyOut(x.to(at::kFloat).contiguous().data_ptr<float>(), x.numel());
}
