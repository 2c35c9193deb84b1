// RUN: not %tensortidy --checks=-*,tensor-allocation-in-loop,tensor-hidden-copy %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Comparisons and arithmetic of numbers run no code that could change a tensor.

#include <tensortidy/aten.h>

at::Tensor untilItSettles(at::Tensor x, const at::Tensor &w, double tolerance) {
  double change = 1;
  while (change > tolerance) {
    auto wt = w.t().clone();
    // CHECK: :[[#@LINE-1]]:21: warning: 'wt' is the same copy in every iteration; hoist it out of the loop{{.*}} [tensor-allocation-in-loop]
    auto y = torch::mm(x, wt);
    change = (x - y).abs().max().item<double>();
    x = y;
  }
  return x;
}

at::Tensor flattened(at::Tensor x) {
  auto k = torch::rand({4, 4, 2}).transpose(0, 2);
  while (x.sum().item<float>() < 100) {
    x = x + k.reshape({-1});
    // CHECK: :[[#@LINE-1]]:15: warning: reshape() copies 'k' in every iteration (128 bytes each time) [tensor-hidden-copy]
  }
  return x;
}

// What a call does is not known, whatever it returns.
bool goesOn(at::Tensor &w);
at::Tensor untilTold(at::Tensor x, at::Tensor w) {
  while (goesOn(w)) {
    auto wt = w.t().clone();
    x = torch::mm(x, wt);
  }
  return x;
}

// The type of full() is that of its value.
at::Tensor filled(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    x = torch::where(torch::full({8}, true), x * torch::full({8}, 0.5), x + torch::full({8}, 2));
  // CHECK-DAG: :[[#@LINE-1]]:29: warning: the result of full() is allocated in every iteration with the same arguments; hoist it out of the loop (8 bytes each time)
  // CHECK-DAG: :[[#@LINE-2]]:57: warning: the result of full() is allocated in every iteration with the same arguments; hoist it out of the loop (32 bytes each time)
  // CHECK-DAG: :[[#@LINE-3]]:84: warning: the result of full() is allocated in every iteration with the same arguments; hoist it out of the loop (64 bytes each time)
  return x;
}
