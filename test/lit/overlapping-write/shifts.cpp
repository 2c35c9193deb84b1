// RUN: %check %s --checks=-*,tensor-overlapping-write -- %runtime
// Rows that move up or down in the memory they are in.

#include <tensortidy/aten.h>

using at::Tensor;

struct Ring {
  Tensor rows = at::zeros({16, 8});
  void load(const char *path); // elsewhere
  void push(const Tensor &row) {
    rows.slice(0, 0, -1).copy_(rows.slice(0, 1));
    // CHECK-MESSAGES: :[[#@LINE-1]]:26: warning: copy_() writes its target while it reads an operand, the same memory shifted by 1; throws when 'rows' is contiguous, unless rows.size(0) - 1 is 1 [tensor-overlapping-write]
    // CHECK-MESSAGES: note: the tensor is [rows.size(0) - 1, ...] here
    // CHECK-MESSAGES: note: the tensor is [rows.size(0) - 1, ...] here
    // CHECK-MESSAGES: note: clone() the tensor first
    rows[-1].copy_(row);
  }
  void right(const Tensor &row) {
    rows.slice(0, 0, -1).copy_(rows.slice(0, 1).clone());
    rows[-1].copy_(row);
  }
};

void made(int64_t n) {
  auto x = at::zeros({n, 3});
  x.narrow(0, 0, n - 1) = x.narrow(0, 1, n - 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: = writes its target while it reads an operand, the same memory shifted by 1; throws unless n - 1 is 1 [tensor-overlapping-write]
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note:
}

void down(Tensor x) {
  x.slice(0, 1).copy_(x.slice(0, 0, -1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: copy_() writes its target while it reads an operand, the same memory shifted by 1; throws where both are dense, and the values are wrong where not, unless x.size(0) - 1 is 1 [tensor-overlapping-write]
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note:
}

// Half of them, or none, meet: nobody knows.
void byMany(int64_t n, int64_t k) {
  auto x = at::zeros({n, 3});
  x.slice(0, 0, n - k).copy_(x.slice(0, k));
  x.slice(0, 0, n - 5).copy_(x.slice(0, 5));
}
// Columns to the left: neither is dense, and what is read lies ahead.
void columns(int64_t n) {
  auto x = at::zeros({n, 3});
  x.slice(1, 0, 2).copy_(x.slice(1, 1));
}
void columnsOfAny(Tensor x) {
  TORCH_CHECK(x.dim() == 2);
  x.slice(1, 0, -1).copy_(x.slice(1, 1));
}
