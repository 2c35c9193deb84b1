// RUN: %check %s --checks=-*,tensor-uninitialized-read -- %runtime
// Memory of empty() that only chosen elements are written of, and that is read as a whole.

#include <tensortidy/torch.h>

struct Slots {
  at::Tensor expert;
  int64_t tokens, each;
};
at::Tensor valid(const Slots &s) { return s.expert.ge(0).nonzero().squeeze(1); }

at::Tensor gradient(const Slots &s, const at::Tensor &g, const at::Tensor &out) {
  auto keep = valid(s);
  auto score = (g.index_select(0, keep) * out.index_select(0, keep)).sum(1);
  auto each = at::empty({s.tokens * s.each}, g.options());
  each.index_copy_(0, keep, score);
  return each.view({s.tokens, s.each}).sum(1) / 2;
  // CHECK-MESSAGES: :[[#@LINE-1]]:40: warning: 'sum' reads all of 'each', of which only the elements that 'keep' chooses are set: the others are what its memory held, unless those are all [tensor-uninitialized-read]
  // CHECK-MESSAGES: :[[#@LINE-3]]:8: note: 'index_copy_' sets them here
  // CHECK-MESSAGES: :[[#@LINE-5]]:19: note: 'empty' leaves them as they are; zeros would set them
}
at::Tensor masked(const at::Tensor &x) {
  auto mask = x > 0;
  auto y = at::empty_like(x);
  y.masked_fill_(mask, 1.0);
  return y.mean();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: 'mean' reads all of 'y', of which only the elements that 'mask' chooses
}
at::Tensor put(const at::Tensor &x, const at::Tensor &v) {
  auto finite = at::logical_and(x.isfinite(), x.ne(0));
  auto y = x.new_empty({x.size(0)});
  y.index_put_({finite}, v);
  auto scaled = (y * 2).exp();
  return scaled.sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: 'sum' reads all of 'y', of which only the elements that 'finite' chooses
}
at::Tensor scattered(const at::Tensor &x, const at::Tensor &v) {
  auto y = at::empty({x.size(0)});
  y.masked_scatter_(x.ge(0.5), v);
  return at::softmax(y, 0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: 'softmax' reads all of 'y', of which only the elements that were chosen
}
at::Tensor rows(const at::Tensor &x, const at::Tensor &w, const at::Tensor &score) {
  auto keep = at::nonzero(score > 0.1).flatten();
  auto y = at::empty({x.size(0), x.size(1)}, x.options());
  y.index_copy_(0, keep, x.index_select(0, keep));
  return w.mm(y);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: 'mm' reads all of 'y'
}
at::Tensor columns(const at::Tensor &x, const at::Tensor &score) {
  auto keep = at::nonzero(score > 0.1).view({-1});
  auto y = at::empty({x.size(0), x.size(1)}, x.options());
  y.index_copy_(1, keep, x.index_select(1, keep));
  return y.sum(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: 'sum' reads all of 'y'
}
at::Tensor dot(const at::Tensor &x, const at::Tensor &v) {
  auto y = at::empty({v.size(0)});
  auto mask = ~(x < 0);
  y.index_put_({mask}, 1.0);
  return at::matmul(v, y);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: 'matmul' reads all of 'y'
}
