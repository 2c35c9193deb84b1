// A tensor without elements that stands for none.

// RUN: %exits 1 %tensortidy %s -- %aten 2>&1 | FileCheck %s --implicit-check-not=warning:

#include <ATen/ATen.h>

struct Strides {
  const void *out;
  int64_t row, head;
};

// Nobody asks where data_ptr() is null.
static void describe(Strides &params, const at::Tensor &q, const at::Tensor &out) {
  params.out = out.data_ptr();
  params.row = params.out ? out.stride(-3) : q.stride(-3);
  params.head = params.out ? out.size(-2) : q.size(-2);
}

int64_t scoresOnly(const at::Tensor &q) {
  Strides params{};
  at::Tensor out = at::empty({0}, q.options());
  describe(params, q, out);
  return params.row + params.head;
}

// What computes needs a tensor.
at::Tensor headsFirst(const at::Tensor &q) {
  at::Tensor out = at::empty({0}, q.options());
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: permute({1, 0, 2}) names 3 dimensions, but 'out' has 1; throws [tensor-shape-mismatch]
  return out.permute({1, 0, 2});
}

int64_t rowOf(const at::Tensor &q) {
  at::Tensor out = at::empty({8}, q.options());
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: stride(-3): dimension -3 of 'out' is out of range [-1, 0]; throws [tensor-shape-mismatch]
  return out.stride(-3);
}
