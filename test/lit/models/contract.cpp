// A contract holds inside the function, whichever declaration states it.
//
// RUN: %check %s -- %runtime

#include <tensortidy/aten.h>

void declared([[clang::annotate("tensortidy::contiguous")]] const at::Tensor &X);
void declared(const at::Tensor &X) {
  auto Y = X.contiguous();
// CHECK-MESSAGES: :[[@LINE-1]]:14: warning: contiguous() does nothing: 'X' is contiguous already
// CHECK-MESSAGES: :[[@LINE-3]]:15: note: 'X' is known to be contiguous from here
}

void other([[clang::annotate("unrelated")]] const at::Tensor &X) {
  auto Y = X.contiguous();
}
