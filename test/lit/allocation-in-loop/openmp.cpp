// RUN: not %tensortidy --checks=-*,tensor-allocation-in-loop,tensor-view-after-permute %s -- %plain-runtime -fopenmp | FileCheck %s --implicit-check-not=warning:
// What OpenMP divides among threads is code like any other.

#include <tensortidy/aten.h>

void scale(const at::Tensor &x, double *sums, int64_t n) {
  at::NoGradGuard guard;
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    auto total = torch::zeros({32});
    for (int64_t j = 0; j < n; ++j) {
      auto buffer = torch::empty({32});
      // CHECK: :[[#@LINE-1]]:28: warning: 'buffer' is allocated anew in every iteration {{.*}} [tensor-allocation-in-loop]
      buffer.copy_(x.select(0, i).select(0, j));
      total.add_(buffer);
    }
    sums[i] = total.sum().item<double>();
  }
}

at::Tensor merge(int64_t n, int64_t m) {
  auto x = torch::zeros({n, m}).t();
#pragma omp critical
  {
    x = x.view({n * m});
    // CHECK: :[[#@LINE-1]]:11: warning: view({n*m}) cannot merge {{.*}} [tensor-view-after-permute]
  }
  return x;
}
