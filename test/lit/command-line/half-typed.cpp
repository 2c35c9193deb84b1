// RUN: %exits 2 %tensortidy %s -- %runtime > %t.out
// RUN: FileCheck %s --implicit-check-not=warning: < %t.out
// Code in the middle of being written.

#include <tensortidy/aten.h>

at::Tensor whole(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge
}

// CHECK: error:
template <class T> struct Half : T {
  at::Tensor forward(at::Tensor x) {
    for (int64_t i = 0; i < x.size(
    auto y = x.permute({0, 2,
