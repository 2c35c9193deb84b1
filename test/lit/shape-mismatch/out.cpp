// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute -- %runtime
// What NAME_out(out, ...) and addmm_() compute is refused as NAME() is, and out
// keeps its layout where it has the sizes of the result.

#include <tensortidy/aten.h>
using at::Tensor;

void refused(Tensor &out, const Tensor &x, int64_t n) {
  auto o = at::empty({3, 3}), a = at::zeros({3, 2}), b = at::zeros({3, 3});
  at::mm_out(o, a, b);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: mm_out(a, b): shapes 3x2 and 3x3 cannot be multiplied; throws [tensor-shape-mismatch]
  at::add_out(o, a, b);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: add_out(a, b): sizes 2 and 3 do not match at dimension 1; throws [tensor-shape-mismatch]
  at::cat_out(o, {a, at::zeros({4, 3})}, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: cat_out({a, ...}, 1): tensor 1 has size 4, expected 3 (except in dimension 1); throws [tensor-shape-mismatch]
  at::sum_out(o, a, 2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: sum_out(a, {2}): dimension 2 of 'a' is out of range [-2, 1]; throws [tensor-shape-mismatch]
  at::index_select_out(o, a, 1, b);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: index_select_out(o, a, 1, b) expects at most 1 dimension, 'b' has 2; throws [tensor-shape-mismatch]
  o.addmm_(a, b);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: addmm_(a, b): shapes 3x2 and 3x3 cannot be multiplied; throws [tensor-shape-mismatch]
  at::mm_out(out, x, b);
  at::mm_out(o, at::zeros({n, 3}), b);
  at::mm_out(o, a, at::zeros({2, n}));
  o.addmm_(a, at::zeros({2, 3}));
}

/// It has other sizes after that, for all that is known.
Tensor resized(int64_t n) {
  auto o = at::empty({3, 3});
  at::mm_out(o, at::zeros({n, 3}), at::zeros({3, 4}));
  return o.view({n, 4});
}
Tensor kept() {
  auto o = at::empty({3, 4}).t();
  at::mm_out(o, at::zeros({4, 2}), at::zeros({2, 3}));
  return o.view({12});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({12}) cannot merge dimensions 0 and 1 of 'o': sizes [4, 3], strides [1, 4]; throws [tensor-view-after-permute]
}
Tensor inALoop(const Tensor &x) {
  auto o = at::empty({4, 4});
  for (int i = 0; i < 3; ++i)
    at::mm_out(o, x, x);
  return o.view({16});
}
