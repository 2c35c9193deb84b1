// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: moving dimensions of size 1 moves nothing.

#include <tensortidy/aten.h>

at::Tensor rowVector(int64_t n) {
  auto y = torch::zeros({1, n}).t();
  return y.view(-1);
}

at::Tensor unsqueezed(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).unsqueeze(1).transpose(0, 1); // [1, a, b]
  return y.view({a * b});
}

at::Tensor oneImage(int64_t c, int64_t h, int64_t w) {
  auto y = torch::zeros({c, 1, h, w}).transpose(0, 1);
  return y.view({c * h, w});
}

at::Tensor oneChannel(int64_t n, int64_t h, int64_t w) {
  auto y = torch::zeros({n, 1, h, w}).permute({0, 2, 3, 1});
  return y.view({n, h * w});
}

at::Tensor oneChannelFormat(int64_t n, int64_t h, int64_t w) {
  auto y = torch::zeros({n, 1, h, w}).contiguous(at::MemoryFormat::ChannelsLast);
  return y.view({n, h * w});
}

at::Tensor constantOne(int64_t n) {
  constexpr int64_t one = 1;
  auto y = torch::zeros({one, n}).t();
  return y.view(-1);
}

at::Tensor testedOne(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (a == 1 || b == 1)
    return y.view(-1);
  return y.reshape(-1);
}

at::Tensor testedSize(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (y.size(0) != 1)
    return y.reshape(-1);
  return y.view(-1);
}

at::Tensor kept(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b}).sum(0, /*keepdim=*/true); // [1, b]
  return x.t().view(-1);
}

at::Tensor oneStep(int64_t b) {
  auto x = torch::zeros({7, b}).narrow(0, 3, 1).t(); // [b, 1]
  return x.view(-1);
}

// Nothing to move in an empty tensor.
at::Tensor empty(int64_t b) {
  auto y = torch::zeros({0, b}).t();
  return y.view(-1);
}

at::Tensor expandedByOne(int64_t b) {
  auto y = torch::zeros({1, b}).expand({1, b});
  return y.view(-1);
}
