// RUN: %check %s --checks=-*,tensor-view-after-permute,tensor-overlapping-write,tensor-shape-mismatch -- %runtime
// RUN: cp %s %t.hpp
// RUN: %silent %t.hpp --checks=-*,tensor-view-after-permute,tensor-overlapping-write,tensor-shape-mismatch -- -x c++ %runtime
// A public member of a class that stands in the source file: whoever may write it can be seen.

#include <tensortidy/aten.h>

struct Storage {
  Storage(int64_t n, int64_t d) : features(at::zeros({d, n}).t()), returns(at::zeros({n, 1})) {}
  at::Tensor features, returns;
};

at::Tensor flat(const Storage &s) { return s.features.view({-1}); }
// CHECK-MESSAGES: :[[#@LINE-1]]:55: warning: view({-1}) cannot merge dimensions 0 and 1 of 's.features'
// CHECK-MESSAGES: :[[#@LINE-2]]:55: note: reshape() copies

at::Tensor square(Storage &s) { return s.returns.view({-1, 1}).unsqueeze(1).view({3, 2, -1, 5}) + s.returns.select(2, 0); }
// CHECK-MESSAGES: :[[#@LINE-1]]:109: warning: select(2, 0): dimension 2 of 's.returns' is out of range [-2, 1]; throws

// The same names in two objects are other tensors.
at::Tensor two(const Storage &a, const Storage &b) { return a.returns + b.returns; }

struct Sample {
  at::Tensor x, y;
};
std::vector<Sample> samples(const at::Tensor &series, int64_t n) {
  std::vector<Sample> all;
  for (int64_t i = 0; i < n; ++i)
    all.push_back({at::rand({8, 4}).t(), series[i]});
  return all;
}
at::Tensor row(const Sample &s) { return s.x.view({-1}); }
// CHECK-MESSAGES: :[[#@LINE-1]]:46: warning: view({-1}) cannot merge dimensions 0 and 1 of 's.x'
// CHECK-MESSAGES: :[[#@LINE-2]]:46: note: reshape() copies

// --- Others write it, in another way or in one that is not followed.

struct Assigned {
  at::Tensor w = at::zeros({3, 4}).t();
};
void pack(Assigned &a) { a.w = a.w.contiguous(); }
at::Tensor flat(const Assigned &a) { return a.w.view({-1}); }

struct Turned {
  at::Tensor w = at::zeros({3, 4}).t();
};
void turn(Turned &a) { a.w.t_(); }
at::Tensor flat(const Turned &a) { return a.w.view({-1}); }

struct Bound {
  at::Tensor w = at::zeros({3, 4}).t();
};
void bind(Bound &a) {
  auto &[w] = a;
  w = w.contiguous();
}
at::Tensor flat(const Bound &a) { return a.w.view({-1}); }

struct Listed {
  at::Tensor w;
};
Listed packed() { return {at::zeros({3, 4})}; }
Listed other() { return Listed{at::zeros({3, 4}).t()}; }
at::Tensor flat(const Listed &a) { return a.w.view({-1}); }

struct HandedOut {
  at::Tensor w = at::zeros({3, 4}).t();
};
void load(at::Tensor &w);
void load(HandedOut &a) { load(a.w); }
at::Tensor flat(const HandedOut &a) { return a.w.view({-1}); }

struct Methods {
  at::Tensor w = at::zeros({3, 4}).t();
  void load(const char *path); // elsewhere
};
at::Tensor flat(const Methods &a) { return a.w.view({-1}); }

template <class T> void fill(T &a) { a.w = at::zeros({4, 3}); }
struct Generic {
  at::Tensor w = at::zeros({3, 4}).t();
};
void generic(Generic &a) { fill(a); }
at::Tensor flat(const Generic &a) { return a.w.view({-1}); }
