// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// RUN: %silent %s --checks=-*,tensor-view-after-permute --config="{CheckOptions: {tensor-view-after-permute.Level: 0}}" -- %runtime
// Level 1: the layout of a parameter is not known, and the message says so.

#include <tensortidy/aten.h>

at::Tensor transposed(const at::Tensor &x) {
  return x.transpose(0, 1).view({x.size(0) * x.size(1)});
  // CHECK: :[[#@LINE-1]]:28: warning: view({{.*}}) cannot merge dimensions 0 and 1{{.*}}; throws when 'x' is contiguous{{.*}} [tensor-view-after-permute]
}

at::Tensor permuted(at::Tensor x) {
  auto B = x.size(0), T = x.size(1), C = x.size(2);
  auto y = x.permute({0, 2, 1});
  return y.view({B, T * C});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 1 and 2 of 'y'{{.*}}; throws when 'x' is contiguous{{.*}} [tensor-view-after-permute]
  // CHECK: :[[#@LINE-3]]:14: note: 'y' got this layout here: permute({{.*}})
}

at::Tensor narrowed(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 2 && x.size(1) == 8);
  auto rows = x.size(0);
  auto y = x.narrow(1, 1, 3);
  return y.view({rows * 3});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}}; throws when 'x' is contiguous{{.*}} [tensor-view-after-permute]
}

struct Layer {
  at::Tensor weight;
  at::Tensor spelled() const {
    return this->weight.t().view(-1);
    // CHECK: :[[#@LINE-1]]:29: warning: {{.*}}; throws when 'this->weight' is contiguous{{.*}} [tensor-view-after-permute]
  }
};

struct Other {
  at::Tensor weight;
  at::Tensor flat() const {
    return weight.t().view(-1);
    // CHECK: :[[#@LINE-1]]:23: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1{{.*}}; throws when 'weight' is contiguous{{.*}} [tensor-view-after-permute]
  }
};
