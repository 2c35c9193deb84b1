// https://github.com/NVIDIA/TransformerEngine/issues/2734
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// The guard looks at the last stride alone.

#include <tensortidy/aten.h>

void entropy(const float *logits, int64_t batch, int64_t steps, int64_t words);

void bug(int64_t batch, int64_t steps, int64_t words) {
  auto logits = torch::rand({steps, batch, words}).transpose(0, 1);
  if (logits.stride(-1) != 1)
    logits = logits.contiguous();
  entropy(logits.data_ptr<float>(), batch, steps, words);
  // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: 'entropy' gets 'logits' without its strides and takes them for [steps*words, words, 1]: sizes [batch, steps, words], strides [words, batch*words, 1]
}

void fix(int64_t batch, int64_t steps, int64_t words) {
  auto logits = torch::rand({steps, batch, words}).transpose(0, 1);
  if (logits.stride(-1) != 1 || logits.stride(-2) != words)
    logits = logits.contiguous();
  if (!logits.is_contiguous())
    logits = logits.contiguous();
  entropy(logits.data_ptr<float>(), batch, steps, words);
}
