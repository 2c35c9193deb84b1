// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// A view holds as many elements as its tensor, or fails for that: what a size
// must be follows, and whether the strides allow it.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor factor(int64_t K) {
  auto p = torch::zeros({2, 4, 8}).permute({1, 0, 2});
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: view({K, 8}) cannot merge dimensions 0 and 1 of 'p'{{.*}}; throws [tensor-view-after-permute]
  return p.view({K, 8});
}

at::Tensor symbol(int64_t K, int64_t n) {
  auto p = torch::zeros({2, n, 8}).permute({1, 0, 2});
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: view({K, 8}) cannot merge dimensions 0 and 1 of 'p'{{.*}}; throws unless n is 1 [tensor-view-after-permute]
  return p.view({K, 8});
}

at::Tensor fits(int64_t K, int64_t n) {
  auto p = torch::zeros({2, n, 8}).permute({0, 1, 2});
  return p.view({K, 8});
}

// A table looked up by the bytes of one slice; the sizes are those of the slice,
// whatever its rank.
at::Tensor lookUp(const at::Tensor &w, int64_t e, int64_t K) {
  const int64_t N = w.size(2);
  auto packed = w[e];
  auto low = torch::zeros({16}).index_select(0, packed.flatten().to(at::kLong)).reshape(packed.sizes());
  auto high = torch::ones({16}).index_select(0, packed.flatten().to(at::kLong)).reshape_as(packed);
  std::vector<at::Tensor> both = {low, high};
  auto p = torch::stack(both, 0).permute({1, 0, 2});
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: view({K, N}) cannot merge dimensions 0 and 1 of 'p'{{.*}}; throws unless w.size(1) is 1 [tensor-view-after-permute]
  return p.view({K, N});
}

at::Tensor stacked(const at::Tensor &w, int64_t e, int64_t K) {
  const int64_t N = w.size(2);
  auto packed = w[e];
  auto low = torch::zeros({16}).index_select(0, packed.flatten().to(at::kLong)).view(packed.sizes());
  return torch::stack({low, low}, 1).view({K, N}); // [w.size(1), 2, N] in a row
}

// One of known rank tells it of the other.
at::Tensor told(const at::Tensor &x, int64_t n) {
  auto p = torch::stack({x, torch::zeros({n, 4})}, 0).permute({1, 0, 2});
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: view({-1, 4}) cannot merge dimensions 0 and 1 of 'p'
  return p.view({-1, 4});
}

// -1 in front keeps a dimension: the tensor has as many as it is expanded to.
at::Tensor expanded(const at::Tensor &s, int64_t b) {
  auto e = s.unsqueeze(1).expand({-1, b, -1});
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: view({-1, s.size(1)}) cannot merge dimensions 0 and 1 of 'e': sizes [s.size(0), b, s.size(1)]
  return e.view({-1, s.size(1)});
}
