// RUN: %silent %s --checks=-*,tensor-redundant-contiguous -- -std=c++17
// RUN: %silent %s --checks=-*,tensor-redundant-contiguous -- -std=c++17 -DTORCH_VERSION_MAJOR=1 -DTORCH_VERSION_MINOR=13
// RUN: %exits 1 %tensortidy --checks=-*,tensor-redundant-contiguous %s -- -std=c++17 -DTORCH_VERSION_MAJOR=2 -DTORCH_VERSION_MINOR=1 | FileCheck %s

// Since 2.0 the result of prelu() has the operand's strides; which release it is
// the version macros say.

#include "Inputs/current.h"

at::Tensor activated(const at::Tensor &weight) {
  at::Tensor x = at::rand({2, 3});
  // CHECK: release.cpp:[[@LINE+1]]:31: warning: contiguous() does nothing
  return at::prelu(x, weight).contiguous();
}
