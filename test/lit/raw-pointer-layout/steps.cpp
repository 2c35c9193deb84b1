// RUN: not %tensortidy --checks=-*,tensor-raw-pointer-layout %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Addresses are affine: what an index, a row that is handed on or a pitch multiplies is compared with the strides.

#include <cstring>
#include <tensortidy/aten.h>
#include <vector>

void row(const float *p, int64_t n);
void plane(const float *p, int64_t pitch, int64_t n);
void rows(const float *p, int64_t stride, int64_t n, int64_t width);
float norm2(float a, float b);

// Read without an inner loop.
float unrolled(int64_t n) {
  auto boxes = torch::rand({n, 7}).slice(1, 0, 4);
  const float *p = boxes.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:26: warning: this loop goes through 'boxes' in steps of 4 elements, which are 7 in its memory: sizes [n, 4], strides [7, 1]; wrong unless n is 1 [tensor-raw-pointer-layout]
  // CHECK: note: 'boxes' got this layout here: slice
  float s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += (p[i * 4 + 2] - p[i * 4]) * (p[i * 4 + 3] - p[i * 4 + 1]);
  return s;
}
float unrolledRight(int64_t n) {
  auto boxes = torch::rand({n, 7}).slice(1, 0, 4);
  const float *p = boxes.data_ptr<float>();
  float s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += (p[i * 7 + 2] - p[i * 7]) * (p[i * 7 + 3] - p[i * 7 + 1]);
  auto whole = boxes.contiguous();
  const float *q = whole.data_ptr<float>();
  for (int64_t i = 0; i < n; ++i)
    s += norm2(q[i * 4 + 2], q[i * 4]);
  return s;
}

// Rows handed on.
void each(int64_t n, int64_t d) {
  auto half = torch::rand({n, 2 * d}).narrow(1, 0, d);
  const float *p = half.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:25: warning: 'row' goes through 'half' in steps of d elements, which are 2*d in its memory
  for (int64_t i = 0; i < n; ++i)
    row(p + i * d, d);
}
void eachByAddress(int64_t n, int64_t d) {
  auto half = torch::rand({n, 2 * d}).narrow(1, 0, d);
  float *p = half.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:19: warning: 'row' goes through 'half' in steps of d elements, which are 2*d in its memory
  for (int64_t i = 0; i < n; ++i)
    row(&p[i * d], d);
}
void eachRight(int64_t n, int64_t d) {
  auto half = torch::rand({n, 2 * d}).narrow(1, 0, d);
  const float *p = half.data_ptr<float>();
  for (int64_t i = 0; i < n; ++i)
    row(p + i * 2 * d, d);
  for (int64_t i = 0; i < n; ++i)
    row(p + i * half.stride(0), d);
  row(p + d, d);
}
void copied(int64_t n, int64_t d, float *out) {
  auto half = torch::rand({n, 2 * d}).narrow(1, 0, d);
  const float *p = half.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:25: warning: 'memcpy' goes through 'half' in steps of d elements, which are 2*d in its memory
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(out + i * d, p + i * d, d * sizeof(float));
}
void copiedRight(int64_t n, int64_t d, float *out) {
  auto half = torch::rand({n, 2 * d}).narrow(1, 0, d);
  const float *p = half.data_ptr<float>();
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(out + i * d, p + i * 2 * d, d * sizeof(float));
}

// Rows that an index names.
void gathered(int64_t n, int64_t d, const int64_t *index, int64_t m, float *out) {
  auto half = torch::rand({n, 2 * d}).narrow(1, d, d);
  const float *p = half.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:25: warning: 'memcpy' goes through 'half' in steps of d elements, which are 2*d in its memory
  for (int64_t i = 0; i < m; ++i) {
    const int64_t at = index[i];
    std::memcpy(out + i * d, p + at * d, d * sizeof(float));
  }
}
float gatheredInLoop(int64_t n, int64_t d, const int64_t *index, int64_t m) {
  auto half = torch::rand({n, 2 * d}).narrow(1, d, d);
  const float *p = half.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:25: warning: this loop goes through 'half' in steps of d elements, which are 2*d in its memory
  float s = 0;
  for (int64_t i = 0; i < m; ++i) {
    const int64_t at = index[i];
    for (int64_t j = 0; j < d; ++j)
      s += p[at * d + j] * j;
  }
  return s;
}
float gatheredRight(int64_t n, int64_t d, const int64_t *index, int64_t m, int64_t k) {
  auto half = torch::rand({n, 2 * d}).narrow(1, d, d);
  const float *p = half.data_ptr<float>();
  float s = 0;
  for (int64_t i = 0; i < m; ++i) {
    const int64_t at = index[i];
    for (int64_t j = 0; j < d; ++j)
      s += p[at * 2 * d + j] * p[at * k + j];
  }
  return s;
}

// Pitches.
void pitched(int64_t n, int64_t h) {
  auto q = torch::rand({n, h, 96}).slice(-1, 32, 64);
  plane(q.data_ptr<float>(), h * 32, n);
  // CHECK: :[[#@LINE-1]]:11: warning: 'plane' gets 'q' with a stride of 32*h elements, which are 96*h in its memory: sizes [n, h, 32], strides [96*h, 96, 1]
  plane(q.data_ptr<float>(), h * 32 * sizeof(float), n);
  // CHECK: :[[#@LINE-1]]:11: warning: 'plane' gets 'q' with a stride of 32*h elements, which are 96*h in its memory
}
void flattened(int64_t n, int64_t h) {
  auto q = torch::rand({n, h, 96}).slice(-1, 32, 64);
  rows(q.data_ptr<float>(), q.stride(0), n * h, 32);
  // CHECK: :[[#@LINE-1]]:10: warning: 'rows' gets 'q' with a stride of 96*h elements, which are 96 in its memory
}
void pitchesRight(int64_t n, int64_t h) {
  auto q = torch::rand({n, h, 96}).slice(-1, 32, 64);
  plane(q.data_ptr<float>(), q.stride(0), n);
  plane(q.data_ptr<float>(), 96 * h, n);
  plane(q.data_ptr<float>(), 96 * h * sizeof(float), n);
  rows(q.data_ptr<float>(), q.stride(1), n * h, 32);
  rows(q.data_ptr<float>(), 96, n * h, 32);
  rows(q.data_ptr<float>(), q.stride(0), n, h * 32);
  plane(q.contiguous().data_ptr<float>(), 32 * h, n);
}
float flattenedInLoop(int64_t n, int64_t h) {
  auto q = torch::rand({n, h, 96}).slice(-1, 32, 64);
  const float *p = q.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: this loop {{.*}}
  const int64_t step = 96 * h;
  float s = 0;
  for (int64_t r = 0; r < n * h; ++r)
    for (int64_t j = 0; j < 32; ++j)
      s += p[r * step + j] * j;
  return s;
}

// Beyond the memory.
float oneMore(int64_t n) {
  auto x = torch::rand({n});
  const float *p = x.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: this loop reaches element n + 1 of the memory of 'x', which has n [tensor-raw-pointer-layout]
  // CHECK: :[[#@LINE-3]]:19: note: 'x' is made here: rand({n})
  float s = 0;
  for (int64_t i = 0; i <= n; ++i)
    s += p[i];
  return s;
}
float differences(int64_t n) {
  auto x = torch::rand({n});
  const float *p = x.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: this loop reaches element n + 1 of the memory of 'x', which has n
  float s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += p[i + 1] - p[i];
  return s;
}
void filled(const double *from, int64_t n) {
  auto x = torch::empty({n}, torch::kFloat);
  std::memcpy(x.data_ptr<float>(), from, n * sizeof(double));
  // CHECK: :[[#@LINE-1]]:17: warning: 'memcpy' reaches element 2*n of the memory of 'x', which has n
}
float within(int64_t n, const float *from, int64_t k) {
  auto x = torch::rand({n});
  float *p = x.data_ptr<float>();
  float s = 0;
  for (int64_t i = 0; i + 1 < n; ++i)
    s += p[i + 1] - p[i];
  for (int64_t i = 0; i < n - 1; ++i)
    s += p[i + 1] - p[i];
  for (int64_t i = 0; i < n; ++i)
    s += i + 1 < n ? p[i + 1] : p[0];
  for (int64_t i = 0; i < k; ++i)
    s += p[i];
  for (int64_t i = 0; i <= n; ++i) {
    if (i == n)
      break;
    s += p[i];
  }
  std::memcpy(p, from, n * sizeof(float));
  std::memcpy(p, from, k * sizeof(float));
  return s;
}

// Rows up to a number that says nothing of how many the tensor has: each is taken whole, and does not begin there.
class Latents {
public:
  Latents(int64_t tokens, int64_t rank, int64_t rope) : rank(rank), rope(rope), all(torch::zeros({tokens, rank + rope})) {}
  void sum(const std::vector<float> &weights, float *out) const {
    auto values = all.narrow(1, 0, rank);
    const float *p = values.data_ptr<float>();
    // CHECK: :[[#@LINE-1]]:29: warning: this loop goes through 'values' in steps of rank elements, which are rope + rank in its memory: {{.*}}; wrong unless tokens is 1 or rope is 0
    for (size_t t = 0; t < weights.size(); ++t) {
      const float *row = p + t * rank;
      for (int64_t d = 0; d < rank; ++d)
        out[d] += weights[t] * row[d];
    }
  }
  void right(const std::vector<float> &weights, float *out) const {
    auto values = all.narrow(1, 0, rank);
    const float *p = values.data_ptr<float>();
    const int64_t pitch = values.stride(0);
    for (size_t t = 0; t < weights.size(); ++t) {
      const float *row = p + t * pitch;
      for (int64_t d = 0; d < rank; ++d)
        out[d] += weights[t] * row[d];
    }
  }
  // One number of each row: which is not said.
  float some(const std::vector<float> &weights) const {
    auto values = all.narrow(1, 0, rank);
    const float *p = values.data_ptr<float>();
    float s = 0;
    for (size_t t = 0; t < weights.size(); ++t)
      s += weights[t] * norm2(p[t * rank], 1);
    return s;
  }

private:
  int64_t rank, rope;
  at::Tensor all;
};
