// RUN: %exits 1 %tensortidy %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Quotients read as C++ would have them.
#include <tensortidy/aten.h>

at::Tensor shuffle(const at::Tensor &in, int64_t r) {
  auto n = in.size(0), c = in.size(1), h = in.size(2), w = in.size(3);
  auto x = in.contiguous().view({n, c / (r * r), r, r, h, w});
  auto y = x.permute({0, 1, 4, 2, 5, 3});
  return y.view({n, c / (r * r), h * r, w * r});
  // CHECK: :[[#@LINE-1]]:12: warning: view({n, c/(r*r), h*r, w*r}) cannot merge dimensions 4 and 5 of 'y': sizes [n, c/(r*r), h, r, w, r], strides [h*w*r*r*(c/(r*r)), h*w*r*r, w, h*w*r, 1, h*w]; throws unless r or h*w is 1
}

at::Tensor mixed(at::Tensor x, int64_t groups) {
  auto n = x.size(0), c = x.size(1), h = x.size(2), w = x.size(3);
  auto part = c / groups;
  x = x.contiguous().view({n, groups, part, h, w});
  x = x.transpose(1, 2);
  return x.view({n, -1, h, w});
  // CHECK: :[[#@LINE-1]]:12: warning: view({n, -1, h, w}) cannot merge dimensions 1 and 2 of 'x': {{.*}}; throws unless {{.*}}groups or part is 1
}
at::Tensor mixedDense(at::Tensor x, int64_t groups) {
  auto n = x.size(0), c = x.size(1), h = x.size(2), w = x.size(3);
  x = x.contiguous().view({n, groups, c / groups, h, w}).transpose(1, 2).contiguous();
  return x.view({n, -1, h, w});
}
