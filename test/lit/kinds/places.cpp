// RUN: not %tensortidy --checks=-*,tensor-* %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Pointers to pointers and fields behind pointers, each with a correct twin.
#include <ATen/ATen.h>
static void borrow(const at::Tensor &x, float **out) { *out = x.t().contiguous().data_ptr<float>(); }
// CHECK: :[[#@LINE-1]]:82: warning: data_ptr() is kept in '*out', which outlives the tensor it points into; only when its tens{{.*}}[tensor-dangling-data-pointer]
float first(const at::Tensor &x) {
  float *p = nullptr;
  borrow(x, &p);
  // CHECK: :[[#@LINE-1]]:3: warning: data_ptr() points into a temporary, the result of borrow(), that is gone at the end of thi{{.*}}[tensor-dangling-data-pointer]
  return p[0];
}
static void borrowFine(const at::Tensor &x, float **out) { *out = x.data_ptr<float>(); }
float firstFine(const at::Tensor &x) {
  float *p = nullptr;
  borrowFine(x, &p);
  return p[0];
}
static void take(char *&cursor, size_t n) { cursor += n; }
float cursors(const at::Tensor &x) {
  char *p = reinterpret_cast<char *>(x.contiguous().data_ptr());
  // CHECK: :[[#@LINE-1]]:53: warning: data_ptr() points into a temporary, the result of contiguous(), that is gone at the end of{{.*}}[tensor-dangling-data-pointer]
  take(p, 16);
  return *reinterpret_cast<float *>(p);
}
