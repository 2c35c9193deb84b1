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
// Columns to the left: neither is dense, and what is read lies ahead. One thread reads it before it overwrites it; another that
// begins inside a row does not wait for it.
void columns(int64_t n) {
  auto x = at::zeros({n, 3});
  x.slice(1, 0, 2).copy_(x.slice(1, 1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: copy_() writes its target while it reads an operand, the same memory shifted by 1; the values are wrong where several threads or a GPU write [tensor-overlapping-write]
}
void columnsOfAny(Tensor x) {
  TORCH_CHECK(x.dim() == 2);
  x.slice(1, 0, -1).copy_(x.slice(1, 1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: copy_() writes its target while it reads an operand, the same memory shifted by 1; the values are wrong where several threads or a GPU write when 'x' is contiguous, unless x.size(1) - 1 is 1 [tensor-overlapping-write]
}

// The last steps of all environments, as many numbers each.
struct History {
  History(int64_t envs, int64_t width, int64_t steps) : envs(envs), width(width), steps(steps) {
    TORCH_CHECK(steps > 2, "a history of some steps");
    buffer = at::zeros({envs, width * steps});
  }
  void push(const Tensor &now) {
    const int64_t kept = width * (steps - 1);
    Tensor older = buffer.slice(1, 0, kept);
    older.copy_(buffer.slice(1, width, width * steps));
    // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: copy_() writes 'older' while it reads an operand, the same memory shifted by width; the values are wrong where several threads or a GPU write
    buffer.slice(1, kept).copy_(now);
  }
  void pushCopy(const Tensor &now) {
    const int64_t kept = width * (steps - 1);
    buffer.slice(1, 0, kept).copy_(buffer.slice(1, width, width * steps).clone());
    buffer.slice(1, kept).copy_(now);
  }

private:
  int64_t envs, width, steps;
  Tensor buffer;
};

// So few that there is one thread, and on a GPU.
void few() {
  auto x = at::zeros({64, 128});
  x.slice(1, 0, 127).copy_(x.slice(1, 1));
  auto y = at::zeros({64, 128}, at::kCUDA);
  y.slice(1, 0, 127).copy_(y.slice(1, 1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: copy_() writes its target while it reads an operand, the same memory shifted by 1; the values are wrong where several threads or a GPU write
}
// Two steps: what moves is what is overwritten by none.
void halves(int64_t n, int64_t k) {
  auto x = at::zeros({n, 2 * k});
  x.slice(1, 0, k).copy_(x.slice(1, k));
}
