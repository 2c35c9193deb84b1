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
