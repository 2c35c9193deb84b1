// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- %runtime
// Pointers beside the tensor that owns their memory, in one object.

#include <tensortidy/aten.h>

#include <utility>
#include <vector>

struct Batch {
  at::Tensor data;
  float *p;
  int64_t n;
};
struct View {
  float *p;
  int64_t n;
  float first() const { return n ? p[0] : 0; }
};
struct Both {
  View v;
  at::Tensor keep;
};
class Holder {
public:
  explicit Holder(const at::Tensor &x) : t_(x.contiguous()), p_(t_.data_ptr<float>()) {}
  float at(int i) const { return p_[i]; }
  float *ptr() { return p_; }

private:
  at::Tensor t_;
  float *p_;
};

// The object that is returned keeps the tensor.
Batch fieldByField(const at::Tensor &x) {
  Batch b;
  b.data = x.contiguous();
  b.p = b.data.data_ptr<float>();
  return b;
}
Batch asList(const at::Tensor &x) {
  auto d = x.contiguous();
  return {d, d.data_ptr<float>(), d.numel()};
}
Both nested(const at::Tensor &x) {
  Both b;
  b.keep = x.contiguous();
  b.v = View{b.keep.data_ptr<float>(), 3};
  return b;
}
float fromCall(const at::Tensor &x) {
  auto b = asList(x);
  auto n = nested(x);
  return b.p[0] + n.v.first() + nested(x).v.first();
}
float copied(const at::Tensor &x) {
  Batch b = fieldByField(x);
  Batch c = b;
  b = Batch();
  return c.p[1];
}
float moved(const at::Tensor &x) {
  Batch b = fieldByField(x);
  Batch c = std::move(b);
  return c.p[1];
}
float constructed(const at::Tensor &x) {
  Holder h(x.to(at::kDouble));
  float *p = h.ptr();
  std::vector<Holder> all;
  all.emplace_back(x);
  all.push_back(Holder(x));
  return p[2] + h.at(1) + all[0].at(1);
}
void fill(Batch &b, const at::Tensor &x) {
  b.data = x.contiguous();
  b.p = b.data.data_ptr<float>();
}
float filled(const at::Tensor &x) {
  Batch b;
  fill(b, x);
  return b.p[0];
}
float ofLiving(const at::Tensor &x) {
  auto y = x.contiguous();
  View v{y.data_ptr<float>(), y.numel()};
  return v.first();
}

float ofTemporary(const at::Tensor &x) {
  // CHECK-MESSAGES: :[[@LINE+1]]:25: warning: data_ptr() points into a temporary, the result of contiguous(), that is gone at the end of this statement
  View v{x.contiguous().data_ptr<float>(), x.numel()};
  return v.first();
}
float afterItsBlock(const at::Tensor &x) {
  float *p;
  {
    Holder h(x);
    p = h.ptr();
  }
  // CHECK-MESSAGES: :[[@LINE+1]]:10: warning: used after the end of its block: the tensor that data_ptr() points into is gone
  return p[0];
}
View ofLocal(const at::Tensor &x) {
  auto y = x.contiguous();
  // CHECK-MESSAGES: :[[@LINE+1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns
  return {y.data_ptr<float>(), y.numel()};
}
float givenUp(const at::Tensor &x) {
  Batch b;
  b.data = x.contiguous();
  b.p = b.data.data_ptr<float>();
  b.data = at::Tensor();
  // CHECK-MESSAGES: :[[@LINE+1]]:10: warning: used after it was assigned anew: the tensor that data_ptr() points into is gone
  return b.p[0];
}
