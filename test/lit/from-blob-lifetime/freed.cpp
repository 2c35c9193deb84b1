// RUN: %check %s --checks=-*,tensor-from-blob-lifetime -- %runtime
// Memory that is given back by hand, copied into a local, a field of a local, an
// element of a list of lists, or handed to a helper that wraps it.

#include <cstdlib>
#include <tensortidy/aten.h>
#include <vector>
using at::Tensor;

std::vector<float> load();

Tensor freed() {
  auto *p = static_cast<float *>(std::malloc(16));
  auto t = at::from_blob(p, {4});
  std::free(p);
  return t;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory behind 'p', which was freed [tensor-from-blob-lifetime]
}

Tensor deleted() {
  auto *p = new float[4];
  auto t = at::from_blob(p, {4});
  delete[] p;
  return t.mul(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: the tensor borrows the memory behind 'p', which was freed [tensor-from-blob-lifetime]
}

Tensor clonedFirst() {
  auto *p = new float[4];
  auto t = at::from_blob(p, {4}).clone();
  delete[] p;
  return t;
}

Tensor freedIfCopied(bool copy) {
  auto *p = new float[4];
  auto t = at::from_blob(p, {4});
  if (copy)
    t = t.clone();
  if (copy)
    delete[] p;
  return t;
}

Tensor otherMemory(float *other) {
  auto *p = new float[4];
  auto t = at::from_blob(other, {4});
  delete[] p;
  return t;
}

Tensor ofCopy(const std::vector<float> &v) {
  std::vector<float> mine(v);
  return at::from_blob(mine.data(), {3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'mine', which is gone when the function returns [tensor-from-blob-lifetime]
}

struct Buffer {
  float values[4];
};
Tensor ofField() {
  Buffer b;
  return at::from_blob(b.values, {4});
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'b.values', which is gone when the function returns [tensor-from-blob-lifetime]
}

struct Held {
  std::vector<float> values;
  Tensor wrapped;
};
Held together() {
  Held h;
  h.values = load();
  h.wrapped = at::from_blob(h.values.data(), {3});
  return h;
}

static Tensor wrap(std::vector<float> &v) { return at::from_blob(v.data(), {3}); }
Tensor wrapped() {
  auto v = load();
  return wrap(v);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v', which is gone when the function returns [tensor-from-blob-lifetime]
}
Tensor wrappedAndCloned() {
  auto v = load();
  return wrap(v).clone();
}

Tensor ofRows() {
  std::vector<std::vector<float>> rows;
  std::vector<Tensor> parts;
  for (int i = 0; i < 3; ++i) {
    rows.push_back(load());
    parts.push_back(at::from_blob(rows.back().data(), {3}));
  }
  return at::stack(parts);
}
