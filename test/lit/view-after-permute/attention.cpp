// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Heads of attention: the merge that needs a copy.

#include <tensortidy/aten.h>

at::Tensor merge(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, int64_t H) {
  auto B = q.size(0), T = q.size(1), C = q.size(2);
  auto D = C / H;
  auto qh = q.view({B, T, H, D}).transpose(1, 2);
  auto kh = k.view({B, T, H, D}).transpose(1, 2);
  auto vh = v.view({B, T, H, D}).transpose(1, 2);
  auto att = torch::matmul(qh, kh.transpose(2, 3));
  auto ctx = torch::matmul(att, vh).transpose(1, 2);
  return ctx.view({B, T, C});
  // CHECK: :[[#@LINE-1]]:14: warning: view({B, T, C}) cannot merge dimensions 2 and 3 of 'ctx': sizes [B, T, H, D], strides [{{.*}}, D, {{.*}}, 1]; throws unless {{.*}} [tensor-view-after-permute]
  // CHECK: :[[#@LINE-3]]:37: note: 'ctx' got this layout here: transpose(1, 2) of a contiguous [B, H, T, D]
  // CHECK: note: reshape() copies {{.*}} elements; contiguous() before view() does the same
}

// Without the second transpose the same view fails, too.
at::Tensor forgotten(int64_t B, int64_t T, int64_t H, int64_t D) {
  auto q = torch::rand({B, T, H * D});
  auto heads = q.view({B, T, H, D}).transpose(1, 2);
  return heads.view({B, T, H * D});
  // CHECK: :[[#@LINE-1]]:16: warning: view({{.*}}) cannot {{.*}}'heads'{{.*}} [tensor-view-after-permute]
}

// Sizes taken from sizes(), a constant number of heads.
at::Tensor fromSizes(at::Tensor x) {
  constexpr int64_t heads = 8;
  const auto B = x.sizes()[0];
  const auto T = x.sizes()[1];
  const int64_t D = x.sizes()[2] / heads;
  auto y = x.reshape({B, T, heads, D}).contiguous().permute({0, 2, 1, 3});
  return y.view({B * heads, T, D});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [B, {{8|heads}}, T, D]{{.*}} [tensor-view-after-permute]
}
