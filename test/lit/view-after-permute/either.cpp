// RUN: %check %s --checks=-*,tensor-view-after-permute,tensor-redundant-contiguous -- %runtime
// A size of a result may be one of two; how many there are, and that they are
// packed, is known all the same.

#include <tensortidy/aten.h>

at::Tensor sum(const at::Tensor &a, const at::Tensor &b) {
  TORCH_CHECK(a.dim() == 2 && b.dim() == 2);
  auto c = a.contiguous() + b.contiguous();
  return c.t().view({-1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [c.size(1), c.size(0)], strides [1, c.size(1)]; throws unless c.size(1) or c.size(0) is 1
}

at::Tensor unnamed(const at::Tensor &a, const at::Tensor &b) {
  TORCH_CHECK(a.dim() == 2 && b.dim() == 2);
  return (a * b).contiguous().t().view({-1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:35: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [(a * b).size(1), (a * b).size(0)]
}

// The operands may be turned.
at::Tensor open(const at::Tensor &a, const at::Tensor &b) {
  TORCH_CHECK(a.dim() == 2 && b.dim() == 2);
  auto c = a + b;
  c = c.contiguous();
  return c.view({-1}) + (a + b).reshape({-1});
}

// Nothing says that the sizes of `c` are those of `a`.
at::Tensor others(const at::Tensor &a, const at::Tensor &b) {
  TORCH_CHECK(a.dim() == 3 && b.dim() == 3);
  auto c = (a + b).contiguous();
  c.view({a.size(0), b.size(1), a.size(2)}).add_(1);
  return c.transpose(1, 2).view({a.size(0), -1});
}

static at::Tensor toHeads(const at::Tensor &x, int64_t h) {
  auto sizes = x.sizes();
  return x.reshape({sizes[0], sizes[1], h, sizes[2] / h}).transpose(1, 2);
}
at::Tensor attend(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, int64_t h) {
  auto qs = toHeads(q, h), ks = toHeads(k, h), vs = toHeads(v, h);
  auto weights = at::softmax(at::matmul(qs, ks.transpose(2, 3)), -1);
  auto heads = at::matmul(weights, vs).transpose(1, 2);
  return heads.view({q.size(0), q.size(1), -1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: view({q.size(0), q.size(1), -1}) cannot merge dimensions 2 and 3 of 'heads'
}
at::Tensor attendRight(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, int64_t h) {
  auto qs = toHeads(q, h), ks = toHeads(k, h), vs = toHeads(v, h);
  auto weights = at::softmax(at::matmul(qs, ks.transpose(2, 3)), -1);
  auto heads = at::matmul(weights, vs).transpose(1, 2).contiguous();
  return heads.view({q.size(0), q.size(1), -1});
}
