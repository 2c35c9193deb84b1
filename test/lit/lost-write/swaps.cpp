// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-lost-write,tensor-overlapping-write -- %torch
// Elements that were to be swapped through a view of them.

#include <torch/torch.h>

using at::Tensor;

void rows(Tensor x) {
  auto a = x[0];
  x[0] = x[1];
  x[1] = a;
  // CHECK-MESSAGES: :[[#@LINE-1]]:8: warning: this copies elements to themselves: 'a' is a view of what was overwritten since; what it was to keep is lost [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-3]]:8: note: overwritten here
  // CHECK-MESSAGES: :[[#@LINE-5]]:8: note: 'a' is a view here: clone() keeps the elements
}
void shuffled(Tensor data, const std::vector<int64_t> &order) {
  for (size_t k = 0; k < order.size(); ++k) {
    const int64_t i = static_cast<int64_t>(k), j = order[k];
    Tensor tmp = data[i];
    data[i] = data[j];
    data[j] = tmp;
    // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: this copies elements to themselves: 'tmp' is a view
  }
}
void reversed(Tensor x) {
  const int64_t n = x.size(0);
  for (int64_t i = 0; i < n / 2; ++i) {
    Tensor t = x.select(0, i);
    x.select(0, i).copy_(x.select(0, n - 1 - i));
    x.select(0, n - 1 - i).copy_(t);
    // CHECK-MESSAGES: :[[#@LINE-1]]:28: warning: this copies elements to themselves: 't' is a view
  }
}
void halves(Tensor x) {
  auto left = x.slice(1, 0, 2);
  x.slice(1, 0, 2) = x.slice(1, 2, 4);
  x.slice(1, 2, 4) = left;
  // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: this copies elements to themselves: 'left' is a view
}

// Handles of two buffers: `t = front` copies no elements.
struct Buffers {
  Tensor front = torch::zeros({8}), back = torch::zeros({8});
  void swap() {
    Tensor t = front;
    front.copy_(back);
    back.copy_(t);
    // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: this copies elements to themselves: 't' is a view
  }
  void swapHandles() {
    Tensor t = front;
    front = back;
    back = t;
  }
  void advance(const Tensor &next) {
    back.copy_(front);
    front.copy_(next);
  }
};

// What was kept is a copy, or not what is overwritten.
void kept(Tensor x, const Tensor &other) {
  auto a = x[0].clone();
  x[0] = x[1];
  x[1] = a;
  auto b = x[0] + 0;
  x[0] = x[1];
  x[1] = b;
}
void elsewhere(Tensor x, Tensor y, int64_t i) {
  auto a = x[0];
  x[0] = x[1];
  y[1] = a;
  auto t = x[i];
  x[i] = x[i + 1];
  ++i;
  x[i + 1] = t;
}
void after(Tensor x) {
  x[0] = x[1];
  auto a = x[0];
  x[1] = a;
  x[2] = a;
}
void otherView(Tensor x) {
  auto a = x[0];
  x[0] = x[1];
  a = x[2];
  x[1] = a;
}
