// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s
// Twelve independent ifs are 4096 paths: what none of them touches is still decided.

#include <tensortidy/aten.h>

at::Tensor twelve(const bool *c) {
  at::Tensor x = torch::zeros({2, 3, 4}).transpose(1, 2);
  at::Tensor y = torch::zeros({2, 3, 4});
  int64_t n = 0;
  if (c[0]) n += 1;
  if (c[1]) n += 2;
  if (c[2]) n += 3;
  if (c[3]) n += 4;
  if (c[4]) n += 5;
  if (c[5]) n += 6;
  if (c[6]) n += 7;
  if (c[7]) n += 8;
  if (c[8]) n += 9;
  if (c[9]) n += 10;
  if (c[10]) n += 11;
  if (c[11]) n += 12;
  // CHECK-NOT: of 'y'
  y = y.view({2, 12});
  // CHECK: :[[@LINE+1]]:12: warning: view({2, 12}) cannot merge dimensions 1 and 2 of 'x'
  return x.view({2, 12}) + y.size(n % 2);
}
