// RUN: %silent %s --checks=-*,tensor-redundant-contiguous -- -std=c++17
// RUN: %silent %s --checks=-*,tensor-redundant-contiguous -- -std=c++17 -DTORCH_VERSION_MAJOR=2 -DTORCH_VERSION_MINOR=1
// RUN: %exits 1 %tensortidy --checks=-*,tensor-redundant-contiguous %s -- -std=c++17 -DTORCH_VERSION_MAJOR=1 -DTORCH_VERSION_MINOR=13 | FileCheck %s

// Since 2.0 kron() is a product of two views, in the order of the operands.

#include "Inputs/current.h"

at::Tensor blocks(int64_t n, int64_t m) {
  at::Tensor x = at::rand({n, m}).transpose(0, 1);
  // CHECK: kron.cpp:[[@LINE+1]]:40: warning: contiguous() does nothing
  return at::kron(x, at::rand({1, 1})).contiguous();
}
