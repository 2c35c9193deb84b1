// RUN: %check %s --checks=-*,tensor-view-after-permute -- %runtime
// Dimensions in the middle that are swapped are no image's: nobody has that in
// channels-last, which would make the view legal. Of images it may be.

#include <tensortidy/aten.h>
using at::Tensor;

Tensor batches(const Tensor &q) {
  const Tensor p = q.permute({0, 2, 1, 3});
  return p.view({q.size(0) * q.size(2), q.size(1), q.size(3)});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({q.size(0)*q.size(2), q.size(1), q.size(3)}) cannot merge dimensions 0 and 1 of 'p'
}
Tensor transposed(const Tensor &q) {
  TORCH_CHECK(q.dim() == 4);
  return q.transpose(1, 2).view({-1, q.size(1), q.size(3)});
  // CHECK-MESSAGES: :[[#@LINE-1]]:28: warning: view({-1, q.size(1), q.size(3)}) cannot merge dimensions 0 and 1
}
Tensor pixels(const Tensor &x) {
  return x.permute({0, 2, 3, 1}).view({-1, x.size(1)});
}
Tensor lines(const Tensor &x) {
  TORCH_CHECK(x.dim() == 4);
  return x.transpose(1, 3).transpose(1, 2).view({-1, x.size(1)});
}
