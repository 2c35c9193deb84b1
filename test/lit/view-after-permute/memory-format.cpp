// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Channels-last has the sizes of NCHW and other strides.

#include <tensortidy/aten.h>

at::Tensor converted(int64_t n, int64_t c, int64_t h, int64_t w) {
  auto x = torch::zeros({n, c, h, w}).contiguous(at::MemoryFormat::ChannelsLast);
  return x.view({n, c * h * w});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 1 and 2 of 'x': sizes [n, c, h, w]{{.*}} [tensor-view-after-permute]
  // CHECK: :[[#@LINE-3]]:39: note: 'x' got this layout here: contiguous({{.*}}) of a contiguous [n, c, h, w]
}

at::Tensor to(int64_t n, int64_t c, int64_t h, int64_t w) {
  auto x = torch::zeros({n, c, h, w});
  auto y = x.to(at::kFloat, false, true, at::MemoryFormat::ChannelsLast);
  return y.view({n, -1});
  // CHECK: :[[#@LINE-1]]:12: warning: view({n, -1}) cannot merge dimensions 1 and 2 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor allocated() {
  auto x = torch::empty({2, 3, 4, 5}, at::TensorOptions().memory_format(at::MemoryFormat::ChannelsLast));
  return x.view({2, 60});
  // CHECK: :[[#@LINE-1]]:12: warning: view({2, 60}) cannot merge dimensions 1 and 2 of 'x': sizes [2, 3, 4, 5], strides [60, 1, 15, 3]; throws [tensor-view-after-permute]
}

at::Tensor keptByArithmetic() {
  auto x = torch::ones({2, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast);
  auto y = x * 2 + 1;
  return y.view({2, -1});
  // CHECK: :[[#@LINE-1]]:12: warning: view({2, -1}) cannot merge dimensions 1 and 2 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor cloned() {
  auto x = torch::ones({2, 3, 4, 5});
  auto y = x.clone(at::MemoryFormat::ChannelsLast);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions {{.*}} of 'y'{{.*}} [tensor-view-after-permute]
}
