// What a user's model says of functions is asked for, and no names: these are called like nothing that ships.

// RUN: rm -rf %t && mkdir -p %t && cp %s %t/attributes.cpp && cp %S/Inputs/attributes.yaml %t/.tensortidy.yaml
// RUN: %exits 1 %tensortidy --quiet --config='{CheckOptions: {tensor-cache-flush-in-loop.Level: 2}}' %t/attributes.cpp -- %aten 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: rm %t/.tensortidy.yaml
// RUN: %tensortidy --quiet --config='{CheckOptions: {tensor-cache-flush-in-loop.Level: 2}}' %t/attributes.cpp -- %aten 2>&1 | FileCheck %s --check-prefix=WITHOUT --allow-empty
// WITHOUT-NOT: warning:

#include <ATen/ATen.h>

namespace my {
float *load(int64_t n);
void release(float *p);
void *grab(int64_t bytes);
at::Tensor soften(const at::Tensor &x);
void clearPool();
} // namespace my

// frees
at::Tensor borrows(int64_t n) {
  float *p = my::load(n);
  at::Tensor x = at::from_blob(p, {n});
  my::release(p);
  // CHECK: attributes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}'p', which was freed [tensor-from-blob-lifetime]
  return x + x;
}

// saves_result
void trains() {
  at::Tensor w = at::zeros({3}, at::TensorOptions().requires_grad(true));
  at::Tensor y = my::soften(w * 2);
  // CHECK: attributes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: add_() changes 'y', which the gradient of soften() needs; backward() throws [tensor-inplace-on-saved]
  y.add_(1);
  y.sum().backward();
}

// type_floating
at::Tensor divides() {
  at::Tensor x = my::soften(at::zeros({3}, at::kLong));
  // CHECK: attributes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}float32{{.*}} [tensor-shape-mismatch]
  return at::zeros({5}).index_select(0, x);
}

// empties_cache
at::Tensor flushes(at::Tensor x, int n) {
  for (int i = 0; i < n; ++i) {
    x = x * 2;
    // CHECK: attributes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: clearPool() in every iteration{{.*}} [tensor-cache-flush-in-loop]
    my::clearPool();
  }
  return x;
}

// gives_bytes
at::Tensor reads(int64_t n) {
  auto *p = static_cast<float *>(my::grab(n * sizeof(float)));
  // CHECK: attributes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: from_blob() reads 2*n elements of memory that has n [tensor-from-blob-lifetime]
  at::Tensor x = at::from_blob(p, {n, 2}).clone();
  my::release(p);
  return x;
}
