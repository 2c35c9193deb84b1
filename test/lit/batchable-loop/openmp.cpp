// RUN: %silent %s --checks=-*,tensor-batchable-loop -- %plain-runtime -fopenmp
// RUN: not %tensortidy --checks=-*,tensor-batchable-loop %s -- %plain-runtime | FileCheck %s
// No finding where OpenMP divides the loop among threads: that is another way
// to run it at once. Without -fopenmp it is a loop like any other.

#include <tensortidy/aten.h>

#include <vector>

at::Tensor rows(const at::Tensor &x, const at::Tensor &w) {
  TORCH_CHECK(x.dim() == 3 && w.dim() == 2, "");
  auto y = torch::zeros({x.size(0), x.size(1), w.size(1)});
#pragma omp parallel for
  for (int64_t i = 0; i < x.size(0); ++i)
    y[i] = x[i].matmul(w);
  // CHECK: :[[#@LINE-1]]:{{.*}} warning: {{.*}} [tensor-batchable-loop]
  return y;
}
