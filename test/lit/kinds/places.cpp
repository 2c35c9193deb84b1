// RUN: not %tensortidy --checks=-*,tensor-* %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Pointers to pointers and fields behind pointers, each with a correct twin.
#include <ATen/ATen.h>
static void borrow(const at::Tensor &x, float **out) { *out = x.t().contiguous().data_ptr<float>(); }
// CHECK: :[[#@LINE-1]]:82: warning: data_ptr() is kept in '*out', which outlives the tensor it points into; only when its tens{{.*}}[tensor-dangling-data-pointer]
float first(const at::Tensor &x) {
  float *p = nullptr;
  borrow(x, &p);
  // CHECK: :[[#@LINE-1]]:3: warning: data_ptr() points into a temporary, the result of borrow(), that is gone at the end of thi{{.*}}[tensor-dangling-data-pointer]
  return p[0];
}
static void borrowFine(const at::Tensor &x, float **out) { *out = x.data_ptr<float>(); }
float firstFine(const at::Tensor &x) {
  float *p = nullptr;
  borrowFine(x, &p);
  return p[0];
}
static void two(int64_t n, at::Tensor **a, at::Tensor **b) { **a = at::zeros({n, 4}).t(); **b = at::zeros({n, 4}); }
at::Tensor both(int64_t n) {
  at::Tensor a, b, *pa = &a, *pb = &b;
  two(n, &pa, &pb);
  return a.view({-1}) + b.view({-1}); // not found yet
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
  return t.view({-1}); // not found yet
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
  return w->view({-1}); // not found yet
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
  return choose(slots, 0)->view({-1}); // not found yet
}
at::Tensor chosenFine(int64_t n) {
  at::Tensor a = at::ones({n, 8}).t(), b = at::zeros({n, 8});
  at::Tensor *slots[2] = {&a, &b};
  return choose(slots, 1)->view({-1});
}
static void take(char *&cursor, size_t n) { cursor += n; }
float cursors(const at::Tensor &x) {
  char *p = reinterpret_cast<char *>(x.contiguous().data_ptr());
  // CHECK: :[[#@LINE-1]]:53: warning: data_ptr() points into a temporary, the result of contiguous(), that is gone at the end of{{.*}}[tensor-dangling-data-pointer]
  take(p, 16);
  return *reinterpret_cast<float *>(p);
}
