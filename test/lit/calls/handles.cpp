// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Code that is not seen does not turn a tensor it takes by value or by const
// reference, nor one it holds: only who has a reference or a pointer does.

#include <tensortidy/aten.h>

#include <vector>

void byValue(at::Tensor x);
void byConst(const at::Tensor &x);
void byReference(at::Tensor &x);
void byPointer(at::Tensor *x);
void other();

at::Tensor value(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  byValue(y);
  return y.view(-1);
  // CHECK-MESSAGES: [[@LINE-1]]:12: warning: view({-1}) cannot merge
  // CHECK-MESSAGES: note: 'y' got this layout here
  // CHECK-MESSAGES: note:
}

at::Tensor constReference(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  byConst(y);
  return y.contiguous();
  // CHECK-MESSAGES: [[@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already
  // CHECK-MESSAGES: note: 'y' is a fresh allocation made here
}

at::Tensor held(std::vector<at::Tensor> &list, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  list.push_back(y);
  other();
  return y.contiguous();
  // CHECK-MESSAGES: [[@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already
  // CHECK-MESSAGES: note: 'y' is a fresh allocation made here
}

at::Tensor reference(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  auto z = y;
  byReference(y);
  (void)z.contiguous();
  return y.contiguous();
}

at::Tensor pointer(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  byPointer(&y);
  return y.view(-1);
}

at::Tensor functionPointer(void (*f)(at::Tensor &), int64_t a) {
  auto y = torch::zeros({a, 2}).t();
  f(y);
  return y.view(-1);
}
