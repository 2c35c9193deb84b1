// RUN: not %tensortidy --checks=-*,tensor-from-blob-lifetime %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Memory that changes its owner, and deleters that delete nothing.

#include <ATen/ATen.h>
#include <memory>
#include <utility>
#include <vector>

at::Tensor moved() {
  at::Tensor t;
  std::vector<float> v(12);
  t = at::from_blob(v.data(), {12});
  { auto taken = std::move(v); }
  return t + 1;
  // CHECK: :[[#@LINE-1]]:12: warning: the tensor borrows the memory of 'v', which ended with its block [tensor-from-blob-lifetime]
}

at::Tensor assigned() {
  at::Tensor t;
  {
    std::vector<float> a(4), b;
    t = at::from_blob(a.data(), {4});
    b = std::move(a);
    t.add_(1);
  }
  return t + 1;
  // CHECK: :[[#@LINE-1]]:12: warning: the tensor borrows the memory of 'a', which ended with its block
}

at::Tensor swapped() {
  std::vector<float> a(64);
  auto t = at::from_blob(a.data(), {64});
  {
    std::vector<float> b(64);
    std::swap(a, b);
  }
  return t.sum();
  // CHECK: :[[#@LINE-1]]:12: warning: the tensor borrows the memory of 'a', which ended with its block
}

at::Tensor emptyDeleter(int64_t n) {
  std::vector<float> v(n);
  return at::from_blob(v.data(), {n}, [](void *) {});
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v', which is gone when the function returns
}

at::Tensor referringDeleter(int64_t n) {
  auto keep = std::make_shared<std::vector<float>>(n);
  return at::from_blob(keep->data(), {n}, [&keep](void *) { keep.reset(); });
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'keep'
}

at::Tensor throughIterator() {
  std::vector<float> v(8);
  return at::from_blob(&*v.begin(), {8});
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v'
}

struct Owner {
  std::vector<float> memory;
  at::Tensor t;
  void take(std::vector<float> v) {
    auto borrowed = at::from_blob(v.data(), {4});
    memory = std::move(v);
    t = borrowed;
  }
};

void consume(std::vector<float> v, at::Tensor t);
static float table[4];
std::pair<std::vector<float>, at::Tensor> silent(int64_t n) {
  std::vector<float> v(4), w;
  auto t = at::from_blob(v.data(), {4});
  std::swap(v, w);
  t.add_(1);
  v = std::move(w);
  t.add_(1);
  std::vector<float> x(4);
  auto u = at::from_blob(x.data(), {4});
  consume(std::move(x), u);
  u.add_(1);
  auto named = at::from_blob(table, {4}, [](void *) {});
  auto owner = std::make_shared<std::vector<float>>(n);
  auto owned = at::from_blob(owner->data(), {n}, [owner](void *) {});
  return {std::move(v), t};
}
