// RUN: %check %s --checks=-*,tensor-view-after-permute -- %runtime
// What classes, their constructors, vectors, arrays, tuples and pairs hold.

#include <tensortidy/aten.h>

#include <array>
#include <utility>
#include <vector>

struct Heads {
  at::Tensor w;
  int64_t n = 3;
};
struct Pair {
  Heads a, b;
};
at::Tensor turned(int64_t a, int64_t b) { return torch::zeros({a, b}).t(); }
Heads make(int64_t a, int64_t b) { return {turned(a, b), 2}; }

at::Tensor braces(int64_t a, int64_t b) {
  Heads h{turned(a, b), 4};
  return h.w.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'h.w': sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor fieldByField(int64_t a, int64_t b) {
  Heads h;
  h.w = turned(a, b);
  Heads g = h;
  return g.w.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'g.w': sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor defaultOfField(int64_t a) {
  Heads h{turned(a, 3)};
  return h.w.view({a * h.n});
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({3*a}) cannot merge dimensions 0 and 1 of 'h.w': sizes [3, a], strides [1, 3]; throws unless a is 1 [tensor-view-after-permute]
}
at::Tensor returned(int64_t a, int64_t b) {
  auto h = make(a, b);
  return h.w.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'h.w': sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor fieldOfCall(int64_t a, int64_t b) { return make(a, b).w.view(-1); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:68: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
at::Tensor bound(int64_t a, int64_t b) {
  auto [w, n] = make(a, b);
  return w.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'w': sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor nested(int64_t a, int64_t b) {
  Pair p{make(a, b), {}};
  p.b = p.a;
  return p.b.w.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: view({-1}) cannot merge dimensions 0 and 1 of 'p.b.w': sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
static at::Tensor flat(Heads h) { return h.w.view(-1); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:46: warning: view({-1}) cannot merge dimensions 0 and 1 of 'h.w': sizes [h.w.size(0), h.w.size(1)], strides [1, h.w.size(0)]; throws unless {{.*}} [tensor-view-after-permute]
at::Tensor passed(int64_t a, int64_t b) { return flat({turned(a, b), 1}); }
at::Tensor assigned(int64_t a, int64_t b, const Heads &other) {
  Heads h = other;
  h = Heads{turned(a, b), 1};
  return h.w.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'h.w': sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor shared(int64_t a, int64_t b) {
  Heads h{torch::zeros({a, b})};
  Heads g = h;
  g.w.t_();
  return h.w.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'h.w': sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}

class Owner {
public:
  explicit Owner(const at::Tensor &t) : w_(t.t()) { n_ = w_.size(0); }
  const at::Tensor &w() const { return w_; }
  void turnBack() { w_ = w_.t(); }
  int64_t n_ = 0;

private:
  at::Tensor w_;
};
at::Tensor constructed(int64_t a, int64_t b) {
  Owner o(torch::zeros({a, b}));
  return o.w().view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor constructedNow(int64_t a, int64_t b) { return Owner(torch::zeros({a, b})).w().view(-1); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:90: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
at::Tensor turnedBack(int64_t a, int64_t b) {
  Owner o(torch::zeros({a, b}));
  o.turnBack();
  return o.w().view(-1);
}

at::Tensor element(int64_t a, int64_t b) {
  std::vector<at::Tensor> v(3);
  v[1] = turned(a, b);
  return v[1].view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor pushed(int64_t a, int64_t b) {
  std::vector<at::Tensor> v;
  v.push_back(torch::zeros({a, b}));
  v.emplace_back(turned(a, b));
  v[0].view(-1);
  return v.back().view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor pushedObject(int64_t a, int64_t b) {
  std::vector<Heads> v;
  v.push_back({turned(a, b), 3});
  return v[0].w.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor inArray(int64_t a, int64_t b) {
  at::Tensor v[2];
  v[0] = turned(a, b);
  std::array<at::Tensor, 2> u{v[0], v[1]};
  return u.at(0).view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor swapped(int64_t a, int64_t b) {
  std::vector<at::Tensor> v{torch::zeros({a, b}), turned(a, b)};
  std::swap(v[0], v[1]);
  return v[0].view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor exchanged(int64_t a, int64_t b) {
  auto x = turned(a, b);
  auto old = std::exchange(x, torch::zeros({a, b}));
  return old.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'old': sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor inPair(int64_t a, int64_t b) {
  std::pair<at::Tensor, int64_t> p;
  p.first = turned(a, b);
  return p.first.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
at::Tensor inTuple(int64_t a, int64_t b) {
  std::tuple<at::Tensor, int64_t> t;
  std::get<0>(t) = turned(a, b);
  return std::get<0>(t).view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
