// RUN: %check %s --checks=-*,tensor-raw-pointer-layout --config='{CheckOptions: {tensor-raw-pointer-layout.Unchecked: true, tensor-raw-pointer-layout.NarrowIndex: true}}' -- %runtime
// RUN: %silent %s --checks=-*,tensor-raw-pointer-layout -- %runtime
// RUN: %clang-tidy --load %plugin --dump-config --checks=-*,tensor-raw-pointer-layout | FileCheck %s --check-prefix=STORED
// STORED-DAG: tensor-raw-pointer-layout.Unchecked: 'false'
// STORED-DAG: tensor-raw-pointer-layout.NarrowIndex: 'false'

#include <tensortidy/aten.h>

void rows(const float *p, int64_t n, int64_t m);
void strided(const float *p, int64_t n, int64_t m, int64_t row);
void kernel(const float *p, int n);

void unchecked(const at::Tensor &x) {
  rows(x.data_ptr<float>(), x.size(0), x.size(1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: 'rows' gets 'x' without its strides, and nothing has checked that it is contiguous [tensor-raw-pointer-layout]
}
void lastOnly(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 2 && x.stride(-1) == 1);
  rows(x.data_ptr<float>(), x.size(0), x.size(1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: 'rows' gets 'x' without its strides, and nothing has checked more than its last stride
}
float looped(const at::Tensor &x) {
  const float *p = x.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop treats 'x' as contiguous, and nothing has checked that it is contiguous
  float s = 0;
  for (int64_t i = 0; i < x.numel(); ++i)
    s += p[i];
  return s;
}
void checked(const at::Tensor &x, const at::Tensor &y) {
  TORCH_CHECK(x.is_contiguous());
  rows(x.data_ptr<float>(), x.size(0), x.size(1));
  strided(y.data_ptr<float>(), y.size(0), y.size(1), y.stride(0));
  auto z = y.contiguous();
  rows(z.data_ptr<float>(), z.size(0), z.size(1));
}

int narrow(const at::Tensor &x) {
  TORCH_CHECK(x.is_contiguous());
  int n = x.numel();
  // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: a number of elements becomes a 32-bit integer: wrong from 2^31 elements on
  int m = x.size(0) * x.size(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: a number of elements becomes
  kernel(x.data_ptr<float>(), x.numel());
  // CHECK-MESSAGES: :[[#@LINE-1]]:33: warning: a number of elements becomes
  int rows = x.size(0);
  int known = torch::zeros({4, 4}).numel();
  int64_t wide = x.numel();
  return n + m + rows + known + (wide > 1);
}
struct Launch {
  int count, rows;
  int dims[2];
};
void filled(const at::Tensor &x, Launch &l) {
  l.count = x.numel();
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: a number of elements becomes a 32-bit integer: wrong from 2^31 elements on
  l.dims[0] = x.numel();
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: a number of elements becomes
  l.rows = x.size(0);
  l.dims[1] = torch::zeros({4, 4}).numel();
  int later = 0;
  later = static_cast<int>(x.size(1));
  l.rows += later;
}
template <class A> void launch(A elements);
void accessors(const at::Tensor &x, const at::Tensor &y) {
  launch(x.packed_accessor32<float, 2>());
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: packed_accessor32() indexes with 32-bit integers: wrong from 2^31 elements on
  launch(y.packed_accessor64<float, 2>());
  auto z = torch::zeros({4, 4});
  launch(z.packed_accessor32<float, 2>());
}
int fits(const at::Tensor &x) {
  TORCH_CHECK(x.numel() <= 2147483647);
  int n = x.numel();
  return n;
}
