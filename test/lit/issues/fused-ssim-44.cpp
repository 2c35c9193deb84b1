// https://github.com/rahul-goel/fused-ssim/pull/44
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// The kernel writes a map that zeros_like() gave the strides of a permuted image.

#include <tensortidy/aten.h>

void similarity(const float *image, float *map, int64_t n, int64_t channels, int64_t height, int64_t width);

at::Tensor bug(int64_t n, int64_t height, int64_t width) {
  auto image = torch::rand({n, height, width, 3}).permute({0, 3, 1, 2});
  auto dense = image.contiguous();
  auto map = torch::zeros_like(image);
  similarity(dense.data_ptr<float>(), map.data_ptr<float>(), n, 3, height, width);
  // CHECK-MESSAGES: :[[#@LINE-1]]:43: warning: 'similarity' gets 'map' without its strides and takes them for [3*height*width, height*width, width, 1]: sizes [n, 3, height, width], strides [3*height*width, 1, 3*width, 3]
  return map;
}

at::Tensor fix(int64_t n, int64_t height, int64_t width) {
  auto image = torch::rand({n, height, width, 3}).permute({0, 3, 1, 2});
  auto dense = image.contiguous();
  auto map = torch::zeros_like(dense);
  similarity(dense.data_ptr<float>(), map.data_ptr<float>(), n, 3, height, width);
  return map;
}
