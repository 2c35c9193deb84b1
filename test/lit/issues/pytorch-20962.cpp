// https://github.com/pytorch/pytorch/issues/20962
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Masked, then sliced, then assigned.

#include <tensortidy/aten.h>

void bug(at::Tensor a) {
  auto mask = a < 4;
  a.index({mask}).slice(0, 1) = torch::zeros({3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:31: warning: this assignment is lost: it writes to the copy that index() makes [tensor-lost-write]
  // CHECK-MESSAGES: note: index_put_() writes to the elements themselves
}

void fix(at::Tensor a) {
  auto where = (a < 4).nonzero().squeeze(1).slice(0, 1);
  a.index_put_({where}, torch::zeros({3}));
}
