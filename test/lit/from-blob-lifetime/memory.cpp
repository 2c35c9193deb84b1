// RUN: not %tensortidy --checks=-*,tensor-from-blob-lifetime %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// How much memory there is behind the pointer, by what made it.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <tensortidy/aten.h>
#include <vector>

at::Tensor bytes() {
  unsigned char header[6] = {};
  return at::from_blob(header, {2, 3}, at::kFloat).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() reads 6 elements of float32 of memory that has 6 bytes [tensor-from-blob-lifetime]
}
at::Tensor words() {
  char message[64] = {};
  auto fits = at::from_blob(message, {16}, at::kFloat).clone();
  return fits + at::from_blob(message, {16}, at::kDouble).clone();
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: from_blob() reads 16 elements of memory that has 8
}
at::Tensor one() {
  float scale = 2;
  auto s = at::from_blob(&scale, {1}).clone();
  return s + at::from_blob(&scale, {3}).clone();
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: from_blob() reads 3 elements of memory that has 1
}
at::Tensor allocated(int64_t n, int64_t m) {
  float *p = new float[n * m];
  auto t = at::from_blob(p, {n, m, 2}).clone();
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: from_blob() reads 2*n*m elements of memory that has n*m
  // CHECK: :[[#@LINE-3]]:14: note: the memory is made here
  t = t + at::from_blob(p, {n, m}).clone() + at::from_blob(p + m, {m}).clone();
  delete[] p;
  return t;
}
at::Tensor counted(int64_t n) {
  auto *p = static_cast<float *>(std::malloc(n));
  auto t = at::from_blob(p, {n}).clone();
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: from_blob() reads n elements of float32 of memory that has n bytes
  // CHECK: note: the memory is made here
  std::free(p);
  auto *q = static_cast<float *>(std::calloc(n, sizeof(float)));
  t = t + at::from_blob(q, {n}).clone();
  t = t + at::from_blob(q, {n, 2}).clone();
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: from_blob() reads 2*n elements of memory that has n
  // CHECK: note: the memory is made here
  std::free(q);
  return t;
}
at::Tensor owned(int64_t n) {
  auto p = std::make_unique<float[]>(n);
  std::unique_ptr<double[]> q(new double[n]);
  auto t = at::from_blob(p.get(), {n}).clone() + at::from_blob(q.get(), {n}, at::kDouble).clone();
  t = t + at::from_blob(p.get(), {3, n}).clone();
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: from_blob() reads 3*n elements of memory that has n
  // CHECK: note: the memory is made here
  return t + at::from_blob(q.get(), {n + 1}, at::kDouble).clone();
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: from_blob() reads n + 1 elements of memory that has n
  // CHECK: note: the memory is made here
}
at::Tensor fixed() {
  std::array<float, 12> a{};
  float b[3][4] = {};
  auto t = at::from_blob(a.data(), {3, 4}).clone() + at::from_blob(b, {3, 4}).clone() + at::from_blob(&b[0], {12}).clone();
  t = t + at::from_blob(a.data(), {4, 4}).clone();
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: from_blob() reads 16 elements of memory that has 12
  return t + at::from_blob(b, {3, 3}, {4, 1}).clone() + at::from_blob(b, {3, 3}, {5, 1}).clone();
  // CHECK: :[[#@LINE-1]]:61: warning: from_blob() reads 13 elements of memory that has 12
}

// Objects that have their elements elsewhere.
at::Tensor table(int64_t n) {
  std::vector<std::vector<float>> rows(n, std::vector<float>(4));
  return at::from_blob(rows.data(), {n, 4}).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() takes memory of std::vector objects, which have their elements elsewhere, for float32: the values are wrong
}
at::Tensor object(std::vector<float> v) {
  return at::from_blob(&v, {4}).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() takes memory of std::vector objects, which have their elements elsewhere, for float32: the values are wrong
}
at::Tensor pointers(float **rows, int64_t n) {
  return at::from_blob(rows, {n, 4}).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() takes memory of pointers, which have their elements elsewhere, for float32: the values are wrong
}
at::Tensor notNested(std::vector<std::array<float, 3>> &points, float **rows, int64_t n) {
  return at::from_blob(points.data(), {n, 3}).clone() + at::from_blob(rows[0], {n, 3}).clone() +
         at::from_blob(rows, {n}, at::kLong).clone();
}

// Not known, or changed since.
at::Tensor unknown(float *p, int64_t n, int64_t m, bool more) {
  float *q = new float[n];
  if (more) {
    delete[] q;
    q = new float[2 * n];
  }
  auto t = at::from_blob(q, {2 * n}).clone() + at::from_blob(p, {n}).clone();
  delete[] q;
  auto one = std::make_unique<float>(3.0f);
  float *r = new float[m];
  m = 2 * m;
  t = t + at::from_blob(r, {m}).clone() + at::from_blob(one.get(), {1}).clone();
  delete[] r;
  uint8_t *raw = new uint8_t[4 * n];
  t = t + at::from_blob(reinterpret_cast<float *>(raw), {n}).clone() + at::from_blob(raw, {n}, at::kFloat).clone();
  delete[] raw;
  return t;
}
