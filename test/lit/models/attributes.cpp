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
int64_t same(int64_t n);
bool failsUnlessEqual(const char *text, int64_t a, int64_t b);
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

// hands_on: what is known of the number stays known.
at::Tensor handed() {
  at::Tensor x = at::zeros({my::same(3), 4});
  // CHECK: attributes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: view({8}): shape [8] does not fit the 12 elements of 'x'; throws [tensor-shape-mismatch]
  return x.view({8});
}

// tells_unequal, of the two integers: what a macro that checks is made of.
at::Tensor checked(int64_t n) {
  if (my::failsUnlessEqual("n == 3", n, 3))
    throw n;
  at::Tensor x = at::zeros({n, 4});
  // CHECK: attributes.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: view({8}): shape [8] does not fit the 12 elements of 'x'; throws [tensor-shape-mismatch]
  return x.view({8});
}
