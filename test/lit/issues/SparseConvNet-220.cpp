// https://github.com/facebookresearch/SparseConvNet/issues/220
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// The features of a dense image, one row for each pixel.

#include <tensortidy/aten.h>

at::Tensor bug(int64_t batch, int64_t channels, int64_t height, int64_t width) {
  auto input = torch::rand({batch, channels, height, width});
  auto rows = input.permute({0, 2, 3, 1});
  return rows.view({-1, channels});
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view({-1, channels}) cannot merge dimensions 0 and 1 of 'rows'{{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'rows' got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}

at::Tensor fix(int64_t batch, int64_t channels, int64_t height, int64_t width) {
  auto input = torch::rand({batch, channels, height, width});
  auto rows = input.permute({0, 2, 3, 1});
  return rows.reshape({-1, channels});
}
