// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Each check on a pair of functions: in one its premise holds on some path, in
// the other on every path. A mistake that throws or reads freed memory needs
// one path; what is redundant, lost, copied or repeated needs all of them.

#include <tensortidy/aten.h>

using at::Tensor;
void use(const Tensor &);

//=== One path is enough

Tensor viewOnSome(bool c, int64_t n, int64_t m) {
  auto x = torch::zeros({n, m});
  if (c)
    x = x.t();
  return x.view({-1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x': sizes [m, n], strides [1, m]; throws when 'c' is true, unless n or m is 1 [tensor-view-after-permute]
}
Tensor viewOnAll(bool c, int64_t n, int64_t m) {
  auto x = torch::zeros({n, m}).t();
  if (c)
    x = torch::ones({m, n}).t();
  return x.view({-1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x': sizes [m, n], strides [1, m]; throws unless n or m is 1 [tensor-view-after-permute]
}

Tensor shapeOnSome(bool c) {
  auto a = torch::zeros({2, 3});
  if (c)
    a = torch::zeros({2, 4});
  return a.mm(torch::zeros({3, 5}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: mm(...): shapes 2x4 and 3x5 cannot be multiplied; throws when 'c' is true [tensor-shape-mismatch]
}
Tensor shapeOnAll(bool c) {
  auto a = torch::zeros({2, 6});
  if (c)
    a = torch::zeros({2, 4});
  return a.mm(torch::zeros({3, 5}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: mm(...): shapes 2x6 and 3x5 cannot be multiplied; throws [tensor-shape-mismatch]
}

float danglingOnSome(bool c, const Tensor &x) {
  const float *p = x.data_ptr<float>();
  if (c)
    p = x.clone().data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: data_ptr() points into a temporary, the result of clone(), that is gone at the end of this statement [tensor-dangling-data-pointer]
  return *p;
}

Tensor borrowedOnSome(bool c) {
  float a[4] = {};
  auto t = torch::from_blob(a, {4});
  if (c)
    t = t.clone();
  return t;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'a', which is gone when the function returns [tensor-from-blob-lifetime]
}
Tensor borrowedOnNone(bool c) {
  float a[4] = {};
  auto t = torch::from_blob(a, {4});
  if (c)
    t = t.clone();
  else
    t = t + 1;
  return t;
}

void overlapOnSome(bool c) {
  auto x = torch::zeros({1, 4});
  if (c)
    x = x.expand({3, 4});
  x.add_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: add_() writes elements of 'x' more than once: a dimension of size 3 has stride 0; throws when 'c' is true [tensor-overlapping-write]
}
void overlapOnAll(bool c) {
  auto x = torch::zeros({1, 4}).expand({3, 4});
  if (c)
    x = torch::zeros({4}).expand({3, 4});
  x.add_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: add_() writes elements of 'x' more than once: a dimension of size 3 has stride 0; throws [tensor-overlapping-write]
}

void discardedOnSome(bool c, const Tensor &x) {
  if (c)
    x.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: contiguous() does not change 'x', and its result is thrown away [tensor-discarded-result]
}

//=== All paths are needed

Tensor redundantOnSome(bool c, int64_t n, int64_t m) {
  auto x = torch::zeros({n, m});
  if (c)
    x = x.t();
  return x.contiguous();
}
Tensor redundantOnAll(bool c, int64_t n, int64_t m) {
  auto x = torch::zeros({n, m});
  if (c)
    x = torch::ones({m, n});
  return x.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: contiguous() does nothing: 'x' is contiguous already [tensor-redundant-contiguous]
}

void lostOnSome(bool c, int64_t n, int64_t m) {
  auto x = torch::zeros({n, m});
  if (c)
    x = x.t();
  x.reshape({-1}).zero_();
  use(x);
}
void lostOnAll(bool c, int64_t n, int64_t m) {
  auto x = torch::zeros({n, m}).t();
  if (c)
    x = torch::ones({m, n}).t();
  x.reshape({-1}).zero_();
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: zero_() is lost: it writes to the copy that reshape() makes, unless n or m is 1 [tensor-lost-write]
  use(x);
}

void hoistOnSome(bool c, int64_t n, const Tensor &out) {
  for (int64_t i = 0; i < n; ++i) {
    auto t = torch::zeros({3, 4});
    if (c)
      t.add_(1);
    out[i].copy_(t);
  }
}
void hoistOnAll(bool c, int64_t n, const Tensor &out) {
  for (int64_t i = 0; i < n; ++i) {
    auto t = torch::zeros({3, 4});
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: 't' is allocated in every iteration with the same arguments; hoist it out of the loop (48 bytes each time) [tensor-allocation-in-loop]
    if (c)
      out[i].zero_();
    out[i].add_(t);
  }
}

void copyOnSome(bool c, int64_t n, int64_t m, int64_t k, const Tensor &out) {
  auto x = torch::zeros({n, m});
  if (c)
    x = x.t();
  for (int64_t i = 0; i < k; ++i)
    out[i].add_(x.reshape({-1}));
}
void copyOnAll(bool c, int64_t n, int64_t m, int64_t k, const Tensor &out) {
  auto x = torch::zeros({n, m}).t();
  if (c)
    x = torch::zeros({n, m, 3}).transpose(1, 2);
  for (int64_t i = 0; i < k; ++i)
    out[i].add_(x.reshape({-1}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: reshape() copies 'x' in every iteration, unless n or m is 1 [tensor-hidden-copy]
}

Tensor cloneOnSome(bool c, const Tensor &x) {
  auto y = x;
  if (c)
    y = x + 1;
  return y.clone();
}
Tensor cloneOnAll(bool c, const Tensor &x) {
  auto y = x + 1;
  if (c)
    y.add_(1);
  return y.clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: clone() copies 'y', which nothing uses afterwards [tensor-redundant-clone]
}

Tensor formatOnSome(bool c) {
  auto y = torch::zeros({1, 3, 8, 8});
  if (c)
    y = y.contiguous(at::MemoryFormat::ChannelsLast);
  return y.contiguous();
}
Tensor formatOnAll(bool c) {
  auto y = torch::zeros({1, 3, 8, 8}).contiguous(at::MemoryFormat::ChannelsLast);
  if (c)
    use(torch::ones({3}));
  return y.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: contiguous() undoes contiguous(channels_last), which nothing else uses [tensor-memory-format]
}

Tensor batchOnSome(const Tensor &x, const Tensor &w, const std::vector<bool> &keep) {
  std::vector<Tensor> rows;
  for (int64_t i = 0; i < x.size(0); ++i)
    if (keep[i])
      rows.push_back(x[i].mm(w));
  return torch::stack(rows);
}
Tensor batchOnAll(const Tensor &x, const Tensor &w) {
  std::vector<Tensor> rows;
  for (int64_t i = 0; i < x.size(0); ++i)
    rows.push_back(x[i].mm(w));
  // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: this loop goes row by row; x.matmul(w) computes all rows at once: [x.size(0), x[i].size(0), w.size(1)] [tensor-batchable-loop]
  return torch::stack(rows);
}
