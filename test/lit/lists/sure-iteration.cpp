// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// A loop of which the first iteration is sure, and fills a list: what that one
// puts there is not what the others do.

#include <tensortidy/aten.h>
#include <vector>
using Tensors = std::vector<at::Tensor>;

/// Terms of degree 1, 2, ... of a polynomial of c variables.
Tensors terms(int64_t b, int64_t c, int64_t depth) {
  TORCH_CHECK(depth >= 1);
  Tensors out;
  int64_t length = c;
  for (int64_t i = 0; i < depth; ++i) {
    out.push_back(torch::zeros({b, length}));
    length *= c;
  }
  return out;
}

void multiply(int64_t b, int64_t c, int64_t depth) {
  const Tensors out = terms(b, c, depth);
  for (size_t i = 0; i + 1 < out.size(); ++i)
    out[i + 1].view({b, c, out[i].size(-1)}).zero_();
}

void second(int64_t b, int64_t c, int64_t depth) {
  if (depth < 1)
    return;
  Tensors out;
  for (int64_t i = 0; i < depth; ++i)
    out.push_back(torch::zeros({b, i + 1}));
  for (const at::Tensor &t : out)
    if (t.size(1) > 1)
      t.view({b, 2, -1}).zero_();
}

void alike(int64_t n) {
  TORCH_CHECK(n >= 1);
  Tensors out;
  for (int64_t i = 0; i < n; ++i)
    out.push_back(torch::zeros({3, 4}));
  torch::cat(out).view({-1, 4}).zero_();
  out[0].view({5}).zero_();
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: view({5}): shape [5] does not
  // fit the 12 elements; throws [tensor-shape-mismatch]
}

void counted(int64_t b) {
  Tensors out;
  for (int64_t i = 0; i < 2; ++i)
    out.push_back(torch::zeros({b, i + 1}));
  out[0].view({b, 2}).zero_();
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: view({b, 2}): shape [b, 2] does
  // not fit the b elements; throws unless it is empty [tensor-shape-mismatch]
  out[1].view({b, 2}).zero_();
}
