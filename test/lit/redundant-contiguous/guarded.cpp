// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// After a test or an assertion.

#include <tensortidy/aten.h>

at::Tensor test(const at::Tensor &x) {
  if (x.is_contiguous())
    return x.contiguous();
  // CHECK: :[[#@LINE-1]]:14: warning: contiguous() does nothing: 'x' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: note: 'x' is known to be contiguous from here
  return x.clone();
}

at::Tensor check(const at::Tensor &x) {
  TORCH_CHECK(x.is_contiguous(), "expected a contiguous tensor");
  return x.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: note: 'x' is known to be contiguous from here
}

at::Tensor checkMore(const at::Tensor &x, const at::Tensor &y) {
  TORCH_CHECK(x.dim() == 2 && x.is_contiguous() && y.is_contiguous());
  return x.contiguous() + y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-2]]:29: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor makeSo(at::Tensor x) {
  if (!x.is_contiguous())
    x = x.contiguous();
  return x.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor earlyReturn(const at::Tensor &x) {
  if (!x.is_contiguous())
    return x.clone();
  auto y = x.contiguous();
  // CHECK: :[[#@LINE-1]]:14: warning: contiguous() does nothing: 'x' is contiguous already [tensor-redundant-contiguous]
  return y;
}

at::Tensor ternary(const at::Tensor &x) {
  return x.is_contiguous() ? x.contiguous() : x.clone();
  // CHECK: :[[#@LINE-1]]:32: warning: contiguous() does nothing: 'x' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor otherFormat(const at::Tensor &x) {
  const auto format = at::MemoryFormat::ChannelsLast;
  TORCH_CHECK(x.is_contiguous(at::MemoryFormat::ChannelsLast));
  return x.contiguous(format);
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous({{.*}}) does nothing: 'x' is {{.*}} already [tensor-redundant-contiguous]
}
