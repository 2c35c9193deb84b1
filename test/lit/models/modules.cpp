// A layer of another library, whose code is not seen: a user's model says what its settings are for.

// RUN: rm -rf %t && mkdir -p %t && cp %s %t/modules.cpp && cp %S/Inputs/modules.yaml %t/.tensortidy.yaml
// RUN: %exits 1 %tensortidy --quiet %t/modules.cpp -- %aten 2>&1 | FileCheck %s --implicit-check-not=warning:

#include <ATen/ATen.h>
#include <memory>

namespace my {
template <class T> struct Holder {
  template <class... A> explicit Holder(A &&...Settings);
  at::Tensor operator()(const at::Tensor &x) const;
  T *operator->() const;
};
struct DenseImpl {
  at::Tensor weight;
};
struct Dense : Holder<DenseImpl> {
  using Holder::Holder;
};
struct FlatImpl {};
struct Flat : Holder<FlatImpl> {
  using Holder::Holder;
};
} // namespace my

at::Tensor fits() {
  my::Dense layer(4, 8);
  return layer(at::zeros({2, 4})).view({16});
}

at::Tensor misfits() {
  my::Dense layer(4, 8);
  // CHECK: modules.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}shapes 2x5 and 4x8 cannot be multiplied; throws [tensor-shape-mismatch]
  return layer(at::zeros({2, 5}));
}

at::Tensor weight() {
  my::Dense layer(4, 8);
  // CHECK: modules.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}32 elements{{.*}}
  return layer->weight.view({33});
}

// Without a setting the first entry does not hold.
at::Tensor reshaped() {
  my::Flat all, six(6), seven(7);
  at::Tensor x = at::zeros({2, 3});
  at::Tensor y = all(x) + six(x);
  // CHECK: modules.cpp:[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}sizes 6 and 7 do not match{{.*}}
  // CHECK: modules.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}shape [7] does not fit the 6 elements{{.*}}
  return y + seven(x);
}
