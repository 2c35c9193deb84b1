// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Checks of sizes that no numbers make equal, and ranks of tensors of any rank.
#include <ATen/ATen.h>

void doubled(const at::Tensor &x) {
  const int64_t width = x.size(-1);
  TORCH_CHECK(2 * width == width, "unexpected width");
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this check can never hold: 'x' is [..., width]
}

at::Tensor joined(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 2);
  auto both = at::cat({x, x}, 1);
  TORCH_CHECK(both.size(1) == x.size(1), "the gate has another width");
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this check can never hold
  return both;
}

at::Tensor rows(const at::Tensor &x) {
  auto flat = x.flatten(1);
  TORCH_CHECK(flat.dim() == 3);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this check can never hold
  return flat;
}

static void expects2d(const at::Tensor &t) { TORCH_CHECK(t.dim() == 2, "expected a matrix"); }
void batched(const at::Tensor &x) {
  expects2d(x.flatten(1).unsqueeze(0));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: a check in 'expects2d' can never hold for this call
}

static void packed(const at::Tensor &t) { TORCH_CHECK(t.is_contiguous(), "expected packed memory"); }
void mergedHeads(const at::Tensor &x, const at::Tensor &w) {
  packed(at::linear(x, w).transpose(-1, -2));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: a check in 'packed' can never hold for this call: 'packed::t' is [..., {{.*}}; fails unless
  packed(at::linear(x, w).transpose(-1, -2).contiguous());
  packed(x.transpose(-1, -2)); // callers may pass that
  packed(x.select(0, 1));
}

void fine(const at::Tensor &x, const at::Tensor &y) {
  TORCH_CHECK(x.size(0) == y.size(0));
  TORCH_CHECK(x.size(-1) == 2 * y.size(-1));
  TORCH_CHECK(x.size(0) * x.size(1) == x.size(1)); // of one row
  TORCH_CHECK(x.size(0) == 0);
  TORCH_CHECK(x.size(0) + 1 == y.size(0));
  expects2d(x.flatten(1));
  auto f = x.flatten(2);
  TORCH_CHECK(f.dim() == 3 && f.size(0) == x.size(0) && f.size(1) == x.size(1));
  auto both = at::cat({x.flatten(1), y.flatten(1)}, 0);
  TORCH_CHECK(both.size(0) == x.size(0) + y.size(0));
}
