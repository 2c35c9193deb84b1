// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// What an operation gives, and how the note says it.

#include <tensortidy/aten.h>

at::Tensor best(const at::Tensor &x) {
  auto [values, indices] = x.t().topk(2, 1);
  return values.contiguous() + indices;
  // CHECK: :[[#@LINE-1]]:17: warning: contiguous() does nothing: 'values' is contiguous already [tensor-redundant-contiguous]
}

// sort() keeps the strides of its operand.
at::Tensor sorted(const at::Tensor &x) {
  auto [values, indices] = x.t().sort(1);
  return values.contiguous() + indices;
}

// A view of what is contiguous, and no new memory.
at::Tensor flat(const at::Tensor &x) {
  auto dense = x.contiguous();
  auto y = dense.flatten(1);
  return y.contiguous();
  // CHECK: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'y' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-3]]:18: note: 'y' got this layout here: flatten(1) of 'dense'
}
