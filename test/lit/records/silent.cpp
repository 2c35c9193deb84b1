// RUN: %silent %s --checks=-*,tensor-view-after-permute,tensor-redundant-contiguous,tensor-shape-mismatch -- %runtime
// No finding: what a field or an element holds is no longer what it was, or not known.

#include <tensortidy/aten.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

struct Heads {
  at::Tensor w;
  int64_t n = 3;
};
struct Pair {
  Heads a, b;
};
at::Tensor turned() { return torch::zeros({3, 4}).t(); }
at::Tensor dense() { return torch::zeros({3, 4}); }

void change(Heads &h);
void changeThrough(Heads *h);
void look(const Heads &h);
Heads made();

at::Tensor byReference() {
  Heads h{turned()};
  change(h);
  return h.w.view(-1);
}
at::Tensor byAddress() {
  Heads h{turned()};
  changeThrough(&h);
  return h.w.view(-1);
}
at::Tensor byPointer() {
  Heads h{turned()};
  Heads *p = &h;
  p->w = dense();
  look(h);
  return h.w.view(-1);
}
at::Tensor byLambda() {
  Heads h{turned()};
  auto fix = [&] { h.w = dense(); };
  fix();
  return h.w.view(-1);
}
at::Tensor byCopy() {
  Heads h{dense()};
  Heads g = h;
  g.w = turned();
  return h.w.view(-1);
}
at::Tensor byAssignment() {
  Heads h{turned()};
  h = Heads{dense(), 2};
  return h.w.view(-1);
}
at::Tensor byUnknownObject() {
  Heads h{turned()};
  h = made();
  return h.w.view(-1);
}
at::Tensor bySwap() {
  Heads h{turned()}, g{dense()};
  std::swap(h, g);
  return h.w.view(-1);
}
at::Tensor byMember() {
  Pair p{{turned()}, {dense()}};
  p.a = p.b;
  return p.a.w.view(-1);
}
at::Tensor byNestedReference() {
  Pair p{{turned()}, {dense()}};
  Heads &h = p.a;
  h.w = dense();
  return p.a.w.view(-1);
}
at::Tensor byBinding() {
  Heads h{turned()};
  auto &[w, n] = h;
  w = dense();
  return h.w.view(-1);
}
at::Tensor onOnePath(bool now) {
  Heads h = now ? Heads{turned()} : Heads{dense()};
  if (now)
    h.w = dense();
  return h.w.view(-1);
}
at::Tensor inLoop(int64_t n) {
  at::Tensor r = dense();
  for (int64_t i = 0; i < n; ++i) {
    Heads h;
    if (i > 0)
      h = made();
    else
      h.w = dense();
    r = h.w.view(-1);
    h.w = turned();
  }
  return r;
}
at::Tensor unknownInLoop(int64_t n) {
  at::Tensor r;
  for (int64_t i = 0; i < n; ++i) {
    Heads h = made();
    r = h.w.view(-1);
    h.w = turned();
  }
  return r;
}

class Owner {
public:
  Owner(const at::Tensor &t, bool turn) : w_(t) {
    if (turn)
      w_ = w_.t();
  }
  explicit Owner(int64_t n);
  void set(const at::Tensor &t) { w_ = t; }
  void unknown();
  const at::Tensor &w() const { return w_; }

private:
  at::Tensor w_;
};
at::Tensor constructorsBranch() {
  Owner o(dense(), false);
  return o.w().view(-1);
}
at::Tensor unknownConstructor() {
  Owner o(3);
  return o.w().view(-1);
}
at::Tensor byMethod() {
  Owner o(dense(), true);
  o.set(dense());
  return o.w().view(-1);
}
at::Tensor byUnknownMethod() {
  Owner o(dense(), true);
  o.unknown();
  return o.w().view(-1);
}
at::Tensor onHeap() {
  auto o = std::make_unique<Owner>(dense(), true);
  return o->w().view(-1);
}
at::Tensor optional() {
  std::optional<Heads> h;
  h = Heads{turned()};
  h->w = dense();
  return h->w.view(-1);
}

/// Copies as its author wrote.
struct Counted {
  at::Tensor w;
  Counted(at::Tensor t) : w(std::move(t)) {}
  Counted(const Counted &o) : w(o.w.contiguous()) {}
};
at::Tensor ownCopy() {
  Counted a(turned());
  Counted b = a;
  return b.w.view(-1);
}

at::Tensor elementThroughReference() {
  std::vector<Heads> v;
  v.push_back({turned()});
  Heads &h = v[0];
  h.w = dense();
  return v[0].w.view(-1);
}
at::Tensor elementThroughLoop() {
  std::vector<Heads> v{{turned()}, {turned()}};
  for (auto &h : v)
    h.w = dense();
  return v[0].w.view(-1);
}
at::Tensor elementOfVector() {
  std::vector<at::Tensor> v(2);
  v[0] = turned();
  v[0] = dense();
  return v[0].view(-1);
}
at::Tensor someElement(int64_t i) {
  std::vector<at::Tensor> v{turned(), turned()};
  v[i] = dense();
  return v[1].view(-1);
}
at::Tensor inserted() {
  std::vector<at::Tensor> v{turned()};
  v.insert(v.begin(), dense());
  return v[0].view(-1);
}
at::Tensor erased() {
  std::vector<at::Tensor> v{turned(), dense()};
  v.erase(v.begin());
  return v[0].view(-1);
}
at::Tensor resized() {
  std::vector<at::Tensor> v;
  v.push_back(turned());
  v.assign(2, dense());
  return v[0].view(-1);
}
at::Tensor reversed() {
  std::vector<at::Tensor> v{turned(), dense()};
  std::reverse(v.begin(), v.end());
  return v[0].view(-1);
}
at::Tensor moved() {
  std::vector<at::Tensor> v{turned()};
  std::vector<at::Tensor> u{dense()};
  v = std::move(u);
  return v[0].view(-1);
}
at::Tensor inArray() {
  std::array<at::Tensor, 2> v;
  v[0] = turned();
  std::swap(v[0], v[1]);
  v[0] = dense();
  return v[0].view(-1);
}
at::Tensor byTuple() {
  std::tuple<at::Tensor, int64_t> t(turned(), 3);
  std::get<0>(t) = dense();
  return std::get<0>(t).view(-1);
}
at::Tensor byExchange() {
  auto x = turned();
  auto old = std::exchange(x, dense());
  return x.view(-1);
}
at::Tensor collected(int64_t n) {
  std::vector<at::Tensor> v;
  for (int64_t i = 0; i < n; ++i)
    v.push_back(i == 0 ? dense() : turned());
  return v[0].view(-1);
}
Heads kept;
at::Tensor global() {
  kept.w = turned();
  change(kept);
  return kept.w.view(-1);
}
struct Layer {
  Heads h;
  void reset();
  at::Tensor use() {
    h = Heads{turned(), 1};
    reset();
    return h.w.view(-1);
  }
};
at::Tensor fixedLocal() {
  static Heads h{turned()};
  return h.w.view(-1);
}
