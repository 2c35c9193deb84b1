// RUN: not %tensortidy --checks=-*,tensor-* %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// The three checks behind <ATen/ATen.h>, on operations the runtime does not have.

#include <ATen/ATen.h>
#include <vector>

at::Tensor attention(const at::Tensor &x, const at::Tensor &y, int64_t H) {
  const auto B = x.size(0), T = x.size(1), C = x.size(2);
  const auto D = C / H;
  auto q = x.view({B, T, H, D}).transpose(1, 2);
  auto k = y.view({B, T, H, D}).transpose(1, 2);
  auto weights = at::softmax(at::matmul(q, k.transpose(-2, -1)), -1);
  auto ctx = at::matmul(weights, k).transpose(1, 2);
  return ctx.view({B, T, C});
  // CHECK: :[[#@LINE-1]]:14: warning: view({B, T, C}) cannot merge dimensions 2 and 3 of 'ctx': sizes [B, T, H, D]{{.*}} [tensor-view-after-permute]
  // CHECK: :[[#@LINE-3]]:37: note: 'ctx' got this layout here: transpose(1, 2) of a contiguous [B, H, T, D]
}

at::Tensor softmaxIsDense(const at::Tensor &x) {
  auto y = at::softmax(x.transpose(1, 2), -1);
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
}

at::Tensor sigmoidKeepsStrides(int64_t a, int64_t b) {
  auto y = at::zeros({a, b}).t().sigmoid();
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor where(int64_t a, int64_t b) {
  auto turned = at::ones({a, b}).t();
  auto y = at::where(turned > 0, turned, at::zeros({b, a}));
  return y.view({a * b});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor maskedScores(at::Tensor scores, int64_t layers) {
  const auto T = scores.size(-1);
  for (int64_t layer = 0; layer < layers; ++layer) {
    auto mask = at::ones({T, T}, at::kBool).triu(1);
    scores = at::softmax(scores.masked_fill(mask, -1e9), -1);
    // CHECK: :[[#@LINE-2]]:{{[0-9]+}}: warning: {{.*}} is allocated in every iteration with the same arguments{{.*}} [tensor-allocation-in-loop]
  }
  return scores;
}

at::Tensor nhwc(const std::vector<at::Tensor> &images) {
  std::vector<at::Tensor> planes;
  for (const auto &image : images)
    planes.push_back(image.permute({2, 0, 1}).to(at::kFloat).div(255));
  return at::stack(planes).contiguous();
  // CHECK: :[[#@LINE-1]]:28: warning: contiguous() does nothing: its operand is contiguous already [tensor-redundant-contiguous]
}
