// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// What the first iteration of a loop says of its bound: without one, there is at most one slice.

#include <tensortidy/torch.h>

at::Tensor sumOfAll(int64_t b, int64_t c, int64_t d) {
  auto x = at::zeros({b, c, d});
  auto sum = x.select(1, 0);
  for (int64_t i = 1; i < c; ++i)
    sum = sum + x.select(1, i);
  return sum.view({-1});
}

at::Tensor sumOfSome(int64_t b, int64_t c, int64_t d) {
  auto x = at::zeros({b, c, d});
  auto sum = x.select(1, 0);
  for (int64_t i = 2; i < c; ++i)
    sum = sum + x.select(1, i);
  return sum.view({-1});
  // CHECK: :[[#@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'sum'{{.*}}throws unless b, c or d is 1
}

// An outer loop goes on with what the inner one has left.
at::Tensor nested(int64_t b, int64_t c, int64_t d, int64_t n) {
  auto x = at::zeros({b, c, d});
  auto sum = x.select(1, 0);
  for (int64_t k = 0; k < n; ++k)
    for (int64_t i = 1; i < c; ++i)
      sum = sum + x.select(1, i);
  return sum.view({-1});
  // CHECK: :[[#@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'sum'{{.*}}throws unless b, c or d is 1
}
