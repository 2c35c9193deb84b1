// https://github.com/pyg-team/pyg-lib/pull/572
// RUN: %check %s --checks=-*,tensor-raw-pointer-layout '--config={CheckOptions: {tensor-raw-pointer-layout.Unchecked: true}}' -- %runtime
// A spline kernel indexes its inputs as dense; nothing has seen to that.

#include <tensortidy/aten.h>

void spline(const float *pseudo, float *basis, int64_t edges, int64_t dims);

void bug(const at::Tensor &pseudo, at::Tensor &basis) {
  auto out = basis.contiguous();
  spline(pseudo.data_ptr<float>(), out.data_ptr<float>(), pseudo.size(0), pseudo.size(1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: 'spline' gets 'pseudo' without its strides, and nothing has checked that it is contiguous [tensor-raw-pointer-layout]
  basis.copy_(out);
}

void fix(const at::Tensor &given, at::Tensor &basis) {
  auto pseudo = given.contiguous();
  auto out = basis.contiguous();
  spline(pseudo.data_ptr<float>(), out.data_ptr<float>(), pseudo.size(0), pseudo.size(1));
  basis.copy_(out);
}
