// RUN: %check %s --checks=-*,tensor-lost-write -- %runtime
// Writing to a packed copy through a pointer, and never copying back; and an
// index that copies unless it is a single number.

#include <cstring>
#include <tensortidy/aten.h>
#include <vector>
using at::Tensor;

void update(float *param, const float *grad, int64_t n);
void swap(float *a, float *b, const int64_t *order, int64_t n);
void show(float *values, int64_t n);

void loop(Tensor &param, const Tensor &grad) {
  auto p = param.contiguous();
  float *d = p.data_ptr<float>();
  const float *g = grad.data_ptr<float>();
  for (int64_t i = 0; i < p.numel(); ++i)
    d[i] -= g[i];
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this write is lost: nothing reads 'p', the copy of 'param' that contiguous() makes where it is not contiguous [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-6]]:18: note: the copy is made here
  // CHECK-MESSAGES: note: 'param.copy_(p)' afterwards takes it back
}

void called(Tensor &param, const Tensor &grad) {
  auto p = param.contiguous();
  update(p.data_ptr<float>(), grad.data_ptr<float>(), p.numel());
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: what update() writes is lost: nothing reads 'p', {{.*}} where it is not contiguous [tensor-lost-write]
  // CHECK-MESSAGES: note: the copy is made here
  // CHECK-MESSAGES: note: 'param.copy_(p)' afterwards takes it back
}

void filled(Tensor &param) {
  auto p = param.contiguous();
  std::memset(p.data_ptr(), 0, 4);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: what memset() writes is lost: nothing reads 'p', {{.*}} [tensor-lost-write]
  // CHECK-MESSAGES: note: the copy is made here
  // CHECK-MESSAGES: note: 'param.copy_(p)' afterwards takes it back
}

// A declaration without a value gives the pointer no other one.
void declaredFirst(Tensor &param) {
  auto p = param.contiguous();
  float *d;
  d = p.data_ptr<float>();
  d[0] = 0;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this write is lost: nothing reads 'p', {{.*}} [tensor-lost-write]
  // CHECK-MESSAGES: note: the copy is made here
  // CHECK-MESSAGES: note: 'param.copy_(p)' afterwards takes it back
}

void eitherOf(Tensor &param, bool own) {
  auto p = param.contiguous();
  float *d;
  if (own)
    d = param.data_ptr<float>();
  else
    d = p.data_ptr<float>();
  d[0] = 0;
}

void subscript(Tensor x, const Tensor &mask, const Tensor &y, const std::vector<Tensor> &rows) {
  x.index({mask}) = y;
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: this assignment is lost: it writes to the copy that index() makes, unless 'mask' is a single number [tensor-lost-write]
  // CHECK-MESSAGES: note: index_put_() writes to the elements themselves
  x.index({rows[0][1]}) = y;
}

Tensor returned(const Tensor &x) {
  auto p = x.contiguous();
  float *d = p.data_ptr<float>();
  for (int64_t i = 0; i < p.numel(); ++i)
    d[i] = 0;
  return p;
}

void back(Tensor &param, const Tensor &grad) {
  auto p = param.contiguous();
  update(p.data_ptr<float>(), grad.data_ptr<float>(), p.numel());
  param.copy_(p);
}

float scratch(const Tensor &x) {
  auto p = x.contiguous();
  float *d = p.data_ptr<float>();
  for (int64_t i = 1; i < p.numel(); ++i)
    d[i] += d[i - 1];
  return d[p.numel() - 1];
}

void read(const Tensor &x, const Tensor &order, Tensor &out) {
  auto p = x.contiguous(), o = out.contiguous();
  show(p.data_ptr<float>(), p.numel());
  swap(p.data_ptr<float>(), o.data_ptr<float>(), order.data_ptr<int64_t>(), p.numel());
}

void proved(Tensor &param) {
  TORCH_CHECK(param.is_contiguous());
  auto p = param.contiguous();
  float *d = p.data_ptr<float>();
  for (int64_t i = 0; i < p.numel(); ++i)
    d[i] = 0;
}

void inParallel(Tensor &param, int64_t n) {
  auto p = param.contiguous();
  float *d = p.data_ptr<float>();
  at::parallel_for(0, n, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      d[i] = 0;
    // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: this write is lost: nothing reads 'p', {{.*}} where it is not contiguous [tensor-lost-write]
    // CHECK-MESSAGES: note: the copy is made here
    // CHECK-MESSAGES: note: 'param.copy_(p)' afterwards takes it back
    // CHECK-MESSAGES: :[[#@LINE-6]]:3: note: in the call of {{.*}} here
  });
}

void inParallelAndBack(Tensor &param, int64_t n) {
  auto p = param.contiguous();
  float *d = p.data_ptr<float>();
  at::parallel_for(0, n, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      d[i] = 0;
  });
  param.copy_(p);
}

void adam(float *p, const float *g, float *m, float *v, int64_t n);

// All that adam() writes are copies.
void several(Tensor param, const Tensor &grad, Tensor first, Tensor second) {
  auto p = param.contiguous(), g = grad.contiguous();
  auto m = first.contiguous(), v = second.contiguous();
  adam(p.data_ptr<float>(), g.data_ptr<float>(), m.data_ptr<float>(), v.data_ptr<float>(), p.numel());
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: what adam() writes is lost: nothing reads 'p'
  // CHECK-MESSAGES: note: the copy is made here
  // CHECK-MESSAGES: note: 'param.copy_(p)' afterwards takes it back
}

// One of them lasts, and the others may be for scratch.
void scratch(Tensor &param, const Tensor &grad, Tensor first, Tensor second) {
  TORCH_CHECK(param.is_contiguous());
  auto g = grad.contiguous(), m = first.contiguous(), v = second.contiguous();
  adam(param.data_ptr<float>(), g.data_ptr<float>(), m.data_ptr<float>(), v.data_ptr<float>(), g.numel());
}

void unnamed(Tensor out, const Tensor &in, const float *from) {
  std::memcpy(out.contiguous().data_ptr<float>(), from, out.nbytes());
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: what memcpy() writes is lost: it goes to the copy that contiguous() makes where it is not contiguous [tensor-lost-write]
  // CHECK-MESSAGES: note: name the copy
}

void into(Tensor out, const Tensor &a, const Tensor &b) {
  auto packed = out.contiguous();
  at::add_out(packed, a, b);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: add_out() is lost: nothing reads 'packed', the copy of 'out' that contiguous() makes where it is not contiguous [tensor-lost-write]
  // CHECK-MESSAGES: note: the copy is made here
  // CHECK-MESSAGES: note: 'out.copy_(packed)' afterwards takes it back
}

void intoAndBack(Tensor out, const Tensor &a, const Tensor &b) {
  auto packed = out.contiguous();
  at::add_out(packed, a, b);
  out.copy_(packed);
}

void converted(Tensor &x) {
  auto y = x.to(torch::kDouble);
  auto a = y.accessor<double, 1>();
  for (int64_t i = 0; i < a.size(0); ++i)
    a[i] += 1;
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this write is lost: nothing reads 'y', the copy of 'x' that to() makes where it has another dtype [tensor-lost-write]
  // CHECK-MESSAGES: note: the copy is made here
  // CHECK-MESSAGES: note: 'x.copy_(y)' afterwards takes it back
}

void convertedBack(Tensor &x, std::vector<Tensor> &out) {
  auto y = x.to(torch::kDouble);
  auto a = y.accessor<double, 1>();
  for (int64_t i = 0; i < a.size(0); ++i)
    a[i] += 1;
  x.copy_(y);
  auto z = x.to(torch::kDouble);
  z.data_ptr<double>()[0] = 1;
  out.push_back(z);
}

// A parameter that is given its own packed copy is the caller's no more.
static void activate(float *p, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    p[i] = p[i] > 0 ? p[i] : 0;
}
void reluInPlace(Tensor self) {
  self = self.contiguous();
  activate(self.data_ptr<float>(), self.numel());
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this write is lost: nothing reads 'self', the copy of the caller's tensor that contiguous() makes where it is not contiguous [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-3]]:15: note: the copy is made here
  // CHECK-MESSAGES: note: give the copy a name of its own, and copy_() it back afterwards
}
Tensor relu(Tensor self) {
  self = self.contiguous();
  activate(self.data_ptr<float>(), self.numel());
  return self;
}
void reluBack(Tensor self) {
  auto dense = self.contiguous();
  activate(dense.data_ptr<float>(), dense.numel());
  if (!self.is_same(dense))
    self.copy_(dense);
}
