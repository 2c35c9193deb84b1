// RUN: %silent %s --checks=-*,tensor-allocation-in-loop -- %plain-runtime -fopenmp
// No finding: the iterations of a parallel loop cannot share a buffer.

#include <tensortidy/aten.h>

void scale(const at::Tensor &x, double *sums, int64_t n) {
  at::NoGradGuard guard;
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    auto buffer = torch::empty({32});
    buffer.copy_(x.select(0, i));
    buffer.mul_(2);
    sums[i] = buffer.sum().item<double>();
  }
}

// Nor if a directive divides two of them.
void grid(const at::Tensor &x, double *sums, int64_t n, int64_t m) {
  at::NoGradGuard guard;
#pragma omp parallel
  {
#pragma omp for collapse(2)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < m; ++j) {
        auto buffer = torch::empty({32});
        buffer.copy_(x.select(0, i).select(0, j));
        buffer.mul_(2);
        sums[i * m + j] = buffer.sum().item<double>();
      }
  }
}
