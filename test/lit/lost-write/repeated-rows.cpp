// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-lost-write -- %torch
// Sums at indices that name some rows several times.

#include <torch/torch.h>

using at::Tensor;
using torch::indexing::Slice;

Tensor pooled(const Tensor &x, int64_t docs, int64_t each) {
  auto rows = torch::arange(docs, torch::kInt64).repeat_interleave(each);
  auto sums = torch::zeros({docs, x.size(1)}, x.options());
  auto updated = sums.index({rows}) + x;
  sums.index_put_({rows}, updated);
  // CHECK-MESSAGES: :[[#@LINE-1]]:8: warning: index_put_() keeps one of the sums for each row of 'sums' that 'rows' names several times: the others are lost [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-5]]:50: note: the numbers repeat as repeat_interleave() makes them
  // CHECK-MESSAGES: :[[#@LINE-3]]:8: note: index_put_(..., /*accumulate=*/true) of what is added adds all of it
  return sums / each;
}
// The rows of a helper, of a member.
struct Pool {
  Tensor sums;
  Tensor rows(int64_t n) const { return torch::arange(n).div(4, "floor"); }
  void add(const Tensor &x) {
    auto at = rows(x.size(0));
    sums.index_copy_(0, at, sums.index_select(0, at) + x);
    // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: index_copy_() keeps one of the sums for each row of 'sums' that 'at' names several times
    // CHECK-MESSAGES: :[[#@LINE-5]]:58: note: the numbers repeat as div() makes them
    // CHECK-MESSAGES: :[[#@LINE-3]]:10: note: index_add_() of what is added adds all of it
  }
};
Tensor histogram(const Tensor &x, const Tensor &edges) {
  auto bins = torch::bucketize(x, edges);
  auto counts = torch::zeros({edges.size(0) + 1}, torch::kInt64);
  counts.index_put_({bins}, counts.index({bins}) + 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: index_put_() keeps one of the sums
  return counts;
}
// Points that one centre shares.
void centres(Tensor sums, const Tensor &points, const Tensor &distances) {
  auto nearest = distances.argmin(1);
  sums.index_copy_(0, nearest, points + sums.index_select(0, nearest));
  // CHECK-MESSAGES: :[[#@LINE-1]]:8: warning: index_copy_() keeps one of the sums
  auto index = nearest.unsqueeze(1).expand({-1, points.size(1)});
  sums.scatter_(0, index, sums.gather(0, index) + points);
  // CHECK-MESSAGES: :[[#@LINE-1]]:8: warning: scatter_() keeps one of the sums for each row of 'sums' that 'index' names several times
  // CHECK-MESSAGES: :[[#@LINE-6]]:28: note: the numbers repeat as argmin() makes them
  // CHECK-MESSAGES: :[[#@LINE-3]]:8: note: scatter_add_() of what is added adds all of it
}
// Added in place to what was read; a new tensor; columns beside.
void inPlace(Tensor table, const Tensor &x, int64_t n) {
  auto ids = torch::randint(n, {64}, torch::kInt64);
  auto part = table.index({ids, Slice(0, 8)});
  part += x;
  table.index_put_({ids, Slice(0, 8)}, part);
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: index_put_() keeps one of the sums
}
Tensor anew(Tensor table, const Tensor &x, int64_t n, int64_t k) {
  auto ids = torch::arange(n).unsqueeze(1).expand({n, k}).reshape(-1);
  table = table.index_put({ids}, table.index({ids}).add(x));
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: index_put() keeps one of the sums
  return table;
}
void hashed(Tensor table, const Tensor &keys, const Tensor &x, int64_t n) {
  auto slot = torch::remainder(keys * 31, n).to(torch::kLong);
  table.index_put_({slot}, table.index({slot}) + x * 0.5);
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: index_put_() keeps one of the sums
}
void written(Tensor table, const Tensor &x) {
  auto ids = torch::tensor({0, 2, 0, 1});
  table.index_put_({ids}, table.index({ids}) - x);
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: index_put_() keeps one of the sums
}
