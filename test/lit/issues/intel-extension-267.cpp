// https://github.com/intel/intel-extension-for-pytorch/pull/267
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A sample that moves its data nowhere.

#include <tensortidy/aten.h>

at::Tensor bug(at::Tensor data, const at::Tensor &weight) {
  data.to(at::kDouble);
  // CHECK-MESSAGES: :[[#@LINE-1]]:8: warning: to() does not change 'data', and its result is thrown away [tensor-discarded-result]
  // CHECK-FIXES: {{^}}  data = data.to(at::kDouble);
  return data.matmul(weight);
}

at::Tensor fix(at::Tensor data, const at::Tensor &weight) {
  data = data.to(at::kDouble);
  return data.matmul(weight);
}
