// RUN: %exits 2 %tensortidy %s -- %runtime > %t.out 2> %t.err
// RUN: FileCheck %s --implicit-check-not=warning: "--implicit-check-not=identifier 'u05'" < %t.out
// RUN: FileCheck %s --check-prefix=ERR < %t.err
// A finding stands only where no error lies, and the rest of the file has its
// findings. More errors than clang would report make no difference; the first
// of them are shown. LLVM 22 stops one later than 19.
// ERR: errors.cpp' does not compile (more than {{19|20}} errors, of which these are the first); its

#include <tensortidy/aten.h>

at::Tensor broken(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  y = rearranged(y);
  // CHECK: :[[#@LINE-1]]:7: error: use of undeclared identifier 'rearranged'
  return y.view(-1);
}

at::Tensor whole(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge {{.*}} [tensor-view-after-permute]
}

void many() {
  u01; u02; u03; u04; u05; u06; u07; u08; u09; u10;
  u11; u12; u13; u14; u15; u16; u17; u18; u19; u20;
}

at::Tensor afterTheLimit(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  y = rearranged(y);
  return y.view(-1);
}

#include "no-such-header.h"

at::Tensor afterAFatalError(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  y = rearranged(y);
  return y.view(-1);
}

at::Tensor wholeAfterAll(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge {{.*}} [tensor-view-after-permute]
}
