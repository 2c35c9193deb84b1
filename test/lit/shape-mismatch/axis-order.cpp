// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Dimensions that a reshape or a product takes for others: nothing throws, and
// the values are wrong.
#include <torch/torch.h>

//===----------------------------------------------------------------------===//
// reshape keeps the order of the elements
//===----------------------------------------------------------------------===//

torch::Tensor splitHeads(const torch::Tensor &q, int64_t heads) {
  TORCH_CHECK(q.dim() == 3);
  const int64_t batch = q.size(0), steps = q.size(1);
  return q.view({batch, heads, steps, q.size(2) / heads});
  // CHECK: :[[#@LINE-1]]:{{.*}} keeps the order of the elements: a step along steps is {{.*}} elements in sizes [batch, steps, {{.*}}] and q.size(2)/heads here; wrong unless steps or heads is 1
}
torch::Tensor splitHeadsRight(const torch::Tensor &q, int64_t heads) {
  TORCH_CHECK(q.dim() == 3);
  const int64_t batch = q.size(0), steps = q.size(1);
  return q.view({batch, steps, heads, q.size(2) / heads}).transpose(1, 2);
}

torch::Tensor merge(const torch::Tensor &x, int64_t batch, int64_t heads, int64_t steps, int64_t size) {
  auto out = x.view({batch, heads, steps, size}).contiguous();
  return out.reshape({batch, steps, heads * size});
  // CHECK: :[[#@LINE-1]]:{{.*}} a step along steps is size elements in sizes [batch, heads, steps, size] and heads*size here
}
torch::Tensor mergeRight(const torch::Tensor &x, int64_t batch, int64_t heads, int64_t steps, int64_t size) {
  auto out = x.view({batch, heads, steps, size});
  return out.transpose(1, 2).reshape({batch, steps, heads * size});
}

torch::Tensor planes(const torch::Tensor &image) {
  TORCH_CHECK(image.dim() == 3 && image.size(2) == 3);
  const int64_t height = image.size(0), width = image.size(1);
  return image.reshape({3, height, width}) / 255.0;
  // CHECK: :[[#@LINE-1]]:{{.*}} a step along height is 3*width elements in sizes [height, width, 3] and width here
}
torch::Tensor planesRight(const torch::Tensor &image) {
  TORCH_CHECK(image.dim() == 3 && image.size(2) == 3);
  return image.permute({2, 0, 1}) / 255.0;
}

// Rows that are one longer than what they are read as shift: relative
// positions, on purpose.
torch::Tensor shift(const torch::Tensor &scores, int64_t batch, int64_t heads, int64_t rows, int64_t cols) {
  auto padded = torch::constant_pad_nd(scores.view({batch, heads, rows, cols}), {1, 0});
  return padded.view({batch, heads, cols + 1, rows}).slice(2, 1).view({batch, heads, rows, cols});
}
// Windows, groups of channels and flattened rows keep their order.
torch::Tensor windows(const torch::Tensor &x, int64_t batch, int64_t height, int64_t width, int64_t channels, int64_t size) {
  auto parts = x.view({batch, height / size, size, width / size, size, channels});
  return parts.permute({0, 1, 3, 2, 4, 5}).reshape({-1, size * size, channels});
}
torch::Tensor groups(const torch::Tensor &x, int64_t batch, int64_t channels, int64_t pixels, int64_t count) {
  auto y = x.view({batch, channels, pixels});
  return y.view({batch, count, channels / count, pixels}).mean({2, 3}).view({batch, count});
}
// All alike, or in no order.
torch::Tensor noise(int64_t rows, int64_t cols) {
  return torch::rand({rows, cols}).view({cols, rows});
}

//===----------------------------------------------------------------------===//
// A product sums over what softmax() made add up to 1
//===----------------------------------------------------------------------===//

torch::Tensor attend(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v, bool training) {
  auto weights = torch::softmax(torch::bmm(q, k.transpose(1, 2)) * 0.125, 1);
  weights = torch::dropout(weights, 0.1, training);
  return torch::bmm(weights, v);
  // CHECK: :[[#@LINE-1]]:{{.*}} bmm(weights, v) sums over dimension 2 of sizes [{{.*}}], and softmax() made dimension 1 add up to 1; wrong
}
torch::Tensor attendRight(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v, bool training) {
  auto weights = torch::softmax(torch::bmm(q, k.transpose(1, 2)) * 0.125, -1);
  weights = torch::dropout(weights, 0.1, training);
  return torch::bmm(weights, v);
}
// One map for all queries: the keys are normalized along the steps, which the
// product sums over.
torch::Tensor linearAttention(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) {
  TORCH_CHECK(q.dim() == 3 && k.dim() == 3 && v.dim() == 3);
  auto context = torch::bmm(k.softmax(1).transpose(1, 2), v);
  return torch::bmm(q.softmax(-1), context);
}
// Slots compete for the inputs, and each takes a mean of them.
torch::Tensor slots(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) {
  auto weights = torch::softmax(torch::bmm(q, k.transpose(1, 2)), 1) + 1e-8;
  weights = weights / weights.sum(-1, true);
  return torch::bmm(weights, v);
}

//===----------------------------------------------------------------------===//
// heads / kv_heads == 1: they are as many
//===----------------------------------------------------------------------===//

static torch::Tensor repeatKv(const torch::Tensor &x, int64_t times) {
  if (times == 1)
    return x;
  return x.repeat_interleave(times, 1);
}
torch::Tensor grouped(const torch::Tensor &q, const torch::Tensor &k, int64_t heads, int64_t kv_heads, int64_t size) {
  const int64_t batch = q.size(0), steps = q.size(1);
  auto qh = q.reshape({batch, steps, heads, size}).transpose(1, 2);
  auto kh = repeatKv(k.reshape({batch, steps, kv_heads, size}).transpose(1, 2), heads / kv_heads);
  return torch::matmul(qh, kh.transpose(-2, -1));
}
