// RUN: %check %s --checks=-*,tensor-* -- %aten
// REQUIRES: libtorch
// Assertions in helper functions and project macros teach the caller.

#include <ATen/ATen.h>

#include <cassert>

#define CHECK_CPU(x) TORCH_CHECK(x.device().is_cpu(), #x " must be a CPU tensor")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")
#define CHECK_INPUT(x) CHECK_CPU(x); CHECK_CONTIGUOUS(x)

static void check_contiguous(const at::Tensor &t, const char *name) {
  TORCH_CHECK(t.is_contiguous(), name, " must be contiguous");
}
static void check_shape(const at::Tensor &t, int64_t dim) { TORCH_CHECK(t.dim() == dim); }
static at::Tensor checked(at::Tensor t) {
  TORCH_INTERNAL_ASSERT(t.is_contiguous());
  return t;
}

at::Tensor macro(const at::Tensor &x) {
  CHECK_INPUT(x);
  return x.contiguous();
  // CHECK-MESSAGES: [[@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already
  // CHECK-MESSAGES: {{.*}}note: 'x' is known to be contiguous from here: is_contiguous()
}

at::Tensor helper(const at::Tensor &x) {
  check_contiguous(x, "x");
  return x.contiguous();
  // CHECK-MESSAGES: [[@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already
  // CHECK-MESSAGES: note: 'x' is known to be contiguous from here: is_contiguous()
}

at::Tensor passedThrough(const at::Tensor &x) {
  return checked(x).contiguous();
  // CHECK-MESSAGES: [[@LINE-1]]:21: warning: contiguous() does nothing
  // CHECK-MESSAGES: note:
}

at::Tensor rank(const at::Tensor &x) {
  check_shape(x, 3);
  check_contiguous(x, "x");
  return x.transpose(1, 2).view({x.size(0), -1});
  // CHECK-MESSAGES: [[@LINE-1]]:28: warning: view({x.size(0), -1}) cannot merge dimensions 1 and 2: sizes [x.size(0), x.size(2), x.size(1)]
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note:
}
