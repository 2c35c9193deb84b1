// RUN: %check %s --checks=-*,tensor-overlapping-write -- %runtime
// Operands in lists, gathered rows of the written tensor, and an operand that is
// copied before anything is written.

#include <tensortidy/aten.h>

void joined() {
  auto x = torch::zeros({8, 4});
  auto half = x.narrow(0, 0, 4);
  at::cat_out(x, {half, torch::ones({4, 4})});
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: cat_out() writes 'x' while it reads 'half', a part of the same memory; throws [tensor-overlapping-write]
}
void apart() {
  auto x = torch::zeros({8, 4});
  auto half = torch::ones({4, 4});
  at::cat_out(x, {half, half});
}
void rows() {
  auto x = torch::zeros({8, 4});
  auto i = torch::tensor({0, 1});
  x.index_copy_(0, i, x.narrow(0, 2, 2));
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: index_copy_() writes 'x' while it reads an operand, a part of the same memory; throws [tensor-overlapping-write]
  x.index_add_(0, i, x.narrow(0, 2, 2));
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: index_add_() writes 'x' while it reads an operand, a part of the same memory; throws [tensor-overlapping-write]
  x.index_copy_(0, i, x.narrow(0, 2, 2).clone());
}
void put() {
  auto x = torch::zeros({4, 4});
  x.index_put_({torch::tensor({0, 1})}, x.narrow(0, 1, 2));
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: index_put_() writes 'x' while it reads an operand, a part of the same memory; throws [tensor-overlapping-write]
  x.index_put_({torch::tensor({0, 1})}, x.narrow(0, 1, 2).clone());
}

// One element onto itself.
void oneNumber() {
  auto u = at::zeros({1});
  u.index_put_({at::tensor(0, at::kLong)}, u);
}
