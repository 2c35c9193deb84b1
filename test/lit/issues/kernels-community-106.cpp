// https://github.com/huggingface/kernels-community/issues/106
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Halves of the last dimension have gaps, and the kernel counts elements.

#include <tensortidy/aten.h>

void gelu(const float *in, int64_t count);

void bug(int64_t rows, int64_t width) {
  auto halves = torch::rand({rows, 2 * width}).chunk(2, -1);
  auto gated = halves[0];
  gelu(gated.data_ptr<float>(), gated.numel());
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: 'gelu' gets 'gated' without its strides and takes width*rows elements in a row: sizes [rows, width], strides [2*width, 1]
}

void fix(int64_t rows, int64_t width) {
  auto halves = torch::rand({rows, 2 * width}).chunk(2, -1);
  auto gated = halves[0].contiguous();
  gelu(gated.data_ptr<float>(), gated.numel());
}
