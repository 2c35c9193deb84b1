// RUN: %check %s -- %runtime
// RUN: %silent %s -- -DSILENT %runtime

// What a function that is only declared here does to its tensors stands in the
// schema of the operator that it is registered for.

#include "Inputs/library.h"
#include <tensortidy/aten.h>

using at::Tensor;

void rms_norm(Tensor &out, const Tensor &x, double eps);
void scaled(Tensor out, Tensor x, Tensor scale);
void boxed(Tensor out, Tensor x);
Tensor attend(const Tensor &q, const Tensor &k);
void swap_blocks(Tensor from, Tensor to);
Tensor window(Tensor x, int64_t n);
void both(Tensor a, Tensor b);
void longer(Tensor out, Tensor x, int64_t n);
void unregistered(Tensor out, Tensor x);
void overloaded(Tensor out, Tensor x);

TORCH_LIBRARY(ops, m) {
  m.def("rms_norm(Tensor(a!) out, Tensor x, float eps=1e-5) -> ()");
  m.impl("rms_norm", torch::kCUDAKey, &rms_norm);
  m.def("scaled(Tensor! out, Tensor x, *, Tensor scale) -> ()", &scaled);
  m.def(torch::schema("boxed(Tensor(a!) out, Tensor x) -> ()"));
  m.def("attend(Tensor q, Tensor? k=None) -> Tensor", TEST_FN(attend));
  m.def("swap_blocks(Tensor from, Tensor to) -> ()", &swap_blocks);
  m.def("window(Tensor(a) x, int n) -> Tensor(a)", &window);
  m.def("both(Tensor(a!) a, Tensor(b!) b) -> ()", &both);
  m.def("longer(Tensor(a!) out, Tensor x) -> ()", torch::CppFunction(&longer));
  m.def("malformed(Tensor(a!) out, Tensor x -> ()", &unregistered);
  m.def("overloaded.out(Tensor x, Tensor(a!) out) -> ()", &overloaded);
  m.def("overloaded(Tensor(a!) out, Tensor x) -> ()", &overloaded);
}
TORCH_LIBRARY_IMPL(ops, CUDA, m) { m.impl("boxed", TEST_BOX(boxed)); }

#ifndef SILENT

void normalized(const Tensor &param, const Tensor &x) {
  // CHECK-MESSAGES: :[[@LINE+1]]:3: warning: what scaled() writes is lost: it goes to the copy that contiguous() makes where it is not contiguous
  scaled(param.contiguous(), x, x);
}
void named(const Tensor &param, const Tensor &x) {
  auto p = param.contiguous();
  // CHECK-MESSAGES: :[[@LINE+1]]:3: warning: what boxed() writes is lost: nothing reads 'p', the copy of 'param' that contiguous() makes where it is not contiguous
  boxed(p, x);
}
// What is read only may be made once, and a reference is still the tensor that
// it was.
Tensor heads(const Tensor &q, int64_t n) {
  // CHECK-MESSAGES: :[[@LINE+3]]:20: warning: 'k' is allocated in every iteration with the same arguments; hoist it out of the loop
  Tensor total = at::zeros({n, 4});
  for (int64_t i = 0; i < n; ++i) {
    Tensor k = at::zeros({n, 4});
    total.add_(attend(q, k));
  }
  return total;
}
Tensor merged(const Tensor &x, int64_t h) {
  Tensor out = at::empty({8, h, 64}).transpose(0, 1);
  rms_norm(out, x, 1e-6);
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: view({8*h, 64}) cannot merge dimensions 0 and 1 of 'out': sizes [h, 8, 64], strides [64, 64*h, 1]; throws unless h is 1
  return out.view({h * 8, 64});
}

#else

// Without a schema that says something, a function may do anything.
void pair(const Tensor &p, const Tensor &x) {
  swap_blocks(p.contiguous(), x);
  both(p.contiguous(), x.contiguous());
  longer(p.contiguous(), x, 3);
  unregistered(p.contiguous(), x);
  overloaded(p.contiguous(), x);
}
Tensor kept(const Tensor &q, int64_t n) {
  Tensor total = at::zeros({n, 4});
  for (int64_t i = 0; i < n; ++i) {
    Tensor k = at::zeros({n, 4});
    Tensor part = window(k, 2); // a view of k, which is written
    part.add_(q);
    total.add_(part);
  }
  return total;
}
// The copy is read, or comes back.
Tensor used(const Tensor &param, const Tensor &x) {
  auto p = param.contiguous();
  boxed(p, x);
  return p;
}
void back(Tensor &param, const Tensor &x) {
  auto p = param.contiguous();
  scaled(p, x, x);
  param.copy_(p);
}
// It is read there, not written.
void operand(Tensor &out, const Tensor &x) {
  scaled(out, x.contiguous(), x.t().contiguous());
}

#endif
