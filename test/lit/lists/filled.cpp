// RUN: %exits 1 %tensortidy --checks=-*,tensor-view-after-permute,tensor-redundant-contiguous,tensor-shape-mismatch %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Vectors of tensors that loops fill: each element is like every other.
#include <tensortidy/aten.h>
#include <vector>

at::Tensor elements(const std::vector<at::Tensor> &xs) {
  std::vector<at::Tensor> packed;
  packed.reserve(xs.size());
  for (const auto &x : xs)
    packed.push_back(x.transpose(0, 1).contiguous());
  at::Tensor sum = torch::zeros({4});
  for (const auto &p : packed)
    sum += p.contiguous().sum(0);
  // CHECK: :[[#@LINE-1]]:14: warning: contiguous() does nothing
  return sum;
}

at::Tensor turned(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 3 && x.is_contiguous());
  std::vector<at::Tensor> ts;
  for (int64_t i = 0; i < x.size(0); ++i)
    ts.push_back(x.select(0, i).t());
  return ts.back().view(-1);
  // CHECK: :[[#@LINE-1]]:20: warning: view({-1}) cannot merge
  // CHECK: :[[#@LINE-3]]:33: note: the tensor got this layout here: t()
}

at::Tensor stacked(const at::Tensor &x, int64_t n) {
  std::vector<at::Tensor> rows;
  for (int64_t i = 0; i < n; ++i)
    rows.push_back(x.t().contiguous());
  return torch::stack(rows).contiguous();
  // CHECK: :[[#@LINE-1]]:29: warning: contiguous() does nothing
}

at::Tensor grows(int64_t n) {
  std::vector<at::Tensor> h;
  h.push_back(torch::zeros({3, 4}));
  while (n--)
    h.push_back(h.back().mul(2));
  return h.back().view(11);
  // CHECK: :[[#@LINE-1]]:19: warning: view({11}): shape [11] does not fit the 12 elements
}

at::Tensor counted() {
  std::vector<at::Tensor> ts;
  for (int i = 0; i < 3; ++i)
    ts.push_back(torch::zeros({i + 1, 4}));
  auto all = torch::cat(ts);
  all.view({6, 4}).zero_();
  return all.view({7, 4});
  // CHECK: :[[#@LINE-1]]:14: warning: view({7, 4}): shape [7, 4] does not fit the 24 elements
}

at::Tensor parts() {
  at::Tensor s = torch::zeros({1});
  for (const auto &p : torch::zeros({2, 8, 192}).split(64, 2))
    s = s + p.view(-1).sum();
  // CHECK: :[[#@LINE-1]]:15: warning: view({-1}) cannot merge
  return s;
}
