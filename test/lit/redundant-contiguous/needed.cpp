// RUN: %silent %s --checks=-*,tensor-redundant-contiguous -- %runtime
// No finding: layouts that need the copy.

#include <tensortidy/aten.h>

using torch::indexing::None;
using torch::indexing::Slice;

at::Tensor turned(int64_t a, int64_t b) { return torch::zeros({a, b}).t().contiguous(); }

at::Tensor permuted(int64_t a, int64_t b, int64_t c) { return torch::zeros({a, b, c}).permute({0, 2, 1}).contiguous(); }

at::Tensor columns(int64_t a, int64_t b) { return torch::zeros({a, b}).narrow(1, 0, 2).contiguous(); }

at::Tensor everyOther(int64_t a) { return torch::zeros({a}).slice(0, 0, 8, 2).contiguous(); }

at::Tensor everyOtherIndex(int64_t a) { return torch::zeros({a}).index({Slice(None, None, 2)}).contiguous(); }

at::Tensor oneColumn(int64_t a, int64_t b) { return torch::zeros({a, b}).select(1, 0).contiguous(); }

at::Tensor expanded(int64_t a, int64_t b) { return torch::zeros({a, 1}).expand({a, b}).contiguous(); }

at::Tensor windows(int64_t a) { return torch::zeros({a}).unfold(0, 4, 2).contiguous(); }

at::Tensor diagonal(int64_t a) { return torch::zeros({a, a}).diagonal().contiguous(); }

at::Tensor part(int64_t a, int64_t b) { return torch::zeros({a, b}).chunk(2, 1)[0].contiguous(); }

at::Tensor keptStrides(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  auto z = (y + 1).contiguous();
  auto w = y.clone().contiguous();
  auto v = torch::empty_like(y).contiguous();
  return z + w + v + y.to(at::kDouble).contiguous();
}

at::Tensor firstOperandDecides() {
  auto turned = torch::zeros({3, 4}).t();
  auto dense = torch::zeros({4, 3});
  return (turned + dense).contiguous();
}

at::Tensor otherFormat(int64_t n, int64_t c, int64_t h, int64_t w) {
  auto x = torch::zeros({n, c, h, w});
  auto last = x.contiguous(at::MemoryFormat::ChannelsLast);
  return last.contiguous();
}

at::Tensor formatKept(int64_t n, int64_t c, int64_t h, int64_t w) {
  auto last = torch::zeros({n, c, h, w}).contiguous(at::MemoryFormat::ChannelsLast);
  return last.mul(2).contiguous();
}

// An empty batch is dense, not channels-last.
at::Tensor emptyBatch() { return torch::zeros({0, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast); }

at::Tensor strided(float *data) {
  return torch::from_blob(data, {4, 5}, {1, 4}).contiguous();
}

at::Tensor inPlace(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  y.t_();
  return y.contiguous();
}

at::Tensor throughAlias(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  auto y = x;
  y.transpose_(0, 1);
  return x.contiguous();
}

// contiguous() gave x itself, which is turned afterwards.
at::Tensor throughContiguous(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  x.add_(1);
  auto y = x.view({a, b});
  auto z = y;
  z.t_();
  return y.contiguous();
}

// A view of it would be legal, yet it is strided.
at::Tensor keptColumn(int64_t a) { return torch::zeros({a, 8}).narrow(1, 3, 1).contiguous(); }

at::Tensor everyOtherRow(int64_t a, int64_t b) { return torch::zeros({a, b}).slice(0, 0, 8, 2).contiguous(); }

at::Tensor pixelOfImage(int64_t n, int64_t c, int64_t h, int64_t w) {
  return torch::zeros({n, c, h, w}).select(3, 0).select(2, 0).contiguous();
}
