// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// expand, unfold, diagonal and as_strided.

#include <tensortidy/aten.h>

at::Tensor expanded(int64_t a, int64_t b) {
  auto y = torch::zeros({a, 1}).expand({a, b});
  return y.view({a * b});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [a, b], strides [1, 0]{{.*}} [tensor-view-after-permute]
  // CHECK: :[[#@LINE-3]]:33: note: 'y' got this layout here: expand({{.*}}) of a contiguous [a, 1]
}

at::Tensor expandedRows(int64_t a, int64_t b) {
  auto row = torch::zeros({b});
  auto y = row.expand({a, b});
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [a, b], strides [0, 1]{{.*}} [tensor-view-after-permute]
}

at::Tensor expandedAs(int64_t a, int64_t b) {
  auto big = torch::zeros({a, b});
  auto y = torch::zeros({b}).expand_as(big);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}}, strides [0, 1]{{.*}} [tensor-view-after-permute]
}

// Keys repeated for grouped queries: the classic that needs reshape().
at::Tensor repeatKeys(int64_t B, int64_t G, int64_t T, int64_t D) {
  auto keys = torch::zeros({B, G, T, D});
  auto many = keys.unsqueeze(2).expand({B, G, 4, T, D});
  return many.view({B, G * 4, T, D});
  // CHECK: :[[#@LINE-1]]:15: warning: view({{.*}}) cannot merge dimensions 1 and 2 of 'many': sizes [B, G, 4, T, D]{{.*}} [tensor-view-after-permute]
}

// Windows that overlap.
at::Tensor windows() {
  auto y = torch::zeros({10}).unfold(0, 4, 2);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [4, 4], strides [2, 1]; throws [tensor-view-after-permute]
}

at::Tensor batchOfDiagonals(int64_t a) {
  auto y = torch::zeros({a, 4, 4}).diagonal(0, 1, 2);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [a, 4], strides [16, 5]{{.*}} [tensor-view-after-permute]
}

at::Tensor strided() {
  auto y = torch::zeros({100}).as_strided({4, 5}, {20, 1});
  return y.view({20});
  // CHECK: :[[#@LINE-1]]:12: warning: view({20}) cannot merge dimensions 0 and 1 of 'y': sizes [4, 5], strides [20, 1]; throws [tensor-view-after-permute]
}
