// RUN: %check %s --checks=-*,tensor-lost-write -- %runtime
// Writes one after the other, in a helper, and to a parameter's own copy.

#include <tensortidy/aten.h>

using at::Tensor;

void activate(Tensor &x) {
  x.index({x > 0}).mul_(2).sigmoid_();
  // CHECK-MESSAGES: :[[#@LINE-1]]:28: warning: sigmoid_() is lost: it writes to the copy that index() makes [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-2]]:28: note: index_put_() writes to the elements themselves
}
void clip(const Tensor &grad, const Tensor &mask) {
  grad.masked_select(mask).clamp_(-1, 1).mul_(0.5);
  // CHECK-MESSAGES: :[[#@LINE-1]]:42: warning: mul_() is lost: it writes to the copy that masked_select() makes [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-2]]:8: note: write to the tensor itself, or keep the copy
}
static void squash(const Tensor &t) { t.sigmoid_(); }
static void scale(Tensor part, double by) {
  if (part.dim() > 1)
    part.mul_(by).add_(1);
}
void helped(Tensor &x) {
  squash(x.index({x > 0}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: what squash() writes is lost: it goes to the copy that index() makes [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-8]]:41: note: it is written here
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note: index_put_() writes to the elements themselves
  scale(x.index({x < 0}), 0.5);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: what scale() writes is lost: it goes to the copy that index() makes [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-9]]:19: note: it is written here
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note: index_put_() writes to the elements themselves
}
void update(Tensor param, const Tensor &grad) {
  param = param.contiguous();
  param.sub_(grad);
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: sub_() is lost: nothing reads 'param', the copy of the caller's tensor that contiguous() makes where it is not contiguous [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-3]]:17: note: the copy is made here
  // CHECK-MESSAGES: :[[#@LINE-3]]:9: note: give the copy a name of its own, and copy_() it back afterwards
}

// Views are written, and copies that somebody reads are meant.
void rows(Tensor &x) {
  x[0].mul_(2).sigmoid_();
  squash(x[0]);
  squash(x.slice(0, 0, 2));
  scale(x.t(), 2);
}
static Tensor squashed(const Tensor &t) {
  t.sigmoid_();
  return t;
}
static double total(Tensor t) {
  t.mul_(2);
  return t.sum().item<double>();
}
double read(Tensor &x) {
  Tensor y = squashed(x.index({x > 0}));
  return total(x.index({x > 0})) + total(y.clone());
}
Tensor returned(Tensor param, const Tensor &grad) {
  param = param.contiguous();
  param.sub_(grad);
  return param;
}
void copiedBack(Tensor param, const Tensor &grad) {
  Tensor dense = param.contiguous();
  dense.sub_(grad);
  param.copy_(dense);
}
void keep(const Tensor &);
static void kept(Tensor t) {
  t.mul_(2);
  keep(t);
}
void keeps(Tensor &x) { kept(x.index({x > 0})); }
void known(Tensor x, const Tensor &grad) {
  x = x.view({-1});
  x.sub_(grad);
}
