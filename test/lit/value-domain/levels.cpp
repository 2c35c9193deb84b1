// RUN: %check %s --checks=-*,tensor-value-domain -- %torch
// RUN: %silent %s --checks=-*,tensor-value-domain --config='{CheckOptions: {tensor-value-domain.Level: 0}}' -- %torch
// REQUIRES: libtorch
// What may be meant, and what names say.

#include <limits>
#include <torch/torch.h>

using torch::Tensor;

Tensor attend(const Tensor &q, const Tensor &k, const Tensor &v) {
  auto p = torch::softmax(q.matmul(k.transpose(-2, -1)), -1);
  return torch::softmax(p, -1).matmul(v);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: softmax() of what softmax() made is nearly the same everywhere: 'p' holds probabilities already [tensor-value-domain]
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
