// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Slices leave gaps; a view cannot step over a gap.

#include <tensortidy/aten.h>

using torch::indexing::Ellipsis;
using torch::indexing::None;
using torch::indexing::Slice;

at::Tensor narrowed(int64_t a) {
  auto x = torch::zeros({a, 8});
  auto y = x.narrow(1, 2, 4);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [a, 4], strides [8, 1]; throws unless a {{.*}}[tensor-view-after-permute]
  // CHECK: :[[#@LINE-3]]:14: note: 'y' got this layout here: narrow(1, 2, 4) of a contiguous [a, 8]
}

at::Tensor sliced(int64_t a) {
  auto y = torch::zeros({a, 8}).slice(1, 0, 5);
  return y.view({a * 5});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [a, 5], strides [8, 1]{{.*}} [tensor-view-after-permute]
}

at::Tensor stepped(int64_t a) {
  auto y = torch::zeros({a, 8}).slice(0, 0, 6, 2);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}}, strides [16, 1]{{.*}} [tensor-view-after-permute]
}

at::Tensor everyOther() {
  auto y = torch::zeros({6, 6}).index({Slice(None, None, 2), Slice(None, None, 2)});
  return y.view(9);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}9{{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [3, 3], strides [12, 2]; throws [tensor-view-after-permute]
}

at::Tensor indexed(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b, 8}).index({Ellipsis, Slice(0, 4)});
  return y.view({a, b * 4});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 1 and 2 of 'y': sizes [a, b, 4], strides [{{.*}}, 8, 1]{{.*}} [tensor-view-after-permute]
}

at::Tensor indexedColumn(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b, 3}).index({Slice(), Slice(1, 2), 0}); // [a, 1, ...]
  auto z = torch::zeros({a, 5, b}).index({Slice(), 2});              // [a, b]
  (void)y;
  return z.view({a * b});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'z': sizes [a, b], strides [5*b, 1]{{.*}} [tensor-view-after-permute]
}

at::Tensor selected(int64_t a, int64_t b) {
  auto y = torch::zeros({a, 3, b}).select(1, 0);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [a, b], strides [3*b, 1]; throws unless a {{.*}}is 1 [tensor-view-after-permute]
}

at::Tensor chunked(int64_t a) {
  auto parts = torch::zeros({a, 6}).chunk(3, 1);
  return parts[1].view({a * 2});
  // CHECK: :[[#@LINE-1]]:19: warning: view({{.*}}) cannot merge dimensions 0 and 1{{.*}}: sizes [a, 2], strides [6, 1]{{.*}} [tensor-view-after-permute]
}

at::Tensor splitUp(int64_t a) {
  auto parts = torch::zeros({a, 6}).split(2, 1);
  auto first = parts[0];
  return first.view(-1);
  // CHECK: :[[#@LINE-1]]:16: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'first': sizes [a, 2], strides [6, 1]{{.*}} [tensor-view-after-permute]
}

at::Tensor splitSizes(int64_t a) {
  auto parts = torch::zeros({a, 6}).split_with_sizes({2, 4}, 1);
  return parts[1].view(-1);
  // CHECK: :[[#@LINE-1]]:19: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1{{.*}}: sizes [a, 4], strides [6, 1]{{.*}} [tensor-view-after-permute]
}

at::Tensor unbound(int64_t a, int64_t b) {
  auto parts = torch::zeros({a, 3, b}).unbind(1);
  return parts[0].view(-1);
  // CHECK: :[[#@LINE-1]]:19: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1{{.*}}: sizes [a, b], strides [3*b, 1]{{.*}} [tensor-view-after-permute]
}
