// Functions of a user's that move bytes, by what a model says of their arguments.

// RUN: rm -rf %t && mkdir -p %t && cp %s %t/bytes.cpp && cp %S/Inputs/bytes.yaml %t/.tensortidy.yaml
// RUN: %exits 1 %tensortidy --quiet --checks=-*,tensor-raw-pointer-layout %t/bytes.cpp -- %aten 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: rm %t/.tensortidy.yaml
// RUN: %tensortidy --quiet --checks=-*,tensor-raw-pointer-layout %t/bytes.cpp -- %aten 2>&1 | FileCheck %s --check-prefix=WITHOUT --allow-empty
// WITHOUT-NOT: warning:
// REQUIRES: libtorch
#include <ATen/ATen.h>

namespace ring {
struct Channel { void send(const void *from, size_t bytes); };
void copy(int stream, void *to, const void *from, size_t bytes);
size_t store(const void *from, size_t each, size_t count);
} // namespace ring

void share(ring::Channel &channel, const at::Tensor &x, float *to) {
  channel.send(x.data_ptr<float>(), x.numel());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'send' counts one byte for each of the elements of 'x', which have 4 (float32) [tensor-raw-pointer-layout]
  channel.send(x.data_ptr<float>(), x.nbytes());
  ring::copy(0, to, x.data_ptr<float>(), x.numel());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'copy' {{.*}} one byte for each of the elements of 'x', which have 4 (float32)
  ring::copy(0, to, x.data_ptr<float>(), x.numel() * sizeof(float));
  ring::store(x.data_ptr<float>(), sizeof(double), x.numel());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'store' counts 8 bytes for each of the elements of 'x', which have 4 (float32)
  ring::store(x.data_ptr<float>(), sizeof(float), x.numel());
}
