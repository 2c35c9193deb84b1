// RUN: %check %s --checks=-*,tensor-view-after-permute -- %runtime
// Fields and tensors that are reached through pointers.

#include <tensortidy/aten.h>

#include <memory>
#include <optional>

struct Heads {
  at::Tensor q, k;
  int64_t n = 3;
};
at::Tensor turned(int64_t a, int64_t b) { return torch::zeros({a, b}).t(); }

at::Tensor arrow(Heads *p, int64_t a, int64_t b) {
  p->q = turned(a, b);
  return p->q.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view({-1}) cannot merge dimensions 0 and 1 of 'p->q': sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor starred(Heads *p, int64_t a, int64_t b) {
  (*p).q = turned(a, b);
  auto &r = p->q;
  return r.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'p->q': {{.*}}
}
at::Tensor otherField(Heads *p, Heads *q, int64_t a, int64_t b) {
  p->q = turned(a, b);
  q->k = torch::zeros({a, b});
  return p->q.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view({-1}) cannot merge dimensions 0 and 1 of 'p->q': {{.*}}
}
at::Tensor tensor(at::Tensor *p, int64_t a, int64_t b) {
  *p = turned(a, b);
  return p->view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: view({-1}) cannot merge dimensions 0 and 1 of '*p': {{.*}}
}
at::Tensor sizes(Heads *p, int64_t a) {
  p->n = 4;
  return turned(a, p->n).view({4 * a});
  // CHECK-MESSAGES: :[[#@LINE-1]]:26: warning: view({4*a}) cannot merge dimensions 0 and 1: sizes [4, a], strides [1, 4]; throws unless a is 1 [tensor-view-after-permute]
}
at::Tensor ofLocal(int64_t a, int64_t b) {
  Heads h;
  Heads *p = &h;
  p->q = turned(a, b);
  return h.q.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'h.q': {{.*}}
}
at::Tensor inOptional(int64_t a, int64_t b) {
  std::optional<Heads> h = Heads();
  h->q = turned(a, b);
  return h->q.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view({-1}) cannot merge dimensions 0 and 1 of 'h.q': {{.*}}
}

struct Impl {
  at::Tensor w;
  std::unique_ptr<Heads> heads;
  void fill(int64_t a, int64_t b) { w = turned(a, b); }
};
struct Net {
  std::unique_ptr<Impl> impl;
  std::shared_ptr<Heads> shared;

  at::Tensor unique(int64_t a, int64_t b) {
    impl->w = turned(a, b);
    return impl->w.view(-1);
    // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: view({-1}) cannot merge dimensions 0 and 1 of 'impl->w': {{.*}}
  }
  at::Tensor deeper(int64_t a, int64_t b) {
    this->impl->heads->q = turned(a, b);
    return impl->heads->q.view(-1);
    // CHECK-MESSAGES: :[[#@LINE-1]]:27: warning: view({-1}) cannot merge dimensions 0 and 1 of 'this->impl->heads->q': {{.*}}
  }
  at::Tensor copied(int64_t a, int64_t b) {
    auto p = shared;
    p->q = turned(a, b);
    return p->q.view(-1);
    // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: view({-1}) cannot merge dimensions 0 and 1 of 'p->q': {{.*}}
  }
  at::Tensor method(int64_t a, int64_t b) {
    impl->fill(a, b);
    return impl->w.view(-1);
    // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: view({-1}) cannot merge dimensions 0 and 1 of {{.*}}w': {{.*}}
  }
};
at::Tensor ofOther(Net &self, int64_t a, int64_t b) {
  self.impl->w = turned(a, b);
  return self.impl->w.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: view({-1}) cannot merge dimensions 0 and 1 of 'self.impl->w': {{.*}}
}

void split(const at::Tensor &x, at::Tensor *a, at::Tensor *b) {
  *a = x.t();
  *b = x.contiguous();
}
at::Tensor outParameters(int64_t n, int64_t m) {
  at::Tensor a, b;
  split(torch::zeros({n, m}), &a, &b);
  return a.view(-1) + b.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'a': sizes [m, n], strides [1, m]; throws unless n or m is 1 [tensor-view-after-permute]
}
void fill(Heads *h, int64_t a, int64_t b) { h->q = turned(a, b); }
at::Tensor filled(int64_t a, int64_t b) {
  Heads h;
  fill(&h, a, b);
  return h.q.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'h.q': {{.*}}
}
at::Tensor passedOn(Heads *p, int64_t a, int64_t b) {
  fill(p, a, b);
  return p->q.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view({-1}) cannot merge dimensions 0 and 1 of 'p->q': {{.*}}
}
