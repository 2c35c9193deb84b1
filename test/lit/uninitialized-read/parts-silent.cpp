// RUN: %silent %s --checks=-*,tensor-uninitialized-read -- %runtime
// The rest is set as well, or may be; or it is left out again.

#include <tensortidy/torch.h>

void fill(at::Tensor &x);
at::Tensor places(const at::Tensor &x);

// Two choices.
at::Tensor both(const at::Tensor &x, const at::Tensor &v) {
  auto mask = x > 0;
  auto y = at::empty_like(x), z = at::empty({x.size(0)}), u = at::empty({x.size(0)});
  y.masked_fill_(mask, 1.0);
  y.masked_fill_(~mask, 0.0);
  z.index_put_({mask}, v);
  z.index_put_({mask.logical_not()}, 0.0);
  u.index_copy_(0, mask.nonzero().squeeze(1), v);
  u.index_fill_(0, (x <= 0).nonzero().squeeze(1), 0.0);
  return y.sum() + z.sum() + u.sum();
}
at::Tensor zeroed(const at::Tensor &x, const at::Tensor &v) {
  auto mask = x > 0;
  auto y = at::empty_like(x), z = at::empty({x.size(0)}), u = at::empty({x.size(0)}), w = at::zeros({x.size(0)});
  y.zero_();
  y.masked_fill_(mask, 1.0);
  z.index_put_({mask}, v);
  z[0] = 1;
  u.index_put_({mask}, v);
  fill(u);
  w.index_put_({mask}, v);
  return y.sum() + z.sum() + u.sum() + w.sum();
}
// Every expert writes its own.
at::Tensor experts(const at::Tensor &x, const at::Tensor &of, int64_t n) {
  auto y = at::empty({x.size(0)});
  for (int64_t e = 0; e < n; ++e) {
    auto mine = (of == e).nonzero().squeeze(1);
    y.index_copy_(0, mine, x.index_select(0, mine) * e);
  }
  return y.sum();
}
// An order, or what others name, may be all.
at::Tensor order(const at::Tensor &x, const at::Tensor &index, const at::Tensor &mask) {
  auto y = at::empty({x.size(0)}), z = at::empty({x.size(0)}), u = at::empty({x.size(0)}), w = at::empty({x.size(0)});
  y.index_copy_(0, at::argsort(x), x);
  z.index_copy_(0, index, x);
  u.index_copy_(0, places(x), x);
  w.masked_fill_(mask, 1.0);
  return y.sum() + z.sum() + u.sum() + w.sum();
}
// One place in each row: all rows.
at::Tensor rows(const at::Tensor &routed, const at::Tensor &x) {
  auto at = (routed == 1).nonzero();
  auto y = at::empty({x.size(0)});
  y.index_copy_(0, at.select(1, 0), x);
  return y.sum();
}
// The others are left out again.
at::Tensor again(const at::Tensor &x, const at::Tensor &v) {
  auto mask = x > 0;
  auto keep = mask.nonzero().squeeze(1);
  auto y = at::empty({x.size(0)});
  y.index_put_({mask}, v);
  auto a = at::where(mask, y, at::zeros_like(y)).sum();
  auto b = y.masked_fill(~mask, 0).sum();
  auto c = y.masked_select(mask).sum();
  auto d = y.index_select(0, keep).sum() + y.index({mask}).sum();
  auto e = (y * mask).sum() + (y * mask.to(at::kFloat)).sum() + (y * (x > 0)).sum();
  return a + b + c + d + e;
}
// Rows stay apart.
at::Tensor apart(const at::Tensor &x, const at::Tensor &w, const at::Tensor &score) {
  auto keep = at::nonzero(score > 0.1).squeeze(1);
  auto y = at::empty({x.size(0), x.size(1)}, x.options());
  y.index_copy_(0, keep, x.index_select(0, keep));
  auto norms = y.sum(1), out = y.mm(w), soft = at::softmax(y, 1);
  return (norms.index_select(0, keep) + out.index_select(0, keep) + soft.index_select(0, keep)).sum();
}
// Given to who knows.
at::Tensor handed(const at::Tensor &x, const at::Tensor &v) {
  auto mask = x > 0;
  auto y = at::empty({x.size(0)});
  y.index_put_({mask}, v);
  return y;
}
// Read before.
at::Tensor before(const at::Tensor &x, const at::Tensor &v) {
  auto mask = x > 0;
  auto y = at::empty({x.size(0)});
  y.copy_(x);
  auto s = y.sum();
  y.index_put_({mask}, v);
  return s + y.sum();
}
