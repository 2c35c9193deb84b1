// https://github.com/pytorch/pytorch/issues/2599
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// fill_() of elements chosen by a list.

#include <tensortidy/aten.h>

void bug(at::Tensor x) {
  auto chosen = torch::arange(2);
  x.index({chosen}).fill_(100);
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: fill_() is lost: it writes to the copy that index() makes [tensor-lost-write]
  // CHECK-MESSAGES: note: index_put_() writes to the elements themselves
}

void fix(at::Tensor x) {
  auto chosen = torch::arange(2);
  x.index_fill_(0, chosen, 100);
}
