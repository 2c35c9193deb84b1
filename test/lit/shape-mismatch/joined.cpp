// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute,tensor-redundant-contiguous -- %runtime
// cat() and stack() of tensors whose format is not known: their sizes are.

#include <tensortidy/aten.h>
using at::Tensor;

Tensor skip(const Tensor &x) {
  TORCH_CHECK(x.dim() == 4);
  auto a = at::conv2d(x, at::ones({8, 1, 3, 3}), {}, 1, 1);
  auto b = at::conv2d(at::max_pool2d(a, 2), at::ones({16, 8, 3, 3}), {}, 1, 1);
  auto c = at::conv_transpose2d(b, at::ones({16, 8, 2, 2}), {}, 2);
  auto both = at::cat({c, a}, 1);
  auto fits = at::conv2d(both, at::ones({4, 16, 3, 3}));
  return at::conv2d(both, at::ones({1, 8, 3, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: conv2d(both, ...): the weight wants 8 channels in 1 group, the input has 16; throws {{.*}}[tensor-shape-mismatch]
  // CHECK-MESSAGES: note:
}
Tensor beside(const Tensor &x) {
  TORCH_CHECK(x.dim() == 4 && x.size(1) == 3);
  auto two = at::stack({x, x}, 1);
  auto known = two.contiguous(); // x may be channels-last
  return two.view({-1, 5}).matmul(at::ones({5, 2})) +
         at::cat({x, x}, 1).select(1, 6).sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:29: warning: select(1, 6): index 6 is out of range for size 6 of dimension 1; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note:
}

// What is put behind the past has its rank, so the past has it, too.
at::Tensor withPast(const at::Tensor &q, const at::Tensor &k, const at::Tensor &past) {
  TORCH_CHECK(q.dim() == 4 && k.dim() == 4);
  const int64_t steps = q.size(2);
  TORCH_CHECK(steps == k.size(2) && steps > 1);
  auto all = at::cat({past, k}, 2);
  auto scores = at::matmul(q, all.transpose(2, 3));
  return scores + at::ones({steps, steps});
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: scores + ...: sizes past.size(2) + steps and steps do not match at dimension 3
}
at::Tensor withPastRight(const at::Tensor &q, const at::Tensor &k, const at::Tensor &past) {
  TORCH_CHECK(q.dim() == 4 && k.dim() == 4);
  const int64_t steps = q.size(2);
  TORCH_CHECK(steps == k.size(2) && steps > 1);
  auto all = at::cat({past, k}, 2);
  auto scores = at::matmul(q, all.transpose(2, 3));
  return scores + at::ones({steps, all.size(2)});
}
// A vector may be the empty one with which a list begins, whatever comes behind it.
at::Tensor begun(const at::Tensor &x) {
  auto all = at::empty({0});
  all = at::cat({all, x}, 0);
  return all.view({-1, x.size(1)});
}
