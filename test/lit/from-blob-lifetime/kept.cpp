// RUN: %check %s --checks=-*,tensor-from-blob-lifetime -- %runtime
// Borrowers in containers, memory that a vector moves, memory of unique_ptr.

#include <map>
#include <memory>
#include <string>
#include <tensortidy/aten.h>
#include <vector>
using at::Tensor;

struct Cache {
  std::vector<Tensor> all;
  std::map<std::string, Tensor> named;
  std::vector<std::vector<float>> memory;
  std::vector<float> own;
  void list() {
    std::vector<float> v(6);
    all.push_back(at::from_blob(v.data(), {6}));
    // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: 'all' keeps a tensor that borrows the memory of 'v', which is gone when the function returns [tensor-from-blob-lifetime]
  }
  void map() {
    std::vector<float> v(6);
    named["x"] = at::from_blob(v.data(), {6});
    // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: 'named' keeps a tensor that borrows the memory of 'v', which is gone when the function returns
  }
  void kept() {
    std::vector<float> v(6), w(6);
    all.push_back(at::from_blob(v.data(), {6}));
    memory.push_back(std::move(v));
    all.push_back(at::from_blob(w.data(), {6}));
    all.clear();
  }
  void copied() {
    std::vector<float> v(6);
    auto t = at::from_blob(v.data(), {6});
    named["x"] = t.clone();
    all.push_back(t.sum());
    all.emplace_back(t.to(at::kDouble));
  }
};

// What a caller's pointer points to is there after the function.
void behind(Tensor *to) {
  std::vector<float> v(6, 1);
  *to = at::from_blob(v.data(), {6});
  // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: '*to' keeps a tensor that borrows the memory of 'v', which is gone when the function returns [tensor-from-blob-lifetime]
}
void behindWithMemory(Tensor *to, std::vector<float> *memory) {
  std::vector<float> v(6, 1);
  *to = at::from_blob(v.data(), {6});
  *memory = std::move(v);
}
void behindSwapped(Tensor *to, std::vector<float> *memory) {
  std::vector<float> v(6, 1);
  *to = at::from_blob(v.data(), {6});
  memory->swap(v);
}
void behindCopied(Tensor *to) {
  std::vector<float> v(6, 1);
  *to = at::from_blob(v.data(), {6});
  *to = to->clone();
}

std::vector<Tensor> listed() {
  std::vector<float> v(6);
  return {at::from_blob(v.data(), {6})};
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v', which is gone when the function returns
  // CHECK-MESSAGES: note: from_blob() makes no copy
}

Tensor batch(int n) {
  std::vector<Tensor> rows;
  for (int i = 0; i < n; ++i) {
    float row[4] = {};
    rows.push_back(at::from_blob(row, {4}));
  }
  return at::stack(rows);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: the tensor borrows the memory of 'row', which ended with its block
  // CHECK-MESSAGES: note: from_blob() makes no copy
}

Tensor copies(const std::vector<std::vector<float>> &given) {
  std::vector<Tensor> rows;
  for (auto row : given)
    rows.push_back(at::from_blob(row.data(), {3}));
  return at::stack(rows);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: the tensor borrows the memory of 'row', which ended with its block
  // CHECK-MESSAGES: note: from_blob() makes no copy
}

Tensor references(const std::vector<std::vector<float>> &given) {
  std::vector<Tensor> rows, cloned;
  for (auto &row : given)
    rows.push_back(at::from_blob((void *)row.data(), {3}));
  for (auto row : given)
    cloned.push_back(at::from_blob(row.data(), {3}).clone());
  return at::stack(rows) + at::stack(cloned);
}

Tensor grows() {
  std::vector<float> v(4), w, u(4);
  auto t = at::from_blob(v.data(), {4});
  v.push_back(1);
  t.sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: the tensor borrows the memory of 'v', which push_back() moves when it grows
  // CHECK-MESSAGES: note: from_blob() makes no copy
  w.reserve(100);
  auto s = at::from_blob(w.data(), {4});
  w.push_back(1);
  auto r = at::from_blob(u.data(), {4});
  u[0] = 1;
  return s + r;
}

Tensor assigned(std::vector<float> v) {
  auto t = at::from_blob(v.data(), {4});
  v = std::vector<float>(9);
  return t.clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: the tensor borrows the memory of 'v', which was assigned anew
  // CHECK-MESSAGES: note: from_blob() makes no copy
}

Tensor refilled(int n) {
  std::vector<float> v;
  Tensor sum = at::zeros({3}), t;
  for (int i = 0; i < n; ++i) {
    v = std::vector<float>(3);
    t = at::from_blob(v.data(), {3});
    sum += t;
  }
  return sum;
}

Tensor owned() {
  std::unique_ptr<float[]> p(new float[6]);
  return at::from_blob(p.get(), {6});
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'p', which is gone when the function returns
  // CHECK-MESSAGES: note: from_blob() makes no copy
}

std::pair<std::unique_ptr<float[]>, Tensor> both() {
  std::unique_ptr<float[]> p(new float[6]);
  auto t = at::from_blob(p.get(), {6});
  return {std::move(p), t};
}

void large() {
  std::vector<float> v(6);
  at::from_blob(v.data(), {2, 4}).sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: from_blob() reads 8 elements of memory that has 6
  v.push_back(1);
  v.push_back(1);
  at::from_blob(v.data(), {2, 4}).sum();
}

std::vector<Tensor> replaced() {
  std::vector<float> v(3);
  std::vector<Tensor> r;
  r.push_back(at::from_blob(v.data(), {3}));
  for (auto &x : r)
    x = x.clone();
  return r;
}
