// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: slices without a gap, strided ones whose stride is kept.

#include <tensortidy/aten.h>

using torch::indexing::None;
using torch::indexing::Slice;

at::Tensor firstRows(int64_t a, int64_t b) { return torch::zeros({a, b}).narrow(0, 1, 2).view(-1); }

at::Tensor rowsByIndex(int64_t a, int64_t b) { return torch::zeros({a, b}).index({Slice(1, 3)}).view(-1); }

at::Tensor oneRow(int64_t a, int64_t b) { return torch::zeros({a, b}).select(0, 1).view(-1); }

at::Tensor oneRowByBracket(int64_t a, int64_t b, int64_t c) { return torch::zeros({a, b, c})[1].view(-1); }

at::Tensor oneColumn(int64_t a, int64_t b) { return torch::zeros({a, b}).select(1, 0).view({a}); }

at::Tensor columnSplit(int64_t b) { return torch::zeros({6, b}).select(1, 0).view({2, 3}); }

at::Tensor whole(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  auto y = x.narrow(1, 0, b).slice(1, 0, b).index({Slice(), Slice()});
  return y.view(-1);
}

at::Tensor wholeBySize(const at::Tensor &x) {
  auto y = x.contiguous();
  return y.narrow(1, 0, y.size(1)).view(-1);
}

at::Tensor wholeByNone(int64_t a, int64_t b) {
  return torch::zeros({a, b}).index({Slice(None, None), Slice(0, None)}).view(-1);
}

at::Tensor gapSplit(int64_t a) {
  auto y = torch::zeros({a, 8}).narrow(1, 0, 4);
  return y.view({a, 2, 2});
}

at::Tensor gapKept(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b, 8}).narrow(2, 0, 4);
  return y.view({a * b, 4});
}

at::Tensor gapInMiddle(int64_t a, int64_t c, int64_t d) {
  auto y = torch::zeros({a, 8, c, d}).narrow(1, 0, 4);
  return y.view({a, 4 * c * d});
}

at::Tensor everyOther(int64_t n) { return torch::zeros({n}).slice(0, 0, 8, 2).view({2, 2}); }

at::Tensor everyOtherRow(int64_t n, int64_t b) {
  auto y = torch::zeros({n, b}).slice(0, 0, 8, 2);
  return y.view({2, 2, b});
}

at::Tensor rowChunks(int64_t a, int64_t b) { return torch::zeros({a, b}).chunk(2, 0)[1].view(-1); }

at::Tensor oneChunk(int64_t a, int64_t b) { return torch::zeros({a, b}).chunk(1, 1)[0].view(-1); }

at::Tensor queryKeyValue(int64_t B, int64_t T, int64_t H, int64_t D) {
  auto parts = torch::zeros({B, T, 3 * H * D}).chunk(3, -1);
  return parts[0].view({B, T, H, D}).transpose(1, 2);
}

at::Tensor oneOfOne(int64_t a, int64_t b) { return torch::zeros({a, 1, b}).select(1, 0).view(-1); }

at::Tensor unboundRows(int64_t a, int64_t b) { return torch::zeros({a, b, 4}).unbind(0)[0].view(-1); }

// Windows that neither overlap nor leave a gap are the row itself.
at::Tensor windows() { return torch::zeros({12}).unfold(0, 4, 4).view(-1); }

at::Tensor onDiagonal() { return torch::zeros({9, 9}).diagonal().view({3, 3}); }

at::Tensor dense() { return torch::zeros({100}).as_strided({4, 5}, {5, 1}).view(20); }

at::Tensor expandedKept(int64_t a, int64_t b) {
  auto y = torch::zeros({1, b}).expand({6, b});
  return y.view({2, 3, b});
}

at::Tensor twoExpanded(int64_t a, int64_t b, int64_t c) {
  auto y = torch::zeros({c}).expand({a, b, c});
  return y.view({a * b, c});
}

at::Tensor scalarExpanded(int64_t a, int64_t b) { return torch::zeros({1}).expand({a, b}).view(-1); }
