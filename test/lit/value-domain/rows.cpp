// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-value-domain -- %torch
// Masks of rows where softmax() goes along them: a masked row becomes nan.

#include <limits>
#include <torch/torch.h>

constexpr float lowest = -std::numeric_limits<float>::infinity();

struct AttentionImpl : torch::nn::Module {
  AttentionImpl(int64_t dim, int64_t heads, int64_t pad) : heads(heads), pad(pad) {
    qkv = register_module("qkv", torch::nn::Linear(dim, 3 * dim));
  }
  at::Tensor scores(const at::Tensor &x) {
    auto parts = qkv->forward(x).view({x.size(0), x.size(1), 3, heads, -1}).permute({2, 0, 3, 1, 4});
    return torch::matmul(parts[0], parts[1].transpose(-2, -1));
  }
  // ids: [batch, tokens]
  at::Tensor queries(const at::Tensor &x, const at::Tensor &ids) {
    auto padding = ids.eq(pad).unsqueeze(1).unsqueeze(3);
    // CHECK-MESSAGES: :[[#@LINE+3]]:{{.*}}: warning: masked_fill() fills whole rows of what softmax() goes along, as the mask has one element there: they become nan [tensor-value-domain]
    // CHECK-MESSAGES: :[[#@LINE-2]]:{{.*}}: note: the mask is one for the rows, not for what they hold
    // CHECK-MESSAGES: :[[#@LINE+2]]:{{.*}}: note: softmax() reads them here
    auto masked = scores(x).masked_fill(padding, lowest);
    return torch::softmax(masked, -1);
  }
  at::Tensor keys(const at::Tensor &x, const at::Tensor &ids) {
    auto padding = ids.eq(pad).unsqueeze(1).unsqueeze(2);
    return torch::softmax(scores(x).masked_fill(padding, lowest), -1);
  }
  // Along the rows each of which is masked in part.
  at::Tensor columns(const at::Tensor &x, const at::Tensor &ids) {
    auto padding = ids.eq(pad).unsqueeze(1).unsqueeze(3);
    return torch::softmax(scores(x).masked_fill(padding, lowest), -2);
  }
  // Who knows takes the nan away again, or fills with a number.
  at::Tensor repaired(const at::Tensor &x, const at::Tensor &ids) {
    auto padding = ids.eq(pad).unsqueeze(1).unsqueeze(3);
    return torch::softmax(scores(x).masked_fill(padding, lowest), -1).masked_fill(padding, 0);
  }
  at::Tensor numbers(const at::Tensor &x, const at::Tensor &ids) {
    auto padding = ids.eq(pad).unsqueeze(1).unsqueeze(3);
    return torch::nan_to_num(torch::softmax(scores(x).masked_fill(padding, lowest), -1));
  }
  at::Tensor finite(const at::Tensor &x, const at::Tensor &ids) {
    auto padding = ids.eq(pad).unsqueeze(1).unsqueeze(3);
    return torch::softmax(scores(x).masked_fill(padding, -1e9), -1);
  }
  int64_t heads, pad;
  torch::nn::Linear qkv{nullptr};
};
// Of unknown rank, counted from the end.
at::Tensor fromTheEnd(const at::Tensor &scores, const at::Tensor &ids, int64_t pad) {
  auto padding = ids.eq(pad).unsqueeze(-1);
  return torch::softmax(scores.masked_fill(padding, lowest), -1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:{{.*}}: warning: masked_fill() fills whole rows
}
at::Tensor unknownRank(const at::Tensor &scores, const at::Tensor &ids, int64_t pad) {
  auto padding = ids.eq(pad).unsqueeze(3);
  return torch::softmax(scores.masked_fill(padding, lowest), -1);
}
