// RUN: %check %s --checks=-*,tensor-overlapping-write -- %runtime
// Tensors that are expanded together share memory along new dimensions.

#include <tensortidy/aten.h>
using at::Tensor;

void together() {
  auto both = at::broadcast_tensors({at::zeros({1, 4}), at::zeros({3, 1})});
  both[0].add_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: add_() writes elements of its target more than once: {{.*}}stride 0; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note:
  auto own = both[1].clone();
  own.add_(1);
}

void grid() {
  auto axes = at::meshgrid({at::arange(5), at::arange(6)}, "ij");
  auto y = axes[0];
  y.mul_(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: mul_() writes elements of 'y' more than once: a dimension of size 6 has stride 0; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note:
  auto z = axes[1] * 2;
  z.mul_(2);
}

void alone() {
  auto same = at::broadcast_tensors({at::zeros({3, 4}), at::zeros({3, 1})});
  same[0].add_(1);
  auto line = at::meshgrid({at::arange(5)}, "ij");
  line[0].add_(1);
  auto first = at::meshgrid({at::arange(5), at::arange(1)}, "xy");
  first[0].add_(1);
}
