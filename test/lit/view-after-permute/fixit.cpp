// RUN: cp %s %t.cpp
// RUN: not %tensortidy --checks=-*,tensor-view-after-permute --fix %t.cpp -- %runtime
// RUN: FileCheck %s < %t.cpp --match-full-lines --strict-whitespace
// RUN: %settles %t.cpp --checks=-*,tensor-view-after-permute -- %runtime
// The fix-it renames view to reshape, and only where that is the same call.

#include <tensortidy/aten.h>

at::Tensor plain(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view(-1);
// CHECK:  return y.reshape(-1);
}

at::Tensor list(int64_t a, int64_t b) {
  return torch::zeros({a, b}).t().view({a * b});
// CHECK:  return torch::zeros({a, b}).t().reshape({a * b});
}

at::Tensor as(const at::Tensor &flat) {
  return torch::zeros({3, 4}).t().view_as(flat.view(12));
// CHECK:  return torch::zeros({3, 4}).t().reshape_as(flat.view(12));
}

// Written through, so a copy would lose the write: no fix-it.
void written(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  y.view(-1).fill_(1);
// CHECK:  y.view(-1).fill_(1);
}

void assigned(int64_t a, int64_t b, const at::Tensor &value) {
  auto y = torch::zeros({a, b}).t();
  y.view(-1) = value;
// CHECK:  y.view(-1) = value;
}

#define FLAT(x) (x).view(-1)

at::Tensor macro(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return FLAT(y);
// CHECK:  return FLAT(y);
}
