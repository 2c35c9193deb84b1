// https://github.com/artyom-beilis/pytorch_dlprim/pull/64
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// An in-place operation that works on a contiguous copy.

#include <tensortidy/aten.h>

at::Tensor &bug(at::Tensor &self) {
  auto dense = self.contiguous();
  dense.clamp_(0, 6);
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: clamp_() is lost: nothing reads 'dense', the copy of 'self' that contiguous() makes where 'self' is not contiguous [tensor-lost-write]
  // CHECK-MESSAGES: note: the copy is made here
  // CHECK-MESSAGES: note: 'self.copy_(dense)' afterwards takes it back
  return self;
}

at::Tensor &fix(at::Tensor &self) {
  auto dense = self.contiguous();
  dense.clamp_(0, 6);
  if (!self.is_contiguous())
    self.copy_(dense);
  return self;
}
