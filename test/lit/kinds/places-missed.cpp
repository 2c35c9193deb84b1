// RUN: not %tensortidy --checks=-*,tensor-* %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// XFAIL: *
// Tensors behind two pointers and behind fields, none of which is followed yet. Each has a correct twin. What is found goes
// to places.cpp.
#include <ATen/ATen.h>
static void two(int64_t n, at::Tensor **a, at::Tensor **b) { **a = at::zeros({n, 4}).t(); **b = at::zeros({n, 4}); }
at::Tensor both(int64_t n) {
  at::Tensor a, b, *pa = &a, *pb = &b;
  two(n, &pa, &pb);
  return a.view({-1}) + b.view({-1});
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: view({-1}) cannot merge dimensions
}
at::Tensor bothFine(int64_t n) {
  at::Tensor a, b, *pa = &a, *pb = &b;
  two(n, &pa, &pb);
  return a.reshape({-1}) + b.view({-1});
}
struct Slot { at::Tensor *out; int64_t n; };
static void fill(Slot *s) { *s->out = at::ones({s->n, 8}).narrow(1, 0, 4); }
at::Tensor slot(int64_t n) {
  at::Tensor t;
  Slot s{&t, n};
  fill(&s);
  return t.view({-1});
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: view({-1}) cannot merge dimensions
}
at::Tensor slotFine(int64_t n) {
  at::Tensor t;
  Slot s{&t, n};
  fill(&s);
  t = t.contiguous();
  return t.view({-1});
}
static void pick(at::Tensor *&which, at::Tensor *a, at::Tensor *b, bool first) { which = first ? a : b; }
at::Tensor picked(int64_t n, bool first) {
  at::Tensor a = at::ones({n, 8}).t(), b = at::zeros({n, 8}).t(), *w = nullptr;
  pick(w, &a, &b, first);
  return w->view({-1});
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: view({-1}) cannot merge dimensions
}
at::Tensor pickedFine(int64_t n, bool first) {
  at::Tensor a = at::ones({n, 8}), b = at::zeros({n, 8}), *w = nullptr;
  pick(w, &a, &b, first);
  return w->view({-1});
}
static at::Tensor *choose(at::Tensor **slots, int i) { return slots[i]; }
at::Tensor chosen(int64_t n) {
  at::Tensor a = at::ones({n, 8}).t(), b = at::zeros({n, 8});
  at::Tensor *slots[2] = {&a, &b};
  return choose(slots, 0)->view({-1});
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: view({-1}) cannot merge dimensions
}
at::Tensor chosenFine(int64_t n) {
  at::Tensor a = at::ones({n, 8}).t(), b = at::zeros({n, 8});
  at::Tensor *slots[2] = {&a, &b};
  return choose(slots, 1)->view({-1});
}
