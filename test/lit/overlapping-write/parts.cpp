// RUN: %check %s --checks=-*,tensor-overlapping-write -- %runtime
// A write that reads a part of what it writes.

#include <tensortidy/aten.h>

void firstRow() {
  auto x = torch::ones({3, 4});
  x -= x[0];
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: -= writes 'x' while it reads an operand, a part of it; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'x' is [3, 4] here
  // CHECK-MESSAGES: note: the tensor is [4] here: x[0]
  // CHECK-MESSAGES: note: clone() the tensor first
}

void firstElement() {
  auto x = torch::ones({10});
  x.div_(x[0]);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: div_() writes 'x' while it reads an operand, a part of it; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'x' is [10] here
  // CHECK-MESSAGES: note: the tensor is [] here: x[0]
  // CHECK-MESSAGES: note: clone() the tensor first
}

void firstColumn(int64_t n) {
  auto x = torch::ones({n, 4});
  x.sub_(x.narrow(1, 0, 1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: sub_() writes 'x' while it reads an operand, a part of it; elements are read after they were overwritten, without an error [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'x' is [n, 4] here
  // CHECK-MESSAGES: note: the tensor is [n, 1] here
  // CHECK-MESSAGES: note: clone() the tensor first
}

void diagonal() {
  auto x = torch::ones({3, 3});
  x.add_(x.diagonal());
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: add_() writes 'x' while it reads an operand, a part of it; elements are read after they were overwritten, without an error [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'x' is [3, 3] here
  // CHECK-MESSAGES: note: the tensor is [3] here
  // CHECK-MESSAGES: note: clone() the tensor first
}

void anyLayout(at::Tensor x) {
  x -= x[0];
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: -= writes 'x' while it reads an operand, a part of it; throws where it is dense, and reads elements after they were overwritten where not, unless x.size(0) is 1 [tensor-overlapping-write]
  // CHECK-MESSAGES: note: clone() the tensor first
}

void copied() {
  auto x = torch::ones({3, 4});
  x.copy_(x[0]);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: copy_() writes 'x' while it reads an operand, a part of the same memory; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'x' is [3, 4] here
  // CHECK-MESSAGES: note: the tensor is [4] here
  // CHECK-MESSAGES: note: clone() the tensor first
}

void together() {
  auto x = torch::ones({1, 4}).expand({4, 4});
  x.tril_();
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: tril_() writes elements of 'x' more than once: a dimension of size 4 has stride 0; elements that share memory change together, without an error [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'x' is [4, 4] here
  // CHECK-MESSAGES: note: clone() the tensor first
}

void silent(at::Tensor p, int64_t n) {
  auto x = torch::ones({3, 4});
  x -= x[0].clone();
  x /= x.sum(0);
  x[0] += x[1];
  x.copy_(x.select(1, 0).unsqueeze(1)); // each element gets itself or another
  x.div_(x.select(1, 3).unsqueeze(1));  // the last one is overwritten last
  x.narrow(0, 1, 2).sub_(x[0]);         // the first row is not written
  auto square = torch::ones({3, 3});
  square.add_(square.diagonal().clone());
  square.diagonal().add_(square.sum(0));
  auto one = torch::ones({1, n});
  p.sub_(one[0]);
}
