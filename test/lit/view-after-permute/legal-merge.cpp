// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: views that split, or merge only what lies together.

#include <tensortidy/aten.h>

at::Tensor splitLast(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b, 6}).transpose(0, 1);
  return y.view({b, a, 2, 3});
}

at::Tensor splitFirst(int64_t a) {
  auto y = torch::zeros({a, 6}).t();
  return y.view({2, 3, a});
}

at::Tensor mergeUntouched(int64_t a, int64_t b, int64_t c, int64_t d) {
  auto y = torch::zeros({a, b, c, d}).transpose(0, 1); // [b, a, c, d]
  return y.view({b, a, c * d});
}

at::Tensor mergeMovedTogether(int64_t a, int64_t b, int64_t c) {
  auto y = torch::zeros({a, b, c}).permute({2, 0, 1}); // [c, a, b]
  return y.view({c, a * b});
}

at::Tensor mergeMovedTogetherInferred(int64_t a, int64_t b, int64_t c) {
  auto y = torch::zeros({a, b, c}).movedim(2, 0);
  return y.view({c, -1});
}

at::Tensor sameShape(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view({b, a});
}

at::Tensor viewAsSameShape(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  auto z = torch::zeros({b, a});
  return y.view_as(z);
}

at::Tensor addOnes(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view({1, b, 1, a, 1});
}

// Channels-last pixels lie together: H and W merge, C stays apart.
at::Tensor pixels(int64_t n, int64_t c, int64_t h, int64_t w) {
  auto x = torch::zeros({n, c, h, w}).contiguous(at::MemoryFormat::ChannelsLast);
  auto rows = x.permute({0, 2, 3, 1}).view({n, h * w, c});
  auto all = x.permute({0, 2, 3, 1}).view(-1);
  (void)all;
  (void)rows;
  return x.view({n, c, h * w});
}

// Permuted, not channels-last: H and W still lie together.
at::Tensor nhwc(int64_t n, int64_t c, int64_t h, int64_t w) {
  auto x = torch::zeros({n, c, h, w}).permute({0, 2, 3, 1});
  return x.view({n, h * w, c});
}

// Splitting heads off, merging batch and heads before they are parted.
at::Tensor heads(int64_t B, int64_t T, int64_t H, int64_t D) {
  auto x = torch::zeros({B, H, T, D});
  auto y = x.view({B * H, T, D}).transpose(1, 2);
  return y.view({B, H, D, T});
}

at::Tensor swappedHeadsBack(int64_t B, int64_t T, int64_t H, int64_t D) {
  auto q = torch::zeros({B, T, H * D}).view({B, T, H, D}).transpose(1, 2);
  return q.transpose(1, 2).view({B, T, H * D});
}
