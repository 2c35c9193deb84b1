// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: results that are dense whatever went in.

#include <tensortidy/aten.h>

at::Tensor contiguousCopy(int64_t a, int64_t b) { return torch::zeros({a, b}).t().contiguous().view(-1); }

at::Tensor denseClone(int64_t a, int64_t b) {
  return torch::zeros({a, b}).t().clone(at::MemoryFormat::Contiguous).view(-1);
}

at::Tensor reshaped(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t().reshape({b, 1, a}).reshape({a * b});
  return y.view({a, b});
}

at::Tensor flattened(int64_t a, int64_t b) { return torch::zeros({a, b}).t().flatten().view({a, b}); }

at::Tensor product(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  return torch::matmul(x.t(), x).view(-1);
}

at::Tensor productOfMatrices(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  return x.t().mm(x).view({b * b});
}

at::Tensor reduced(int64_t a, int64_t b, int64_t c) {
  auto y = torch::zeros({a, b, c}).permute({2, 1, 0});
  return y.sum(1).view(-1);
}

// The first operand decides, and it is dense.
at::Tensor firstOperandDecides() {
  auto turned = torch::zeros({3, 4}).t();
  auto dense = torch::zeros({4, 3});
  auto sum = dense + turned;
  return sum.view(-1);
}

at::Tensor copiedInto(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  auto dense = torch::empty({b, a});
  dense.copy_(y);
  return dense.view(-1);
}

at::Tensor addedInto(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  auto dense = torch::zeros({b, a});
  dense.add_(y);
  dense += y;
  return dense.view(-1);
}

at::Tensor freshShape(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return torch::zeros(y.sizes()).view(-1);
}

at::Tensor newZeros(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.new_zeros({b, a}).view(-1);
}

at::Tensor likeDense(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return torch::zeros_like(y, at::MemoryFormat::Contiguous).view(-1);
}

// A gap is closed by the copy.
at::Tensor packed(int64_t a) {
  auto y = torch::zeros({a, 8}).narrow(1, 0, 4);
  auto z = y.clone();
  auto w = y + 1;
  return z.view(-1) + w.view(-1);
}

at::Tensor expandedThenCopied(int64_t a, int64_t b) {
  auto y = torch::zeros({a, 1}).expand({a, b}) + 1;
  return y.view(-1);
}

at::Tensor otherFormat(int64_t n, int64_t c, int64_t h, int64_t w) {
  auto x = torch::zeros({n, c, h, w}).contiguous(at::MemoryFormat::ChannelsLast);
  return x.contiguous().view({n, -1});
}

// The copy that NHWC code makes: permuted channels-last is dense.
at::Tensor permutedFormat(const at::Tensor &nchw) {
  auto x = nchw.contiguous(at::MemoryFormat::ChannelsLast).permute({0, 2, 3, 1});
  return x.view({-1, x.size(3)});
}
