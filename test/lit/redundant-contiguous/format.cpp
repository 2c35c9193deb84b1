// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Memory formats that match.

#include <tensortidy/aten.h>

at::Tensor twice(const at::Tensor &x) {
  auto y = x.contiguous(at::MemoryFormat::ChannelsLast);
  return y.contiguous(at::MemoryFormat::ChannelsLast);
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous({{.*}}) does nothing: 'y' is {{.*}} already [tensor-redundant-contiguous]
}

at::Tensor keptByArithmetic(const at::Tensor &x) {
  auto y = torch::zeros({2, 3, 4, 5}).contiguous(torch::MemoryFormat::ChannelsLast);
  auto z = y * 2;
  return z.contiguous(torch::MemoryFormat::ChannelsLast) + x;
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous({{.*}}) does nothing: 'z' is {{.*}} already [tensor-redundant-contiguous]
}

at::Tensor permuted(int64_t n, int64_t h, int64_t w, int64_t c) {
  // NHWC data seen as NCHW is channels-last.
  auto x = torch::zeros({n, h, w, c}).permute({0, 3, 1, 2});
  return x.contiguous(at::MemoryFormat::ChannelsLast);
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous({{.*}}) does nothing: 'x' is {{.*}} already [tensor-redundant-contiguous]
}

at::Tensor spelledOut(const at::Tensor &x) {
  auto y = x.contiguous();
  return y.contiguous(at::MemoryFormat::Contiguous);
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous({{.*}}) does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

// One channel: both formats at once.
at::Tensor grey(int64_t n, int64_t h, int64_t w) {
  auto x = torch::ones({n, 1, h, w}).add(1);
  auto y = torch::ones({2, 1, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast);
  // CHECK: :[[#@LINE-1]]:38: warning: contiguous({{.*}}) does nothing{{.*}} [tensor-redundant-contiguous]
  return x + y;
}

at::Tensor backToDense(int64_t n, int64_t c, int64_t h, int64_t w) {
  auto x = torch::zeros({n, c, h, w}).contiguous(at::MemoryFormat::ChannelsLast);
  auto y = x.permute({0, 2, 3, 1});
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}
