// RUN: %exits 1 %tensortidy %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Quotients read as C++ would have them.
#include <tensortidy/aten.h>

at::Tensor shuffle(const at::Tensor &in, int64_t r) {
  auto n = in.size(0), c = in.size(1), h = in.size(2), w = in.size(3);
  auto x = in.contiguous().view({n, c / (r * r), r, r, h, w});
  auto y = x.permute({0, 1, 4, 2, 5, 3});
  return y.view({n, c / (r * r), h * r, w * r});
  // CHECK: :[[#@LINE-1]]:12: warning: view({n, c/(r*r), h*r, w*r}) cannot merge dimensions 4 and 5 of 'y': sizes [n, c/(r*r), h, r, w, r], strides [h*w*r*r*(c/(r*r)), h*w*r*r, w, h*w*r, 1, h*w]; throws unless w or r is 1
}
