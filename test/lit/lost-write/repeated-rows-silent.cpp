// REQUIRES: libtorch
// RUN: %silent %s --checks=-*,tensor-lost-write -- %torch
// Rows of which nothing says that they repeat, and sums that are meant.

#include <torch/torch.h>

using at::Tensor;
using torch::indexing::Slice;

void given(Tensor sums, const Tensor &rows, const Tensor &x) {
  sums.index_put_({rows}, sums.index({rows}) + x);
  sums.index_copy_(0, rows, sums.index_select(0, rows) + x);
  auto some = rows.index({rows > 0});
  sums.index_put_({some}, sums.index({some}) + 1);
}
// All different.
void distinct(Tensor sums, const Tensor &x, const Tensor &ids, int64_t n, int64_t start) {
  auto all = torch::arange(n);
  sums.index_put_({all}, sums.index({all}) + x);
  auto some = torch::randperm(n).narrow(0, 0, 8);
  sums.index_put_({some}, sums.index({some}) + x);
  auto ring = (torch::arange(n) + start) % 4096; // as many as fit
  sums.index_put_({ring}, sums.index({ring}) + x);
  auto even = torch::arange(0, n, 2).div(2, "floor");
  sums.index_put_({even}, sums.index({even}) + x);
  auto once = std::get<0>(torch::_unique2(ids));
  auto at = torch::searchsorted(torch::arange(n), once);
  sums.index_put_({at}, sums.index({at}) + x);
  auto one = torch::randint(n, {1}, torch::kInt64);
  sums.index_put_({one}, sums.index({one}) + x);
  auto best = x.argmax();
  sums.index_put_({best}, sums.index({best}) + 1);
  auto literal = torch::tensor({0, 2, 1});
  sums.index_put_({literal}, sums.index({literal}) + x);
}
// Accumulated; other rows; other tensors; not added to.
void meant(Tensor sums, const Tensor &x, const Tensor &y, int64_t n) {
  auto rows = torch::arange(n).repeat_interleave(4);
  auto others = torch::arange(n).repeat_interleave(2);
  sums.index_put_({rows}, x, true);
  sums.index_put_({rows}, sums.index({rows}) + x, /*accumulate=*/true);
  sums.index_add_(0, rows, x);
  sums.index_put_({rows}, sums.index({others}) + x);
  sums.index_put_({rows}, y.index({rows}) + x);
  sums.index_put_({rows}, sums.index({rows}) * 0.9); // the same for each
  sums.index_put_({rows}, x);
  sums.index_put_({rows}, x - sums.index({rows}));
  auto same = torch::arange(n).repeat_interleave(1);
  sums.index_put_({same}, sums.index({same}) + x);
}
// Each pair is another one.
void pairs(Tensor sums, const Tensor &x, int64_t n, int64_t k) {
  auto rows = torch::arange(n).repeat_interleave(k), columns = torch::arange(k).repeat(n);
  sums.index_put_({rows, columns}, sums.index({rows, columns}) + x);
}
// One in each row.
void scattered(Tensor sums, const Tensor &x, const Tensor &logits) {
  auto best = logits.argmax(1).unsqueeze(1);
  sums.scatter_(1, best, sums.gather(1, best) + 1);
  auto all = torch::arange(8).unsqueeze(1).expand({-1, 4});
  sums.scatter_(0, all, sums.gather(0, all) + x);
  auto wide = torch::arange(8).unsqueeze(1).repeat({1, 4});
  sums.scatter_(0, wide, sums.gather(0, wide) + x);
  sums.scatter_add_(0, logits.argmax(1), x);
}
