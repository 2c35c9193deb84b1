// https://github.com/NVIDIA/apex/pull/1573
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A gradient of [sequence, batch, hidden] that came from the other order.

#include <tensortidy/aten.h>

at::Tensor bug(int64_t batch, int64_t sequence, int64_t hidden) {
  auto grad = torch::ones({batch, sequence, hidden}).transpose(0, 1);
  return grad.view({sequence * batch, hidden});
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view({batch*sequence, hidden}) cannot merge dimensions 0 and 1 of 'grad'{{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'grad' got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}

at::Tensor fix(int64_t batch, int64_t sequence, int64_t hidden) {
  auto grad = torch::ones({batch, sequence, hidden}).transpose(0, 1);
  return grad.reshape({sequence * batch, hidden});
}
