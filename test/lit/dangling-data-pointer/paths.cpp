// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- %runtime
// What a path has found out, the tensor of an earlier iteration, the last
// element of a list, lambdas that carry a pointer, containers that die with
// their statement.

#include <functional>
#include <tensortidy/aten.h>
#include <vector>
using at::Tensor;

void run(float *p, int64_t n);
std::vector<float> load();

void firstRow(const Tensor &x, int64_t n) {
  float *first = nullptr;
  for (int64_t i = 0; i < n; ++i) {
    auto row = x[i].clone();
    if (!first)
      first = row.data_ptr<float>();
    run(first, n);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: used after the end of its block: the tensor that data_ptr() points into is gone [tensor-dangling-data-pointer]
  }
}

void flagged(const Tensor &x, bool bias, int64_t n) {
  float *b = nullptr;
  for (int64_t i = 0; i < n; ++i) {
    Tensor row;
    if (bias) {
      row = x[i].clone();
      b = row.data_ptr<float>();
    }
    run(b, n);
  }
}

void twoTests(const Tensor &x, bool copy) {
  float *p = x.data_ptr<float>();
  if (copy) {
    auto y = x.clone();
    p = y.data_ptr<float>();
  }
  if (!copy)
    run(p, 1);
}

void popped(const Tensor &x) {
  std::vector<Tensor> stack;
  stack.push_back(x.clone());
  stack.push_back(x + 1);
  float *p = stack.back().data_ptr<float>();
  stack.pop_back();
  run(p, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: used after it was emptied: the tensor that data_ptr() points into is gone [tensor-dangling-data-pointer]
}

void firstStays(const Tensor &x) {
  std::vector<Tensor> stack;
  stack.push_back(x.clone());
  stack.push_back(x + 1);
  float *p = stack.front().data_ptr<float>();
  stack.pop_back();
  run(p, 1);
}

std::function<void()> later(const Tensor &x) {
  auto y = x.clone();
  float *p = y.data_ptr<float>();
  return [p] { run(p, 1); };
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns [tensor-dangling-data-pointer]
}

std::function<void()> laterWithTensor(const Tensor &x) {
  auto y = x.clone();
  float *p = y.data_ptr<float>();
  return [p, y] { run(p, 1); };
}

Tensor temporaryVector(const Tensor &x) {
  float *p = load().data();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: this is a view of a temporary std::vector, which is gone at the end of this statement [tensor-dangling-data-pointer]
  run(p, 3);
  run(load().data(), 3);
  std::vector<float> v = load();
  float *q = v.data();
  run(q, 3);
  return x + 1;
}

Tensor blobOfTemporary() {
  auto t = at::from_blob(load().data(), {3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:26: warning: this is a view of a temporary std::vector, which is gone at the end of this statement [tensor-dangling-data-pointer]
  return t.clone();
}

Tensor clonedInTime() { return at::from_blob(load().data(), {3}).clone(); }
