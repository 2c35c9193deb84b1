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
static void take(char *&cursor, size_t n) { cursor += n; }
float cursors(const at::Tensor &x) {
  char *p = reinterpret_cast<char *>(x.contiguous().data_ptr());
  // CHECK: :[[#@LINE-1]]:53: warning: data_ptr() points into a temporary, the result of contiguous(), that is gone at the end of{{.*}}[tensor-dangling-data-pointer]
  take(p, 16);
  return *reinterpret_cast<float *>(p);
}
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
static void dims(const at::Tensor &x, int64_t *rows, int64_t *cols) {
  *rows = x.size(0);
  *cols = x.size(1);
}
at::Tensor counted(int64_t n) {
  at::Tensor a = at::ones({n, 8});
  int64_t r = 0, c = 0;
  dims(a, &r, &c);
  return a.view({r * c + 1});
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: view({8*n + 1}): shape [8*n + 1] does not fit
}
at::Tensor countedFine(int64_t n) {
  at::Tensor a = at::ones({n, 8});
  int64_t r = 0, c = 0;
  dims(a, &r, &c);
  return a.view({r * c});
}
class Writer {
public:
  explicit Writer(at::Tensor *to) : to(to) {}
  void run(int64_t n) { *to = at::ones({n, 8}).t(); }

private:
  at::Tensor *to;
};
at::Tensor written(int64_t n) {
  at::Tensor t;
  Writer w(&t);
  w.run(n);
  return t.view({-1});
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: view({-1}) cannot merge dimensions
}
at::Tensor writtenFine(int64_t n) {
  at::Tensor t;
  Writer w(&t);
  w.run(n);
  return t.t().view({-1});
}
at::Tensor either(int64_t n, bool first) { // one of them is packed
  at::Tensor a = at::ones({n, 8}), b = at::zeros({n, 8}).t(), *w = nullptr;
  pick(w, &a, &b, first);
  return w->view({-1});
}
at::Tensor eitherChanges(int64_t n, bool first) {
  at::Tensor a = at::ones({n, 8}).t(), b = at::zeros({n, 8}).t(), *w = nullptr;
  pick(w, &a, &b, first);
  w->t_();
  return a.view({-1});
}
float fresh(const at::Tensor &x) {
  const float *p = nullptr, **to = &p;
  *to = x.contiguous().data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: data_ptr() points into a temporary
  return p[0];
}
float freshFine(const at::Tensor &x) {
  const float *p = nullptr, **to = &p;
  const at::Tensor c = x.contiguous();
  *to = c.data_ptr<float>();
  return p[0];
}
static void keep(at::Tensor **slots, int i, const at::Tensor &x) { *slots[i] = x.t(); }
at::Tensor kept(int64_t n) {
  at::Tensor a = at::ones({n, 8}), b = at::zeros({n, 8}), *slots[] = {&a, &b};
  keep(slots, 1, a);
  return a.view({-1}) + b.view({-1});
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: view({-1}) cannot merge dimensions 0 and 1 of 'b'
}
void elsewhere(at::Tensor *);
at::Tensor escapes(int64_t n) {
  at::Tensor a = at::ones({n, 8}).t(), *p = &a;
  elsewhere(p);
  return a.view({-1});
}
