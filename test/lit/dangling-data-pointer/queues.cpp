// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- %runtime
// Pointers into tensors of deques, lists, moved and swapped vectors, and bindings.

#include <deque>
#include <list>
#include <tensortidy/aten.h>
#include <tuple>
#include <utility>
#include <vector>
using at::Tensor;

void use(const float *);

void queue(const Tensor &x) {
  std::deque<Tensor> all;
  all.push_back(x + 1);
  const float *p = all.front().data_ptr<float>();
  all.pop_front();
  use(p);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: used after it was taken out of its list: the tensor that data_ptr() points into is gone [tensor-dangling-data-pointer]
  // CHECK-MESSAGES: note: the pointer comes from here
  // CHECK-MESSAGES: note: the last handle is released here
}

void list(const Tensor &x) {
  std::list<Tensor> all;
  all.push_back(x + 1);
  all.push_front(x + 2);
  const float *p = all.front().data_ptr<float>();
  all.pop_front();
  use(p);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: used after it was taken out of its list
  // CHECK-MESSAGES: note: the pointer comes from here
  // CHECK-MESSAGES: note: the last handle is released here
}

void moved(const Tensor &x) {
  std::vector<Tensor> all{x + 1};
  const float *p = all[0].data_ptr<float>();
  { auto taken = std::move(all); }
  use(p);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: used after the end of its block: the tensor that data_ptr() points into is gone
  // CHECK-MESSAGES: note: the pointer comes from here
}

void bindings(const Tensor &x) {
  const float *p;
  {
    auto [values, indices] = x.topk(3);
    p = values.data_ptr<float>();
  }
  use(p);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: used after the end of its block
  // CHECK-MESSAGES: note: the pointer comes from here
}

void silent(const Tensor &x, std::deque<Tensor> &given) {
  std::deque<Tensor> all;
  all.push_back(x + 1);
  all.push_back(x + 2);
  const float *p = all.back().data_ptr<float>();
  all.pop_front();
  use(p);
  given.push_back(x + 3);
  if (given.size() > 4)
    given.pop_front();
  use(given.back().data_ptr<float>());
  std::vector<Tensor> a{x + 1}, b;
  const float *q = a[0].data_ptr<float>();
  std::swap(a, b);
  use(q);
  a = std::move(b);
  use(q);
  auto [values, indices] = x.topk(3);
  const float *r = values.data_ptr<float>();
  { auto [other, places] = x.topk(2); }
  use(r);
}
