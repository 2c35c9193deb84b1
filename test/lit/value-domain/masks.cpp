// RUN: %check %s --checks=-*,tensor-value-domain -- %torch

#include <limits>
#include <torch/torch.h>

using torch::Tensor;

Tensor zeroed(const Tensor &q, const Tensor &k, const Tensor &future) {
  auto scores = q.matmul(k.transpose(-2, -1)) / 8.0;
  scores = scores.masked_fill(future, 0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: masked_fill() with 0 leaves masked elements in: softmax() gives each of them exp(0), a weight as others have [tensor-value-domain]
  return torch::softmax(scores, -1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: note: softmax() reads them here; -infinity leaves them out
}

Tensor least(const Tensor &q, const Tensor &k, const Tensor &future) {
  auto scores = torch::bmm(q, k.transpose(1, 2));
  return scores.masked_fill(future, std::numeric_limits<float>::min()).softmax(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: masked_fill() with the least number above 0 leaves masked elements in: softmax() gives each of them exp(0), a weight as others have [tensor-value-domain]
}

static Tensor keep(const Tensor &ids, int64_t pad_id) { return ids.ne(pad_id); }

Tensor inverted(const Tensor &scores, const Tensor &ids, int64_t pad_id) {
  auto mask = keep(ids, pad_id).view({ids.size(0), 1, 1, ids.size(1)});
  return torch::softmax(scores.masked_fill(mask, -std::numeric_limits<float>::infinity()), -1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:32: warning: masked_fill() fills what is not 'keep::pad_id' and leaves the padding: the mask is true for the elements that are to stay [tensor-value-domain]
  // CHECK-MESSAGES: :[[#@LINE-6]]:68: note: it is made here
}

Tensor inPlace(Tensor scores, const Tensor &ids, int64_t padding_idx) {
  scores.masked_fill_(ids != padding_idx, -1e9);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: masked_fill_() fills what is not 'padding_idx' and leaves the padding: the mask is true for the elements that are to stay [tensor-value-domain]
  return scores.softmax(-1);
}
