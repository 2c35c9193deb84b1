// RUN: cp %s %t.cpp
// RUN: %tensortidy --checks=-*,tensor-dangling-data-pointer --fix %t.cpp -- %aten || true
// RUN: FileCheck %s --input-file=%t.cpp
// RUN: not %tensortidy --checks=-*,tensor-dangling-data-pointer %t.cpp -- %aten | FileCheck %s --check-prefix=AFTER
// RUN: %settles %t.cpp --checks=-*,tensor-dangling-data-pointer -- %aten
// REQUIRES: libtorch

#include <ATen/ATen.h>

float use(const float *p);

float named(const at::Tensor &x) {
  // CHECK: auto x_contiguous = x.contiguous();
  // CHECK-NEXT: const float *p = x_contiguous.data_ptr<float>();
  const float *p = x.contiguous().data_ptr<float>();
  return use(p);
}

// Not for several variables in one declaration.
// AFTER-NOT: warning
// AFTER: :[[#@LINE+4]]:{{.*}}warning: data_ptr() points into a temporary
float several(const at::Tensor &x) {
  // CHECK: const float *p = x.clone().data_ptr<float>(), *q = p;
  const float *p = x.clone().data_ptr<float>(), *q = p;
  return use(q);
}
// AFTER-NOT: warning
