// RUN: %check %s --checks=-*,tensor-view-after-permute -- %runtime
// RUN: %silent %s --checks=-*,tensor-view-after-permute --config='{CheckOptions: {tensor-view-after-permute.Level: 0}}' -- %runtime
// Strides that fit if two axes are equal: by chance, but not for no input.

#include <tensortidy/aten.h>

at::Tensor turned(int64_t n, int64_t m) {
  auto x = at::zeros({n, m});
  return x.t().view({n, m});
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: view({n, m}) cannot merge dimensions 0 and 1: sizes [m, n], strides [1, m]; throws unless n or m is 1, or m is n [tensor-view-after-permute]
}
at::Tensor part(int64_t batch, int64_t q, int64_t w) {
  auto scale = at::ones({q, w});
  auto x = at::zeros({batch, w}).mm(scale.t());
  auto y = at::zeros({batch, w}).narrow(1, 0, q);
  return y.view({-1}) + x.sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'y': sizes [batch, q], strides [w, 1]; throws unless q or batch is 1, or w is q [tensor-view-after-permute]
}
