// RUN: not %tensortidy --checks=-*,tensor-memory-format %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// A variable that holds one tensor after the other.

#include <tensortidy/aten.h>

at::Tensor undone(const at::Tensor &image) {
  auto x = image.contiguous(at::MemoryFormat::ChannelsLast);
  x = x.contiguous();
  // CHECK: :[[#@LINE-1]]:9: warning: contiguous() undoes contiguous(channels_last), which nothing else uses [tensor-memory-format]
  return torch::relu(x);
}

at::Tensor givenUp(int64_t n, int64_t h, int64_t w) {
  auto x = torch::rand({n, h, w, 3}).permute({0, 3, 1, 2});
  x = x.contiguous();
  // CHECK: :[[#@LINE-1]]:9: warning: contiguous() takes 'x' out of channels-last for max_pool2d(), which keeps the format {{.*}}[tensor-memory-format]
  return torch::max_pool2d(x, {2, 2});
}

// Something else uses the first.
at::Tensor used(at::Tensor x) {
  x = x.contiguous(at::MemoryFormat::ChannelsLast);
  auto y = torch::max_pool2d(x, {2, 2});
  x = x.contiguous();
  return x.sum() + y;
}

// On one path only.
at::Tensor perhaps(at::Tensor x, bool last) {
  if (last)
    x = x.contiguous(at::MemoryFormat::ChannelsLast);
  x = x.contiguous();
  return torch::relu(x);
}
