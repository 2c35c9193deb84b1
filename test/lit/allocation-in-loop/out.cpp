// RUN: %check %s --checks=-*,tensor-allocation-in-loop -- %runtime
// NAME_out(out, x, y) writes out and only reads x, whatever x is called.

#include <tensortidy/aten.h>
using at::Tensor;

Tensor constant(const Tensor &y, int n) {
  auto o = at::zeros({3, 3});
  for (int i = 0; i < n; ++i) {
    auto t = at::ones({3, 3});
    // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: 't' is allocated in every iteration with the same arguments; hoist it out of the loop
    at::add_out(o, t, y);
  }
  return o;
}
/// It is zero in each iteration, and filled after that.
Tensor filled(const Tensor &y, int n) {
  auto o = at::zeros({3, 3});
  for (int i = 0; i < n; ++i) {
    auto t = at::zeros({3, 3});
    at::add_out(o, t, y);
    t.fill_(2);
    o.mul_(t);
  }
  return o;
}
