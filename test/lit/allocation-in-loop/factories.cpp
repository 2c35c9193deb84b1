// RUN: not %tensortidy --checks=-*,tensor-allocation-in-loop %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// What counts as the same allocation.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor options(at::Tensor x, int64_t n) {
  const auto opts = at::TensorOptions().dtype(at::kDouble);
  for (int64_t i = 0; i < n; ++i) {
    auto zero = torch::zeros({10, 10}, opts);
    x = torch::maximum(x, zero);
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'zero' is allocated in every iteration with the same arguments{{.*}}(800 bytes each time) [tensor-allocation-in-loop]
  }
  return x;
}

// Sizes of a tensor the loop does not touch.
at::Tensor sizesOf(const at::Tensor &x, int64_t n) {
  const auto B = x.size(0), T = x.size(1);
  auto total = torch::zeros({B, T});
  for (int64_t i = 0; i < n; ++i) {
    auto mask = torch::ones({B, T});
    total = total + x * mask;
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'mask' is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
  }
  return total;
}

at::Tensor computedSizes(at::Tensor x, int64_t n, int64_t k) {
  const int64_t side = 2 * k + 1;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t area = side * side;
    auto kernel = torch::full({area}, 0.25);
    x = x + kernel;
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'kernel' is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
  }
  return x;
}

at::Tensor like(const at::Tensor &x, int64_t n) {
  auto total = x.clone();
  for (int64_t i = 0; i < n; ++i) {
    auto ones = torch::ones_like(x);
    total = total + ones;
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'ones' is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
  }
  return total;
}

// A copy of a tensor that does not change.
at::Tensor copyOfWeights(at::Tensor x, const at::Tensor &w, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto wt = w.t().contiguous();
    x = torch::matmul(x, wt);
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'wt' is the same copy in every iteration{{.*}} [tensor-allocation-in-loop]
  }
  return x;
}

at::Tensor cloneOfLocal(at::Tensor x, int64_t n) {
  const auto w = torch::ones({8, 4});
  for (int64_t i = 0; i < n; ++i) {
    auto wt = w.t().contiguous();
    x = torch::matmul(x, wt);
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'wt' is the same copy in every iteration{{.*}}(128 bytes each time) [tensor-allocation-in-loop]
  }
  return x;
}

at::Tensor conversion(at::Tensor x, int64_t n) {
  const auto table = torch::arange(0, 256);
  for (int64_t i = 0; i < n; ++i) {
    auto real = table.to(at::kFloat);
    x = x + real;
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: 'real' is the same copy in every iteration{{.*}} [tensor-allocation-in-loop]
  }
  return x;
}

// Used through a view, and only read.
at::Tensor throughView(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto table = torch::linspace(0.0, 1.0, 64);
    auto grid = table.view({8, 8});
    x = x + grid.t();
    // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: warning: 'table' is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
  }
  return x;
}

// Floating-point constants and expressions that do not change.
at::Tensor floats(at::Tensor x, int64_t n, int64_t T, double rate) {
  for (int64_t i = 0; i < n; ++i) {
    auto mask = torch::full({T, T}, -1e9);
    auto decay = torch::full({T}, 1.0 - 0.5 * rate);
    x = x + mask + decay;
    // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: warning: 'mask' is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
    // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: warning: 'decay' is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
  }
  return x;
}

// A list of the standard library keeps what it is given, and changes nothing else.
std::vector<at::Tensor> besideAList(at::Tensor x, const at::Tensor &w, int64_t n) {
  std::vector<at::Tensor> out;
  for (int64_t i = 0; i < n; ++i) {
    auto wt = w.t().contiguous();
    x = torch::matmul(x, wt);
    out.push_back(x);
    // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: warning: 'wt' is the same copy in every iteration{{.*}} [tensor-allocation-in-loop]
  }
  return out;
}

struct Store {
  Store(int64_t n, at::Device d);
  void put(const at::Tensor &t);
  at::Tensor held;
};

// What was made with a device does not hold it, nor change it.
void beside(int64_t n, at::Device device) {
  Store store(n, device);
  for (int64_t i = 0; i < n; ++i) {
    at::Tensor keys = torch::ones({4, 8}, device) * i;
    store.put(keys);
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: the result of ones() is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
  }
}
