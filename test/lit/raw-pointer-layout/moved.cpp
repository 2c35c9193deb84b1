// RUN: not %tensortidy --checks=-*,tensor-raw-pointer-layout %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Pointers that loops move on, and elements that are used in pairs.

#include <tensortidy/aten.h>

float each(int64_t a, int64_t b) {
  auto y = torch::rand({a, b}).t();
  const float *p = y.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: this loop takes the strides of 'y' for [a, 1]: sizes [b, a], strides [1, b]; wrong unless a or b is 1
  float s = 0;
  for (int64_t i = 0; i < b; ++i)
    for (int64_t j = 0; j < a; ++j)
      s += i * *p++;
  return s;
}

float gaps(int64_t a, int64_t b) {
  auto y = torch::rand({a, b}).narrow(1, 0, b - 1);
  const float *p = y.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: this loop takes a*(b - 1) elements of 'y' in a row: sizes [a, b - 1], strides [b, 1]; wrong unless a is 1
  float s = 0;
  for (int64_t i = 0; i < y.numel(); ++i, ++p)
    s += *p;
  return s;
}

float rows(int64_t a, int64_t b) {
  auto y = torch::rand({a, b}).t();
  const float *p = y.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: this loop takes the strides of 'y' for [a, 1]
  float s = 0;
  for (int64_t i = 0; i < b; ++i, p += a)
    for (int64_t j = 0; j < a; ++j)
      s += i * p[j];
  return s;
}

void written(int64_t a, int64_t b) {
  auto y = torch::rand({a, b}).narrow(1, 0, b - 1);
  float *p = y.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:16: warning: this loop takes a*(b - 1) elements of 'y' in a row
  for (int64_t i = 0; i < y.numel(); ++i)
    *p++ = 0;
}

at::Tensor copied(int64_t a, int64_t b) {
  auto y = torch::rand({a, b}).t(), out = torch::empty({b, a});
  const float *p = y.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: this loop goes through 'y' in storage order, together with 'out', which has another order
  float *q = out.data_ptr<float>();
  for (int64_t i = 0; i < a * b; ++i)
    *q++ = *p++;
  return out;
}

float product(int64_t a, int64_t b) {
  auto y = torch::rand({a, b}).t(), w = torch::rand({b, a});
  const float *p = y.data_ptr<float>(), *q = w.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: this loop goes through 'y' in storage order, together with 'w', which has another order
  float s = 0;
  for (int64_t i = 0; i < a * b; ++i)
    s += p[i] * q[i];
  return s;
}

int64_t compared(int64_t a, int64_t b) {
  auto y = torch::rand({a, b}).t(), w = torch::rand({b, a});
  const float *p = y.data_ptr<float>(), *q = w.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: this loop goes through 'y' in storage order, together with 'w', which has another order
  int64_t n = 0;
  for (int64_t i = 0; i < a * b; ++i)
    n += p[i] <= q[i];
  return n;
}

// All elements, in any order; both in one order; with strides; by columns.
float silent(int64_t a, int64_t b) {
  auto y = torch::rand({a, b}).t(), w = torch::rand({a, b}).t(), z = torch::rand({b, a});
  const float *p = y.data_ptr<float>(), *q = w.data_ptr<float>(), *r = z.data_ptr<float>();
  const float *c = y.data_ptr<float>(), *d = y.data_ptr<float>();
  float s = 0;
  for (int64_t i = 0; i < y.numel(); ++i)
    s += *p++;
  for (int64_t i = 0; i < a * b; ++i)
    s += q[i] * q[i];
  for (int64_t i = 0; i < a * b; ++i)
    s += q[i] + r[i];
  for (int64_t i = 0; i < b; ++i, c += y.stride(0))
    for (int64_t j = 0; j < a; ++j)
      s += i * c[j * y.stride(1)];
  for (int64_t i = 0; i < a; ++i)
    for (int64_t j = 0; j < b; ++j)
      s += i * *d++;
  return s;
}

float skips(int64_t a, int64_t b) {
  auto y = torch::rand({a, b}).t();
  const float *p = y.data_ptr<float>();
  float s = 0;
  for (int64_t i = 0; i < b; ++i)
    for (int64_t j = 0; j < a; ++j) {
      if (i == j)
        continue;
      s += i * *p++;
    }
  return s;
}
