// RUN: not %tensortidy --checks=-*,tensor-discarded-result %s -- %runtime-torch | FileCheck %s --implicit-check-not=warning:
// What is run to be timed, or to see it throw.

#include <chrono>
#include <functional>
#include <tensortidy/torch.h>

void measure(const std::function<void()> &run);
void each(const std::function<void(at::Tensor)> &run);

double timed(at::Tensor a, at::Tensor b) {
  measure([&] { at::matmul(a, b); });
  measure([&] { a.transpose(0, 1); });
  auto warm = [&] { a.mul(b); };
  measure(warm);
  auto start = std::chrono::steady_clock::now();
  at::mm(a, b);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  a.mul(2);
  // CHECK: :[[#@LINE-1]]:5: warning: mul() does not change 'a', and its result is thrown away
  return took.count();
}

void scaled() {
  each([](at::Tensor t) { t.mul(2); });
  // CHECK: :[[#@LINE-1]]:29: warning: mul() does not change 't', and its result is thrown away
}

void plain(at::Tensor a, at::Tensor b) {
  at::mm(a, b);
  // CHECK: :[[#@LINE-1]]:7: warning: mm() does not change 'a', and its result is thrown away
}
