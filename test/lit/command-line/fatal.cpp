// RUN: %exits 2 %tensortidy %s -- %runtime > %t.out
// RUN: FileCheck %s --implicit-check-not=warning: --implicit-check-not=error: < %t.out
// After a missing header clang reports no further error; the functions are
// judged all the same.

#include "no-such-header.h"
// CHECK: :[[#@LINE-1]]:10: error: 'no-such-header.h' file not found
#include <tensortidy/aten.h>

at::Tensor broken(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  y = rearranged(y);
  return y.view(-1);
}

at::Tensor whole(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge
}
