// RUN: %check %s --checks=-*,tensor-raw-pointer-layout -- %runtime
// Loops, by the sizes they count to and what their index multiplies.

#include <tensortidy/aten.h>
#include <vector>

float nested(int64_t B, int64_t C, int64_t T) {
  auto y = torch::empty({B, C, T}).permute({0, 2, 1});
  const float *p = y.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop takes the strides of 'y' for [C*T, C, 1]: sizes [B, T, C], strides [C*T, 1, T]; wrong unless C or T is 1
  // CHECK-MESSAGES: :[[#@LINE-3]]:36: note: 'y' got this layout here: permute({0, 2, 1}) of a contiguous [B, C, T]
  // CHECK-MESSAGES: :[[#@LINE+5]]:18: note: used here
  float s = 0;
  for (int b = 0; b < B; ++b)
    for (int t = 0; t < T; ++t)
      for (int c = 0; c < C; ++c)
        s += t * p[(b * T + t) * C + c];
  return s;
}
float byRow(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  const float *p = y.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop takes the strides of 'y' for [B, 1]
  float s = 0;
  for (int64_t i = 0; i < y.size(0); ++i) {
    const float *row = p + i * y.size(1);
    for (int64_t j = 0; j < y.size(1); ++j)
      s += row[j] * i;
  }
  return s;
}
at::Tensor elementByElement(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  auto out = torch::empty(y.sizes());
  const float *p = y.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop goes through 'y' in storage order, together with 'out', which has another order
  float *o = out.data_ptr<float>();
  for (int64_t i = 0; i < y.numel(); ++i)
    o[i] = 2 * p[i] + 1;
  return out;
}
void filled(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  float *p = y.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: this loop takes the strides of 'y' for [B, 1]
  for (int64_t i = 0; i < y.size(0); ++i)
    for (int64_t j = 0; j < y.size(1); ++j)
      p[i * y.size(1) + j] = i;
}
void toVector(int64_t B, std::vector<float> &v) {
  auto y = torch::empty({B, 3}).t();
  const float *p = y.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop copies 'y' in the order of its memory, [B, 3]
  for (int i = 0; i < 3 * B; ++i)
    v[i] = p[i];
}
float gaps() {
  auto y = torch::empty({4, 6}).narrow(1, 0, 2);
  const float *p = y.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop takes 8 elements of 'y' in a row: sizes [4, 2], strides [6, 1]
  float s = 0;
  for (int i = 0; i < y.numel(); ++i)
    s += p[i];
  return s;
}

// In a helper that is given the pointer.
static float helper(const float *p, int64_t n, int64_t m) {
  float s = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j)
      s += i * p[i * m + j];
  return s;
}
float followed(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  return helper(y.data_ptr<float>(), y.size(0), y.size(1)) +
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: this loop takes the strides of 'y' for [B, 1]
         helper(y.data_ptr<float>(), y.size(1), y.size(0));
}
// A second loop over the same test is another loop.
float twice(int64_t B, int64_t n) {
  float s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += i;
  auto y = torch::empty({n, B}).t();
  const float *p = y.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop takes the strides of 'y' for [n, 1]
  for (int64_t j = 0; j < B; ++j)
    for (int64_t i = 0; i < n; ++i)
      s += j * p[j * n + i];
  return s;
}

void inParallel(int64_t n, int64_t m) {
  auto x = at::zeros({n, m}).t();
  float *p = x.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: this loop takes the strides of 'x' for [n, 1]: sizes [m, n], strides [1, m]; wrong unless n or m is 1 [tensor-raw-pointer-layout]
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note: used here
  // CHECK-MESSAGES: note:
  at::parallel_for(0, m, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      for (int64_t j = 0; j < n; ++j)
        p[i * n + j] = 1;
  });
}

void inParallelAsItLies(int64_t n, int64_t m) {
  auto x = at::zeros({n, m}).t();
  float *p = x.data_ptr<float>();
  at::parallel_for(0, m, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      for (int64_t j = 0; j < n; ++j)
        p[i + j * m] = 1;
  });
}

// Not all of it, in steps of dense rows.
void inParallelButTheFirst(int64_t n, int64_t m) {
  auto x = at::zeros({n, m}).t();
  float *p = x.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: this loop goes through 'x' in steps of n elements, which are 1 in its memory: sizes [m, n], strides [1, m]
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note: used here
  // CHECK-MESSAGES: note:
  at::parallel_for(1, m, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      for (int64_t j = 0; j < n; ++j)
        p[i * n + j] = 1;
  });
}

// What is written must not go to a copy: there is no fix-it.
// CHECK-FIXES-NOT: auto x_contiguous = x.contiguous();
