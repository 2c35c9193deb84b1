// RUN: %exits 2 %tensortidy --checks=-*,tensor-lost-write,tensor-dangling-data-pointer %s -- %runtime > %t.out
// RUN: FileCheck %s --implicit-check-not=warning: < %t.out
// A lambda in a function with an error: what it captures was made there, and
// that function is not read.

#include <tensortidy/aten.h>

void losses(float *out, const float *x, int64_t n);
// CHECK: error: {{.*}}notThere

at::Tensor broken(const at::Tensor &x) {
  auto out = torch::empty({x.size(0)});
  notThere(x);
  [&] { losses(out.contiguous().data_ptr<float>(), x.data_ptr<float>(), 3); }();
  return out;
}

at::Tensor twice(const at::Tensor &x) { return x; }
at::Tensor twice(const at::Tensor &x) {
  auto out = torch::empty({x.size(0)});
  [&] { losses(out.contiguous().data_ptr<float>(), x.data_ptr<float>(), 3); }();
  return out;
}

at::Tensor whole(const at::Tensor &x, at::Tensor out) {
  [&] { losses(out.contiguous().data_ptr<float>(), x.data_ptr<float>(), 3); }();
  // CHECK: :[[#@LINE-1]]:9: warning: what losses() writes is lost
  return out;
}
