// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- %runtime
// Pointers that a call leaves in an object, and what its parameters held.

#include <tensortidy/aten.h>
#include <tuple>
#include <utility>
using at::Tensor;

void use(const void *p);

struct Args {
  const float *in;
  int64_t n;
};
static void fill(Args &a, const Tensor &x) { a.in = x.data_ptr<float>(); }

struct Runner {
  Args a;
  Tensor keep;
  void set(const Tensor &x) { a.in = x.data_ptr<float>(); }
  void hold(const Tensor &x) {
    keep = x.contiguous();
    a.in = keep.data_ptr<float>();
  }
  void run() { use(a.in); }
};

void assigned(const Tensor &x) {
  auto y = x * 2;
  Args a;
  fill(a, y);
  use(a.in);
  y = y + 1;
  use(a.in);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: used after it was assigned anew: the tensor that data_ptr() points into is gone [tensor-dangling-data-pointer]
  // CHECK-MESSAGES: note: the pointer comes from here
  // CHECK-MESSAGES: note: the last handle is released here
}

void twoHandles(const Tensor &x) {
  auto y = x * 2, z = y;
  Args a;
  fill(a, y);
  y = y + 1;
  use(a.in);
}

void held(const Tensor &x) {
  Runner r;
  r.hold(x * 2);
  r.run();
}

std::pair<float *, int64_t> paired(const Tensor &x) {
  auto y = x.clone();
  return {y.data_ptr<float>(), y.numel()};
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns
  // CHECK-MESSAGES: note: the pointer comes from here
}

std::tuple<Tensor, float *> together(const Tensor &x) {
  auto y = x.clone();
  return {y, y.data_ptr<float>()};
}
