// https://github.com/pytorch/pytorch/issues/37346
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A view of the array behind braces.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor bug() {
  at::IntArrayRef sizes({64, 64, 64, 64});
  // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: this is a view of the array behind the braces, which is gone at the end of this statement [tensor-dangling-data-pointer]
  return at::zeros(sizes);
}

at::Tensor fix() {
  std::vector<int64_t> sizes({64, 64, 64, 64});
  return at::zeros(sizes);
}
