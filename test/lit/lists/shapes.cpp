// RUN: %exits 1 %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Vectors of sizes that are built step by step.
#include <array>
#include <tensortidy/aten.h>
#include <vector>

at::Tensor pushed(int64_t b) {
  std::vector<int64_t> sizes = {b, 4};
  sizes.push_back(8);
  return torch::zeros(sizes).transpose(1, 2).view(-1);
  // CHECK: :[[#@LINE-1]]:46: warning: {{.*}}sizes [b, 8, 4], strides [32, 1, 8]
}

at::Tensor written(const at::Tensor &x) {
  auto sizes = x.sizes().vec();
  TORCH_CHECK(sizes.size() == 2);
  sizes[0] = 8;
  return torch::zeros(sizes).t().view(-1);
  // CHECK: :[[#@LINE-1]]:34: warning: {{.*}}sizes [x.size(1), 8], strides [1, x.size(1)]
}

at::Tensor array(int64_t b) {
  std::array<int64_t, 2> sizes;
  sizes[0] = b;
  sizes.back() = 3;
  return torch::zeros(sizes).t().view(-1);
  // CHECK: :[[#@LINE-1]]:34: warning: {{.*}}sizes [3, b], strides [1, 3]
}

at::Tensor inserted(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 3);
  std::vector<int64_t> sizes = x.sizes().vec();
  sizes.erase(sizes.begin() + 1);
  sizes.insert(sizes.begin(), 7);
  sizes.insert(sizes.end(), 9);
  sizes.pop_back();
  return torch::zeros(sizes).transpose(0, 1).view({7 * x.size(0), -1});
  // CHECK: :[[#@LINE-1]]:46: warning: {{.*}}sizes [x.size(0), 7, x.size(2)]
}

at::Tensor multiplied(const at::Tensor &x) {
  std::vector<int64_t> sizes(2, 6);
  sizes[1] *= 5;
  return torch::zeros(sizes).t().view(-1);
  // CHECK: :[[#@LINE-1]]:34: warning: {{.*}}sizes [30, 6]
}

// Nothing is known of these.
void fill(std::vector<int64_t> &sizes);

at::Tensor elsewhere(int64_t b) {
  std::vector<int64_t> sizes = {b, 4};
  fill(sizes);
  return torch::zeros(sizes).view({b, 4}).t().contiguous().view(-1);
}

at::Tensor references(int64_t b) {
  std::vector<int64_t> sizes = {2, b};
  int64_t &first = sizes[0];
  first = 1;
  return torch::zeros(sizes).t().view(-1); // one row
}

at::Tensor pointers(int64_t b) {
  std::vector<int64_t> sizes = {2, b};
  int64_t *first = sizes.data();
  *first = 1;
  return torch::zeros(sizes).t().view(-1);
}

at::Tensor looped(int64_t b, int n) {
  std::vector<int64_t> sizes;
  for (int i = 0; i < n; ++i)
    sizes.push_back(i);
  sizes.push_back(b);
  return torch::zeros(sizes).view({b, -1}).t().contiguous().view(-1);
}

at::Tensor chosen(int64_t b, bool row) {
  std::vector<int64_t> sizes = {b};
  if (row)
    sizes.insert(sizes.begin(), 1);
  else
    sizes.push_back(1);
  return torch::zeros(sizes).t().view(-1);
}

at::Tensor somewhere(int64_t b, size_t at) {
  std::vector<int64_t> sizes = {b, 4};
  sizes[at] = 1;
  return torch::zeros(sizes).t().view(-1);
}

at::Tensor captured(int64_t b) {
  std::vector<int64_t> sizes = {b, 4};
  auto change = [&] { sizes[1] = 1; };
  change();
  return torch::zeros(sizes).t().view(-1);
}

at::Tensor copied(int64_t b) {
  std::vector<int64_t> sizes = {b, 1};
  auto other = sizes;
  other[1] = 4;
  return torch::zeros(sizes).t().view(-1);
}
