// RUN: %silent %s --checks=-*,tensor-redundant-contiguous,tensor-view-after-permute -- -std=c++17
// RUN: %silent %s --checks=-*,tensor-redundant-contiguous,tensor-view-after-permute -- -std=c++17 -DTORCH_VERSION_MAJOR=1 -DTORCH_VERSION_MINOR=13
// RUN: %exits 1 %tensortidy --checks=-*,tensor-redundant-contiguous,tensor-view-after-permute %s -- -std=c++17 -DTORCH_VERSION_MAJOR=2 -DTORCH_VERSION_MINOR=1 | FileCheck %s --implicit-check-not=warning:
// RUN: %exits 1 %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 -DWRONG | FileCheck %s --check-prefix=SIZES --implicit-check-not=warning:

// Since 2.0 the copy of a view is packed; before, it kept the order of the elements.

#include "Inputs/current.h"

at::Tensor turned(int64_t n, int64_t c) {
  at::Tensor x = at::rand({n, c});
  // CHECK: copied-views.cpp:[[@LINE+1]]:38: warning: contiguous() does nothing
  return at::permute_copy(x, {1, 0}).contiguous();
}

at::Tensor viewed(int64_t n, int64_t c) {
  at::Tensor x = at::rand({n, c});
  return at::permute_copy(x, {1, 0}).view({-1});
}

// It shares nothing.
at::Tensor written(int64_t n, int64_t c) {
  at::Tensor x = at::rand({n, c}), y = at::permute_copy(x, {1, 0});
  return x + y.transpose(0, 1);
}

#ifdef WRONG
at::Tensor dots() {
  at::Tensor x = at::permute_copy(at::rand({3, 4}), {1, 0}), y = at::rand({3, 5});
  // SIZES: copied-views.cpp:[[@LINE+1]]:14: warning: linalg_vecdot(x, y): sizes 3 and 5 do not match at dimension 1; throws
  return at::linalg_vecdot(x, y);
}
#endif
