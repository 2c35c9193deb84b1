// https://github.com/pytorch/pytorch/pull/101064
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// The sizes before resizing are wanted after it.

#include <tensortidy/aten.h>
#include <vector>

void tell(at::IntArrayRef before, at::IntArrayRef after);

void bug(at::Tensor out, const std::vector<int64_t> &sizes) {
  at::IntArrayRef before = out.sizes();
  out.resize_(sizes);
  tell(before, out.sizes());
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: used after resize_(): sizes() points to the sizes the tensor had [tensor-dangling-data-pointer]
}

void fix(at::Tensor out, const std::vector<int64_t> &sizes) {
  const std::vector<int64_t> before = out.sizes().vec();
  out.resize_(sizes);
  tell(before, out.sizes());
}
