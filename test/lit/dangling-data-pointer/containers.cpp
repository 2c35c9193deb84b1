// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- %runtime
// Pointers into tensors of lists and optionals, and tensors made of pointers.

#include <optional>
#include <tensortidy/aten.h>
#include <vector>
using at::Tensor;

void use(const void *p);

void cleared(const Tensor &x) {
  std::vector<Tensor> all{x + 1, x + 2};
  float *p = all[0].data_ptr<float>();
  use(p);
  all.clear();
  use(p);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: used after it was emptied: the tensor that data_ptr() points into is gone [tensor-dangling-data-pointer]
  // CHECK-MESSAGES: note: the pointer comes from here
  // CHECK-MESSAGES: note: the last handle is released here
}

void copied(const Tensor &x) {
  std::vector<Tensor> all{x + 1, x + 2};
  float *p = all[0].data_ptr<float>();
  auto more = all;
  all.clear();
  use(p);
}

void optional(const Tensor &x) {
  std::optional<Tensor> t;
  t.emplace(x + 1);
  float *p = t->data_ptr<float>();
  use(p);
  t.reset();
  use(p);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: used after it was assigned anew: the tensor that data_ptr() points into is gone
  // CHECK-MESSAGES: note: the pointer comes from here
  // CHECK-MESSAGES: note: the last handle is released here
}

Tensor borrowed(const Tensor &x) {
  auto y = x + 1;
  return at::from_blob(y.data_ptr(), {3}).view({1, 3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns
  // CHECK-MESSAGES: note: the pointer comes from here
}

Tensor temporary(const Tensor &x) {
  auto t = at::from_blob((x + 1).data_ptr(), {3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:34: warning: data_ptr() points into a temporary, the result of '+', that is gone at the end of this statement
  // CHECK-MESSAGES: note: used here, after that
  return t * 2;
}

Tensor alive(const Tensor &x) {
  auto y = x + 1;
  auto t = at::from_blob(y.data_ptr(), {3});
  auto owner = at::from_blob(y.data_ptr(), {3}, [y](void *) {});
  return t.clone() + owner;
}

Tensor owner(const Tensor &x) {
  auto y = x + 1;
  return at::from_blob(y.data_ptr(), {3}, [y](void *) {});
}
