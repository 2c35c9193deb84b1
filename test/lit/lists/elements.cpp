// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// An element of a list of integers that nobody changes is the same each time.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor merged(at::IntArrayRef s) {
  auto y = torch::zeros({s[0], s[1], 4});
  return y.permute({1, 0, 2}).view({s[1], s[0] * 4});
  // CHECK: :[[#@LINE-1]]:31: warning: view({s[1], 4*s[0]}) cannot merge dimensions 1 and 2: sizes [s[1], s[0], 4], strides [4, 4*s[1], 1]; throws unless s[0] or s[1] is 1 [tensor-view-after-permute]
}

at::Tensor counted(const std::vector<int64_t> &s) {
  auto y = torch::zeros({s[0], s[1], 4});
  return y.reshape({-1}).view({s[1], s[0], 5});
  // CHECK: :[[#@LINE-1]]:26: warning: view({s[1], s[0], 5}): shape [s[1], s[0], 5] does not fit the 4*s[0]*s[1] elements; throws unless it is empty [tensor-shape-mismatch]
}

at::Tensor fits(at::IntArrayRef s) {
  auto y = torch::zeros({s[0], s[1], 4});
  return y.view({s[0] * s[1], 4}).t();
}

at::Tensor changed(std::vector<int64_t> s) {
  auto y = torch::zeros({s[0], s[1], 4});
  s[1] = 5;
  return y.view({s[0], 4, s[1]});
}

void change(std::vector<int64_t> &s);

at::Tensor changedElsewhere(std::vector<int64_t> s) {
  auto y = torch::zeros({s[0], 3});
  change(s);
  return y.view({3, s[0], 2});
}

at::Tensor grown(std::vector<int64_t> &s) {
  auto y = torch::zeros({s[0], 3});
  s.insert(s.begin(), 2);
  return y.view({3, s[0], 2});
}

at::Tensor windows(const at::Tensor &x, at::IntArrayRef k) {
  return x.unfold(2, k[0], 1).unfold(3, k[1], 1).contiguous().view({x.size(0), x.size(1), -1, k[0] * k[1]});
}
