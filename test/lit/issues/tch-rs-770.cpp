// https://github.com/LaurentMazare/tch-rs/issues/770
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Values of those next states that are not final.

#include <tensortidy/aten.h>

at::Tensor bug(int64_t batch, const at::Tensor &going, const at::Tensor &best) {
  auto values = torch::zeros({batch});
  values.index({going > 0}).copy_(best);
  // CHECK-MESSAGES: :[[#@LINE-1]]:29: warning: copy_() is lost: it writes to the copy that index() makes [tensor-lost-write]
  // CHECK-MESSAGES: note: index_put_() writes to the elements themselves
  return values;
}

at::Tensor fix(int64_t batch, const at::Tensor &going, const at::Tensor &best) {
  auto values = torch::zeros({batch});
  values.index_put_({going > 0}, best);
  return values;
}
