// RUN: %check %s --checks=-*,tensor-uninitialized-read -- %runtime

#include <tensortidy/aten.h>

at::Tensor sum(const std::vector<at::Tensor> &xs, int64_t n) {
  auto total = at::empty({n});
  for (const auto &x : xs)
    total += x;
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: adds to elements of 'total' that nothing has set: they are what its memory held [tensor-uninitialized-read]
  // CHECK-MESSAGES: :[[#@LINE-4]]:20: note: 'empty' leaves them as they are; zeros would set them
  return total;
}
at::Tensor mean(const std::vector<at::Tensor> &xs) {
  auto total = at::empty_like(xs[0]);
  for (const auto &x : xs)
    total.add_(x, 0.5);
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: adds to elements of 'total'
  return total / static_cast<double>(xs.size());
}
at::Tensor grouped(const at::Tensor &x, const at::Tensor &group, int64_t groups) {
  at::Tensor out = x.new_empty({groups, x.size(1)});
  out.index_add_(0, group, x);
  // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: adds to elements of 'out'
  return out;
}
at::Tensor rows(const at::Tensor &x, int64_t n) {
  auto out = at::empty({n, x.size(1)}, x.options());
  for (int64_t i = 0; i < x.size(0); ++i)
    out[i % n] += x[i];
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: adds to elements of 'out'
  return out;
}
at::Tensor again(const std::vector<at::Tensor> &xs, int64_t n) {
  at::Tensor total = at::empty({n});
  for (const auto &x : xs)
    total = total + x;
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: adds to elements of 'total'
  return total;
}
struct Mean {
  at::Tensor of(const at::Tensor &x, int64_t n) {
    auto weights = at::empty({n, n});
    weights.select(0, 0).sub_(x);
    // CHECK-MESSAGES: :[[#@LINE-1]]:26: warning: adds to elements of 'weights'
    return weights;
  }
};
