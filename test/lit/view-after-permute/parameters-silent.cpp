// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: parameters whose layout may well make it legal.

#include <tensortidy/aten.h>
#include <exception>

// A channels-last image, which is how such code is called.
at::Tensor pixels(const at::Tensor &x) { return x.permute({0, 2, 3, 1}).view({-1, x.size(1)}); }

at::Tensor pixelsOfBatch(const at::Tensor &x) {
  auto n = x.size(0), c = x.size(1), h = x.size(2), w = x.size(3);
  return x.permute({0, 2, 3, 1}).view({n * h * w, c});
}

// The caller may expect the exception.
at::Tensor fallback(const at::Tensor &x) {
  try {
    return x.transpose(0, 1).view(-1);
  } catch (const std::exception &) {
    return x.transpose(0, 1).reshape(-1);
  }
}

// Its only caller passes the transpose of a dense matrix.
static at::Tensor flattened(const at::Tensor &x) { return x.t().view(-1); }
at::Tensor caller(int64_t a, int64_t b) { return flattened(torch::zeros({a, b}).t()); }

// Nothing is merged.
at::Tensor split(const at::Tensor &x, int64_t H) {
  auto B = x.size(0), T = x.size(1), C = x.size(2);
  return x.transpose(0, 1).view({T, B, H, C / H});
}

at::Tensor firstRows(const at::Tensor &x, int64_t n) { return x.narrow(0, 0, n).view(-1); }

at::Tensor firstRow(const at::Tensor &x) { return x.select(0, 0).view(-1); }

at::Tensor row(const at::Tensor &x) { return x[0].view({-1, 3}); }
