// RUN: not %tensortidy --checks=-*,tensor-overlapping-write %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// One index of a dimension that expand() repeats: a write there changes all.

#include <tensortidy/aten.h>

at::Tensor positions(int64_t batch, int64_t tokens, int64_t longest) {
  auto pos = torch::arange(tokens).unsqueeze(0).expand({batch, tokens});
  for (int64_t b = 0; b < batch; ++b)
    pos[b].clamp_(0, longest - b);
    // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: clamp_() writes at one index of 'pos', of which a dimension of size batch has stride 0; elements that share memory change together, without an error, unless batch is 1 [tensor-overlapping-write]
  return pos;
}

at::Tensor marked(int64_t tokens) {
  auto mask = torch::zeros({1, tokens}).expand({4, tokens});
  mask.select(0, 2).fill_(1);
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: fill_() writes at one index of 'mask', of which a dimension of size 4 has stride 0
  auto row = mask[1];
  row[0] = 2;
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: = writes at one index of 'mask'
  return mask;
}

at::Tensor fine(int64_t batch, int64_t tokens) {
  auto pos = torch::arange(tokens).unsqueeze(0).expand({batch, tokens}).clone();
  pos[0].clamp_(0, 3);
  auto column = torch::zeros({tokens, 1}).expand({tokens, 4});
  column[0].zero_(); // row 0 alone, all of it
  auto one = torch::zeros({1, tokens}).expand({1, tokens});
  one[0].fill_(1);
  auto source = torch::zeros({1, tokens});
  auto wide = source.expand({batch, tokens});
  source[0].fill_(1); // meant for all
  return pos + wide + one;
}

// No dimension to pick from.
void none(at::Tensor x) {
  auto n = torch::zeros({});
  n.select(0, 0).fill_(1);
}
