// RUN: not %tensortidy --checks=-*,tensor-allocation-in-loop %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Every kind of loop.

#include <tensortidy/aten.h>

#include <vector>

at::Tensor forLoop(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto mask = torch::ones({64, 64});
    x = x.mul(mask);
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'mask' is allocated in every iteration with the same arguments; hoist it out of the loop (16384 bytes each time) [tensor-allocation-in-loop]
  }
  return x;
}

at::Tensor rangeFor(at::Tensor x, const std::vector<int64_t> &steps, int64_t n) {
  for (int64_t step : steps) {
    auto bias = torch::full({n}, 0.5);
    x = x + bias * double(step);
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'bias' is allocated in every iteration with the same arguments; hoist it out of the loop{{.*}} [tensor-allocation-in-loop]
  }
  return x;
}

at::Tensor whileLoop(at::Tensor x, int64_t n) {
  while (n-- > 0) {
    auto eye = torch::eye(8);
    x = torch::matmul(x, eye);
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'eye' is allocated in every iteration with the same arguments{{.*}}(256 bytes each time) [tensor-allocation-in-loop]
  }
  return x;
}

at::Tensor doLoop(at::Tensor x, int64_t n) {
  do {
    at::Tensor ramp = torch::arange(0, 10);
    x = x + ramp;
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'ramp' is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
  } while (--n > 0);
  return x;
}

// Constant in the inner loop only.
at::Tensor nested(at::Tensor x, int64_t n) {
  for (int64_t i = 1; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      auto scale = torch::ones({i});
      x = x + scale.sum();
      // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'scale' is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
    }
  return x;
}

// A temporary without a name.
at::Tensor temporary(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    x = x + torch::ones({16});
    // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: the result of ones() is allocated in every iteration with the same arguments; hoist it out of the loop (64 bytes each time) [tensor-allocation-in-loop]
  return x;
}

at::Tensor loopInLambda(at::Tensor x, int64_t n) {
  auto run = [&] {
    for (int64_t i = 0; i < n; ++i) {
      auto ones = torch::ones({16});
      x = x + ones;
      // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'ones' is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
    }
  };
  run();
  return x;
}

at::Tensor endless(at::Tensor x) {
  for (;;) {
    auto ones = torch::ones({16});
    x = x + ones;
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'ones' is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
    if (x.dim() > 3)
      break;
  }
  return x;
}
