// https://github.com/espnet/espnet/issues/1604
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A decoder adds a dimension to nothing.

#include <tensortidy/aten.h>

at::Tensor bug(at::Tensor vy, const at::Tensor &embedding) {
  vy.unsqueeze(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:6: warning: unsqueeze() does not change 'vy', and its result is thrown away [tensor-discarded-result]
  // CHECK-FIXES: {{^}}  vy = vy.unsqueeze(1);
  return vy * embedding;
}

at::Tensor fix(at::Tensor vy, const at::Tensor &embedding) {
  vy.unsqueeze_(1);
  return vy * embedding;
}
