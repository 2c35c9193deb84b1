// https://github.com/pytorch/tutorials/pull/1613
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// The tutorial's call that did nothing.

#include <tensortidy/aten.h>

float bug(const at::Tensor &image, const at::Tensor &warp) {
  auto turned = image.t();
  turned.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: contiguous() does not change 'turned', and its result is thrown away [tensor-discarded-result]
  // CHECK-FIXES: {{^}}  turned = turned.contiguous();
  return turned.data_ptr<float>()[0] + warp.sum().item<float>();
}

float fix(const at::Tensor &image, const at::Tensor &warp) {
  auto turned = image.t();
  turned = turned.contiguous();
  return turned.data_ptr<float>()[0] + warp.sum().item<float>();
}
