// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Every operation that reorders dimensions, on a tensor of known layout.

#include <tensortidy/aten.h>

at::Tensor permuted(int64_t a, int64_t b, int64_t c) {
  auto x = torch::zeros({a, b, c});
  auto y = x.permute({0, 2, 1});
  return y.view({a, b * c});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 1 and 2 of 'y': sizes [a, c, b], strides [{{.*}}, 1, c]; throws unless {{.*}} [tensor-view-after-permute]
  // CHECK: :[[#@LINE-3]]:14: note: 'y' got this layout here: permute({{.*}}) of a contiguous [a, b, c]
  // CHECK: note: reshape() copies {{.*}} elements
}

at::Tensor transposed(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).transpose(0, 1);
  return y.view({a * b});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y': sizes [b, a], strides [1, b]; throws unless {{.*}} [tensor-view-after-permute]
  // CHECK: :[[#@LINE-3]]:33: note: 'y' got this layout here: transpose(0, 1) of a contiguous [a, b]
}

at::Tensor transposedT(int64_t a, int64_t b) {
  auto x = torch::ones({a, b});
  return x.t().view(-1);
  // CHECK: :[[#@LINE-1]]:16: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1{{.*}}: sizes [b, a], strides [1, b]{{.*}} [tensor-view-after-permute]
}

at::Tensor negativeDims(int64_t a, int64_t b, int64_t c) {
  auto y = torch::ones({a, b, c}).transpose(-2, -1);
  return y.view({a, -1});
  // CHECK: :[[#@LINE-1]]:12: warning: view({a, -1}) cannot merge dimensions 1 and 2 of 'y': sizes [a, c, b]{{.*}} [tensor-view-after-permute]
}

at::Tensor swappedAxes(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).swapaxes(0, 1);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor swappedDims(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).swapdims(0, 1);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor moved(int64_t a, int64_t b, int64_t c) {
  auto y = torch::zeros({a, b, c}).movedim(0, 2); // [b, c, a]
  return y.view({b, c * a});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 1 and 2 of 'y': sizes [b, c, a], strides [c, 1, {{.*}}]{{.*}} [tensor-view-after-permute]
}

at::Tensor movedAxes(int64_t a, int64_t b, int64_t c) {
  auto y = torch::zeros({a, b, c}).moveaxis({0, 1}, {2, 0}); // [b, c, a]
  return y.view({b * c * a});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 1 and 2 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor matrixT(int64_t a, int64_t b, int64_t c) {
  auto y = torch::zeros({a, b, c}).mT();
  return y.view({a, b * c});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 1 and 2 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor numpyT(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).numpy_T();
  return y.view({a * b});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

// A view that splits one dimension and merges others must still merge.
at::Tensor splitAndMerge(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b, 6}).transpose(0, 1); // [b, a, 6]
  return y.view({b * a, 2, 3});
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

// Splitting another way than the dimensions lie needs a merge, too.
at::Tensor regroup() {
  auto y = torch::zeros({4, 6}).t(); // [6, 4], strides [1, 6]
  return y.view({4, 6});
  // CHECK: :[[#@LINE-1]]:12: warning: view({4, 6}) cannot merge dimensions 0 and 1 of 'y': sizes [6, 4], strides [1, 6]; throws [tensor-view-after-permute]
}

// The cause may be several operations back.
at::Tensor chain(int64_t a, int64_t b, int64_t c) {
  auto y = torch::zeros({a, b, c}).transpose(0, 2);
  auto z = y.unsqueeze(0);
  auto w = z.squeeze(0).detach();
  return w.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge {{.*}} of 'w'{{.*}} [tensor-view-after-permute]
  // CHECK: :[[#@LINE-5]]:36: note: {{.*}}transpose(0, 2)
}
