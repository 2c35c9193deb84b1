// RUN: not %tensortidy --checks=-*,tensor-allocation-in-loop %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// empty() that is overwritten before it is read.

#include <tensortidy/aten.h>

double sumOfCopies(const at::Tensor &x, int64_t n) {
  at::NoGradGuard guard;
  double total = 0;
  for (int64_t i = 0; i < n; ++i) {
    auto buffer = torch::empty({32, 32});
    buffer.copy_(x.select(0, i));
    total += buffer.sum().item<double>();
    // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: warning: 'buffer' is allocated anew in every iteration and overwritten{{.*}}(4096 bytes each time) [tensor-allocation-in-loop]
  }
  return total;
}

double filled(int64_t n) {
  at::NoGradGuard guard;
  double total = 0;
  for (int64_t i = 0; i < n; ++i) {
    auto buffer = torch::empty({32});
    buffer.fill_(double(i));
    buffer.add_(1);
    total += buffer.sum().item<double>();
    // CHECK: :[[#@LINE-4]]:{{[0-9]+}}: warning: 'buffer' is allocated anew in every iteration and overwritten{{.*}} [tensor-allocation-in-loop]
  }
  return total;
}
