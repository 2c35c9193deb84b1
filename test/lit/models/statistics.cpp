// REQUIRES: libtorch
// RUN: %tensortidy --stats --checks=tensor-view-after-permute %s -- %aten 2>&1 | FileCheck %s

// A model that says nothing of the result's layout is not counted as one that
// does.

#include <ATen/ATen.h>

at::Tensor f(const at::Tensor &x) {
  return x.add(1).to_sparse().exp();
}

// CHECK: calls modelled: 2 of 3 (67 %)
// CHECK-NEXT: calls known but for their result's layout, by name:
// CHECK-NEXT: 1  to_sparse
