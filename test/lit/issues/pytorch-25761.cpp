// https://github.com/pytorch/pytorch/issues/25761
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// An image sent to the device is still on the CPU.

#include <tensortidy/aten.h>

at::Tensor bug(at::Tensor image) {
  image.to(at::kCUDA);
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: to() does not change 'image', and its result is thrown away [tensor-discarded-result]
  return image;
}

at::Tensor fix(at::Tensor image) {
  image = image.to(at::kCUDA);
  return image;
}
