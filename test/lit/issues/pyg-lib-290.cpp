// https://github.com/pyg-team/pyg-lib/pull/290
// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- %runtime
// One pointer for each matrix; the packed matrices die with the loop.

#include <tensortidy/aten.h>
#include <vector>

void groupedMatmul(float **inputs, int64_t n);

void bug(const std::vector<at::Tensor> &matrices) {
  std::vector<float *> pointers;
  for (size_t i = 0; i < matrices.size(); ++i) {
    auto packed = matrices[i].contiguous();
    pointers.push_back(packed.data_ptr<float>());
  }
  groupedMatmul(pointers.data(), static_cast<int64_t>(pointers.size()));
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: used after the end of its block: the tensor that data_ptr() points into is gone; only when its tensor is not contiguous, so tests with contiguous input pass [tensor-dangling-data-pointer]
}

void fix(const std::vector<at::Tensor> &matrices) {
  std::vector<at::Tensor> held;
  std::vector<float *> pointers;
  for (size_t i = 0; i < matrices.size(); ++i) {
    held.push_back(matrices[i].contiguous());
    pointers.push_back(held.back().data_ptr<float>());
  }
  groupedMatmul(pointers.data(), static_cast<int64_t>(pointers.size()));
}
