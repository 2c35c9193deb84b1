// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-value-domain -- %torch | FileCheck %s --implicit-check-not=warning:
// Means over what a mask leaves: the sum of a row belongs over the mask of that row.

#include <torch/torch.h>

torch::Tensor pooled(const torch::Tensor &hidden, const torch::Tensor &attention) {
  auto mask = attention.to(hidden.scalar_type()).unsqueeze(-1);
  auto summed = (hidden * mask).sum(1);
  auto count = mask.sum().clamp_min(1.0);
  // CHECK: :[[#@LINE+2]]:17: warning: sum() adds up along dimension 1, and what it is divided by is the sum of all of the mask: each row is divided by what all rows have [tensor-value-domain]
  // CHECK: :[[#@LINE-2]]:21: note: all of it is added up here
  return summed / count;
}

torch::Tensor direct(const torch::Tensor &x, const torch::Tensor &mask) {
  // CHECK: :[[#@LINE+1]]:44: warning: sum() adds up along dimension -1,
  auto mean = (x * mask * x.abs()).sum(-1) / mask.sum();
  return mean * 2;
}

// Each by its own count, the mean of all, and a mask of something else.
torch::Tensor right(const torch::Tensor &x, const torch::Tensor &mask, const torch::Tensor &weights) {
  auto rows = (x * mask).sum(1) / mask.sum(1);
  auto kept = (x * mask).sum(1) / mask.sum(1, true);
  auto all = (x * mask).sum() / mask.sum();
  auto loss = ((x * mask).sum(1) / mask.sum()).sum();
  auto per = (x * mask).sum(1) / mask.sum();
  auto total = per.sum();
  auto share = (x * weights).sum(1) / mask.sum();
  auto part = mask.sum(1) / mask.sum();
  return rows + kept + all + loss + total + share + part;
}
