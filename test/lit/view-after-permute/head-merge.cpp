// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: the head merge that undoes its own transpose, symbolic sizes.

#include <tensortidy/aten.h>

at::Tensor roundTrip(const at::Tensor &x, int64_t H) {
  auto q = x.contiguous();
  auto B = q.size(0), T = q.size(1), C = q.size(2);
  auto D = C / H;
  auto heads = q.view({B, T, H, D}).transpose(1, 2);
  return heads.transpose(1, 2).view({B, T, C});
}

at::Tensor productOfParts(at::Tensor q, int64_t B, int64_t T, int64_t H, int64_t D) {
  auto heads = q.view({B, T, H, D}).transpose(1, 2);
  return heads.transpose(1, 2).view({B, T, H * D});
}

at::Tensor copied(const at::Tensor &q, int64_t H) {
  const auto B = q.size(0), T = q.size(1), C = q.size(2);
  auto heads = q.view({B, T, H, C / H}).transpose(1, 2);
  auto scores = torch::matmul(heads, heads.transpose(-2, -1));
  auto ctx = torch::matmul(scores, heads);
  auto merged = ctx.transpose(1, 2).contiguous();
  return merged.view({B, T, C});
}

at::Tensor copiedInPlace(const at::Tensor &q, int64_t H) {
  const auto B = q.size(0), T = q.size(1), C = q.size(2);
  auto heads = q.view({B, T, H, C / H}).transpose(1, 2);
  heads = heads.transpose(1, 2).contiguous().view({B, T, -1});
  return heads;
}

// Keys are split, not merged; the batch joins the heads before the transpose.
at::Tensor fold(const at::Tensor &k, int64_t H) {
  const auto T = k.size(0), B = k.size(1), C = k.size(2);
  // [T, B, C] contiguous -> [T, B * H, D] -> [B * H, T, D], as in fairseq.
  auto dense = k.contiguous().view({T, B * H, C / H}).transpose(0, 1);
  auto scores = torch::bmm(dense, dense.transpose(1, 2));
  return scores.view({B, H, T, T});
}

at::Tensor unfold(const at::Tensor &k, int64_t H) {
  const auto T = k.size(0), B = k.size(1), C = k.size(2);
  auto dense = k.contiguous().view({T, B * H, C / H}).transpose(0, 1);
  return dense.transpose(0, 1).view({T, B, C});
}
