// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: shapes that look wrong and are right.

#include <tensortidy/aten.h>

#include <cstddef>
#include <vector>

using torch::indexing::Slice;

// -1 is what keeps the shape as it is.
at::Tensor inferredSame(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view({-1, a});
}

at::Tensor inferredMiddle(int64_t B, int64_t H, int64_t T, int64_t D) {
  auto y = torch::zeros({B, H, T, D}).transpose(1, 2);
  return y.view({B, T, -1, D});
}

at::Tensor ownSizes(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view(y.sizes());
}

at::Tensor sizesOfProduct(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  auto z = y.sizes().vec();
  return y.view(z);
}

at::Tensor changedSizes(int64_t a, int64_t b) {
  auto y = torch::zeros({4, 6}).t();
  std::vector<int64_t> shape = {24};
  shape = {6, 4};
  return y.view(shape);
}

// t() of a vector is the vector.
at::Tensor vector(int64_t n) { return torch::zeros({n}).t().view({n, 1}); }

// One column, kept as a dimension of size 1, is an evenly spaced vector.
at::Tensor keptColumn(int64_t a) { return torch::zeros({a, 8}).narrow(1, 3, 1).view(-1); }

at::Tensor keptColumnIndex(int64_t a) { return torch::zeros({a, 8}).index({Slice(), Slice(2, 3)}).view({a}); }

at::Tensor splitColumns(int64_t a) { return torch::zeros({a, 8}).split(1, 1)[2].view(-1); }

// Past the end means to the end.
at::Tensor clamped(int64_t a) { return torch::zeros({a, 8}).slice(1, 0, 100).view(-1); }

at::Tensor clampedIndex(int64_t a) { return torch::zeros({a, 8}).index({Slice(), Slice(0, 1000)}).view(-1); }

at::Tensor fromTheEnd(int64_t a) { return torch::zeros({a, 8}).slice(1, -8).view(-1); }

at::Tensor splitWhole(int64_t a) { return torch::zeros({a, 8}).split(8, 1)[0].view(-1); }

at::Tensor expandedToItself(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  return y.expand({-1, -1}).view(-1) + y.expand_as(y).view(-1) + y.expand({a, b}).view(-1);
}

#define BATCH 1

at::Tensor macroBatch(int64_t c, int64_t h) { return torch::zeros({c, BATCH, h}).transpose(0, 1).view({c * h}); }

struct Config {
  static constexpr int64_t Batch = 1;
  enum : int64_t { Planes = 1 };
};

at::Tensor memberBatch(int64_t c, int64_t h) {
  auto y = torch::zeros({c, Config::Batch, h}).transpose(0, 1);
  auto z = torch::zeros({c, Config::Planes, h}).transpose(0, 1);
  return y.view({c * h}) + z.view(-1);
}

at::Tensor checkedBatch(const at::Tensor &x) {
  TORCH_CHECK(x.size(0) == 1, "one image at a time");
  auto c = x.size(1), h = x.size(2);
  auto y = x.contiguous().transpose(0, 1);
  return y.view({c * h});
}

// Whether this is exact, the caller knows.
at::Tensor inexact(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view({b / 2, 2, a});
}

at::Tensor otherIntegers(int a, unsigned b, std::size_t c) {
  auto y = torch::zeros({a, int64_t(b), static_cast<int64_t>(c)}).permute({2, 0, 1});
  return y.view({static_cast<int64_t>(c), static_cast<int64_t>(a) * b});
}

at::Tensor scalars(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b}).t();
  return x.sum().view({1, 1}) + x.select(0, 0).select(0, 0).view(1);
}

at::Tensor outerProduct(int64_t a, int64_t b) {
  auto y = torch::ones({a}).unsqueeze(1) * torch::ones({b}).unsqueeze(0);
  return y.view(-1);
}

at::Tensor squeezedApart(int64_t a, int64_t b) {
  auto y = torch::zeros({a, 1, b}).transpose(1, 2).squeeze(2);
  return y.view(-1);
}

at::Tensor wholeAfterCheck(const at::Tensor &x, int64_t n) {
  auto y = x.contiguous();
  TORCH_CHECK(n == y.size(1));
  return y.narrow(1, 0, n).view(-1);
}

at::Tensor channels(int64_t n, int64_t h, int64_t w) {
  // NHWC -> NCHW -> NHWC around an element-wise operation.
  auto x = torch::zeros({n, h, w, 3}).permute({0, 3, 1, 2});
  auto y = (x - 0.5) / 0.25;
  return y.permute({0, 2, 3, 1}).view({n * h * w, 3});
}
