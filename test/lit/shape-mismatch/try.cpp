// RUN: not %tensortidy --checks=-*,tensor-view-after-permute,tensor-shape-mismatch,tensor-overlapping-write %s -- %runtime-torch | FileCheck %s --implicit-check-not=warning:
// Who tries one thing expects it to throw; who wraps a program does not.

#include <cstdio>
#include <stdexcept>
#include <tensortidy/torch.h>

at::Tensor other(at::Tensor y) {
  try {
    return y.t().contiguous().t().view({-1});
  } catch (const std::exception &) {
    return y.reshape({-1});
  }
}

#define THROWS(statement)                                                      \
  do {                                                                         \
    bool thrown = false;                                                       \
    try {                                                                      \
      statement;                                                               \
    } catch (const std::exception &) {                                         \
      thrown = true;                                                           \
    }                                                                          \
    if (!thrown)                                                               \
      throw std::logic_error(#statement);                                      \
  } while (false)
void test() {
  auto x = torch::zeros({2, 3});
  auto y = torch::zeros({4, 5});
  THROWS(x.t().view({-1}));
  THROWS({
    auto a = x.clone();
    auto b = y.clone();
    auto c = a.mul(2);
    auto d = b.mul(2);
    auto e = torch::matmul(c, d);
  });
  THROWS(x.expand({4, 2, 3}).add_(1));
}

void cleaned() {
  auto x = torch::zeros({2, 3}).t();
  try {
    x.view({-1});
    // CHECK: :[[#@LINE-1]]:7: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x'
  } catch (...) {
    std::puts("gone");
    throw;
  }
}

int main() {
  try {
    auto x = torch::zeros({2, 3}).t();
    auto w = torch::ones({3, 4});
    std::puts("starts");
    auto z = x.view({-1});
    // CHECK: :[[#@LINE-1]]:16: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x': sizes [3, 2], strides [1, 3]; throws [tensor-view-after-permute]
    auto q = torch::matmul(w, x);
    // CHECK: :[[#@LINE-1]]:21: warning: matmul(w, x): shapes 3x4 and 3x2 cannot be multiplied; throws [tensor-shape-mismatch]
    w.select(0, 1).expand({5, 4}).add_(1);
    // CHECK: :[[#@LINE-1]]:35: warning: add_() writes elements of its target more than once
    return q.dim() + z.dim() > 0 ? 0 : 1;
  } catch (const std::exception &e) {
    std::puts(e.what());
    return 1;
  }
}
