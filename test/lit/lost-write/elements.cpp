// RUN: %check %s --checks=-*,tensor-lost-write -- %runtime
// Writes to a packed copy through accessors, moving pointers and standard
// algorithms; gathered rows; elements of a list.

#include <algorithm>
#include <functional>
#include <tensortidy/aten.h>
#include <vector>
using at::Tensor;

void accessor(const Tensor &x) {
  auto y = x.contiguous();
  auto a = y.accessor<float, 2>();
  for (int64_t i = 0; i < a.size(0); ++i)
    a[i][0] = 0;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this write is lost: nothing reads 'y', the copy of 'x' that contiguous() makes where it is not contiguous [tensor-lost-write]
}

void row(const Tensor &x) {
  auto y = x.contiguous();
  auto a = y.accessor<float, 2>();
  auto first = a[0];
  first[1] += 3;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this write is lost: nothing reads 'y', the copy of 'x' that contiguous() makes where it is not contiguous [tensor-lost-write]
}

void walk(const Tensor &x) {
  auto y = x.contiguous();
  auto *p = y.data_ptr<float>();
  auto *end = p + y.numel();
  while (p != end)
    *p++ = 0;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this write is lost: nothing reads 'y', the copy of 'x' that contiguous() makes where it is not contiguous [tensor-lost-write]
}

void fill(const Tensor &x) {
  auto y = x.contiguous();
  std::fill_n(y.data_ptr<float>(), y.numel(), 0.0f);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: what fill_n() writes is lost: nothing reads 'y', the copy of 'x' that contiguous() makes where it is not contiguous [tensor-lost-write]
}

void gathered(const Tensor &w, const Tensor &rows, const Tensor &g) {
  auto part = at::index_select(w, 0, rows);
  part.add_(g);
  // CHECK-MESSAGES: :[[#@LINE-1]]:8: warning: add_() is lost: nothing reads 'part', the copy of 'w' that index_select() makes [tensor-lost-write]
}

void each(std::vector<Tensor> &params, const std::vector<Tensor> &grads) {
  for (size_t i = 0; i < params.size(); ++i) {
    auto p = params[i].contiguous();
    p.sub_(grads[i]);
    // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: sub_() is lost: nothing reads 'p', the copy of 'params[...]' that contiguous() makes where it is not contiguous [tensor-lost-write]
  }
}

float summed(const Tensor &x) {
  auto y = x.contiguous();
  auto a = y.accessor<float, 2>();
  float sum = 0;
  for (int64_t i = 0; i < a.size(0); ++i) {
    a[i][0] += 1;
    sum += a[i][0];
  }
  return sum;
}

void copiedBack(Tensor &x) {
  auto y = x.contiguous();
  auto a = y.accessor<float, 2>();
  a[0][0] = 1;
  x.copy_(y);
}

float *kept;
void keptElsewhere(const Tensor &x) {
  auto y = x.contiguous();
  auto *p = y.data_ptr<float>();
  auto *q = p + 1;
  kept = q;
  *q = 1;
}

void laterRun(const Tensor &x, std::vector<std::function<void()>> &tasks) {
  auto y = x.contiguous();
  auto *p = y.data_ptr<float>();
  tasks.push_back([p, y] { p[0] += 1; });
}

void put(Tensor &w, const Tensor &rows, const Tensor &g) {
  auto part = at::index_select(w, 0, rows);
  part.add_(g);
  w.index_copy_(0, rows, part);
}
