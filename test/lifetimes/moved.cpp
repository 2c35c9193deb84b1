// Views of vectors, queues, memory that changes its owner, closures that run
// later: see lifetimes.h.

#include "lifetimes.h"
#include <deque>
#include <functional>
#include <list>
#include <tuple>
#include <utility>

using namespace lifetimes;

// --- views of vectors ---

DANGLES(viewAfterGrowth) {
  std::vector<int64_t> sizes{2, 3};
  at::IntArrayRef view = sizes;
  for (int64_t i = 0; i < number(40); ++i)
    sizes.push_back(1);
  return product(view) == 6;
}
LIVES(viewOfReserved) {
  std::vector<int64_t> sizes{2, 3};
  sizes.reserve(64);
  at::IntArrayRef view = sizes;
  for (int64_t i = 0; i < number(40); ++i)
    sizes.push_back(1);
  return product(view) == 6;
}
DANGLES(viewAfterBlock) {
  at::IntArrayRef view;
  {
    std::vector<int64_t> sizes{number(2), 3};
    view = sizes;
  }
  return product(view) == 6;
}
LIVES(viewTakenAnew) {
  std::vector<int64_t> sizes{2, 3};
  at::IntArrayRef view = sizes;
  sizes.push_back(1);
  view = sizes;
  return product(view) == 6;
}
DANGLES(viewOfMoved) {
  std::vector<int64_t> sizes{number(2), 3};
  at::IntArrayRef view = sizes;
  { auto taken = std::move(sizes); }
  return product(view) == 6;
}
LIVES(viewOfSwapped) {
  std::vector<int64_t> sizes{number(2), 3}, other;
  at::IntArrayRef view = sizes;
  std::swap(sizes, other);
  return product(view) == 6;
}

// --- queues ---

DANGLES(frontTaken) {
  auto x = rows();
  std::deque<at::Tensor> all;
  all.push_back(x * 2);
  all.push_back(x * 3);
  const float *p = all.front().data_ptr<float>();
  all.pop_front();
  return sum(p, 24) == 48;
}
LIVES(otherTaken) {
  auto x = rows();
  std::deque<at::Tensor> all;
  all.push_back(x * 2);
  all.push_back(x * 3);
  const float *p = all.back().data_ptr<float>();
  all.pop_front();
  return sum(p, 24) == 72;
}
DANGLES(listFrontTaken) {
  auto x = rows();
  std::list<at::Tensor> all;
  all.push_back(x * 2);
  all.push_front(x * 3);
  const float *p = all.front().data_ptr<float>();
  all.pop_front();
  return sum(p, 24) == 72;
}

// --- owners ---

DANGLES(memoryMovedAway) {
  at::Tensor t;
  std::vector<float> v(24, 1);
  t = at::from_blob(v.data(), {24});
  { auto taken = std::move(v); }
  return sum(t.data_ptr<float>(), 24) == 24;
}
DANGLES(memorySwappedAway) {
  std::vector<float> a(24, 1);
  auto t = at::from_blob(a.data(), {24});
  {
    std::vector<float> b(24);
    std::swap(a, b);
  }
  return sum(t.data_ptr<float>(), 24) == 24;
}
LIVES(memoryMovedAndKept) {
  std::vector<float> v(24, 1), w, u;
  auto t = at::from_blob(v.data(), {24});
  w = std::move(v);
  std::swap(w, u);
  return sum(t.data_ptr<float>(), 24) == 24;
}
DANGLES(emptyDeleter) {
  at::Tensor t;
  {
    std::vector<float> v(number(24), 1);
    t = at::from_blob(v.data(), {24}, [](void *) {});
  }
  return sum(t.data_ptr<float>(), 24) == 24;
}
DANGLES(movedList) {
  std::vector<at::Tensor> all{rows() * 2};
  const float *p = all[0].data_ptr<float>();
  { auto taken = std::move(all); }
  return sum(p, 24) == 48;
}

// --- closures and bindings ---

struct Lazy {
  std::function<float()> get;
};
DANGLES(closureInAField) {
  Lazy lazy;
  {
    auto y = rows() * 2;
    const float *p = y.data_ptr<float>();
    lazy.get = [p] { return sum(p, 24); };
  }
  return lazy.get() == 48;
}
LIVES(closureWithTheTensor) {
  Lazy lazy;
  {
    auto y = rows() * 2;
    lazy.get = [y] { return sum(y.data_ptr<float>(), 24); };
  }
  return lazy.get() == 48;
}
DANGLES(bindingOfABlock) {
  const float *p;
  {
    auto [a, b] = std::make_tuple(rows() * 2, rows() * 3);
    p = a.data_ptr<float>();
  }
  return sum(p, 24) == 48;
}
LIVES(bindingOfTheFunction) {
  auto [a, b] = std::make_tuple(rows() * 2, rows() * 3);
  const float *p = a.data_ptr<float>();
  { auto [c, d] = std::make_tuple(rows() * 4, rows() * 5); }
  return sum(p, 24) == 48;
}

// --- memory that stays ---

LIVES(shrinking) {
  const int64_t n = number(6);
  auto x = at::ones({n * 4});
  float *p = x.data_ptr<float>();
  x.resize_({n});
  return sum(p, 24) == 24;
}
