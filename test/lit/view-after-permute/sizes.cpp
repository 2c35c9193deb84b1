// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// How the new shape may be written.

#include <tensortidy/aten.h>

#include <vector>

at::Tensor viewAs(int64_t a, int64_t b) {
  auto flat = torch::zeros({a * b});
  auto y = torch::zeros({a, b}).t();
  return y.view_as(flat);
  // CHECK: :[[#@LINE-1]]:12: warning: view_as(flat) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor viewAsItself() {
  auto x = torch::zeros({3, 4});
  return x.t().view_as(x);
  // CHECK: :[[#@LINE-1]]:16: warning: view_as(x) cannot merge dimensions 0 and 1{{.*}} [tensor-view-after-permute]
}

at::Tensor inferred(int64_t a) {
  auto y = torch::zeros({a, 2, 3}).transpose(1, 2);
  return y.view({-1, 6});
  // CHECK: :[[#@LINE-1]]:12: warning: view({-1, 6}) cannot merge dimensions 1 and 2 of 'y': sizes [a, 3, 2], strides [6, 1, 3]; throws {{.*}}[tensor-view-after-permute]
}

at::Tensor sizesOfAnother(const at::Tensor &like) {
  auto y = torch::zeros({3, 4}).t();
  auto flat = torch::zeros({12});
  (void)like;
  return y.view(flat.sizes());
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor vectorOfSizes() {
  auto y = torch::zeros({3, 4}).t();
  std::vector<int64_t> shape = {12};
  return y.view(shape);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor arrayRef() {
  auto y = torch::zeros({3, 4}).t();
  return y.view(at::IntArrayRef{2, 6});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor products(int64_t n) {
  const int64_t rows = 2 * n;
  const int64_t all = rows * 5;
  auto y = torch::zeros({rows, 5}).t();
  return y.view({all});
  // CHECK: :[[#@LINE-1]]:12: warning: view({all}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor numel() {
  auto y = torch::zeros({7, 5}).t();
  return y.view(y.numel());
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

// More dimensions than those named would have to be of one element: none is
// shown for them.
at::Tensor columns(const at::Tensor &image, const at::Tensor &weight) {
  const auto c = image.size(1), h = image.size(2), w = image.size(3);
  auto pixels = image.contiguous().transpose(1, 3);
  return pixels[0].view({w, h * c}).mm(weight);
  // CHECK: :[[#@LINE-1]]:20: warning: view({w, c*h}) cannot merge dimensions 1 and 2: sizes [w, h, c], strides [1, w, h*w]; throws unless c or h is 1 [tensor-view-after-permute]
}
