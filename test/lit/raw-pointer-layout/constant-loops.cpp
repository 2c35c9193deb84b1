// RUN: %check %s --checks=-*,tensor-raw-pointer-layout -- %runtime
// Loops that count to numbers written in the code, through pointers to rows.

#include <tensortidy/aten.h>

static void weigh(const float *q, const float *k, float *out, int64_t seq,
                  int64_t heads, int64_t groups, int64_t dim) {
  for (int64_t t = 0; t < seq; ++t)
    for (int64_t h = 0; h < heads; ++h) {
      const float *row = q + (t * heads + h) * dim;
      const float *key = k + (t * groups + h / (heads / groups)) * dim;
      float dot = 0.f;
      for (int64_t d = 0; d < dim; ++d)
        dot += row[d] * key[d];
      out[t * heads + h] = dot;
    }
}

at::Tensor fused() {
  const int64_t seq = 2048, heads = 16, groups = 1, dim = 64;
  auto qkv = at::randn({seq, heads + 2 * groups, dim});
  auto parts = qkv.split_with_sizes({heads, groups, groups}, 1);
  const auto &q = parts[0], &k = parts[1];
  auto out = at::zeros({seq, heads});
  weigh(q.data_ptr<float>(), k.data_ptr<float>(), out.data_ptr<float>(), seq,
        heads, groups, dim);
  // CHECK-MESSAGES: :[[#@LINE-2]]:11: warning: this loop takes 2097152 elements of 'q' in a row: sizes [2048, 16, 64], strides [1152, 64, 1]{{.*}} [tensor-raw-pointer-layout]
  // CHECK-MESSAGES: :[[#@LINE-3]]:32: warning: this loop goes through 'k' in steps of 64 elements, which are 1152 in its memory: sizes [2048, 1, 64], strides [1152, 64, 1] [tensor-raw-pointer-layout]
  return out;
}

at::Tensor packed() {
  const int64_t seq = 2048, heads = 16, groups = 1, dim = 64;
  auto qkv = at::randn({seq, heads + 2 * groups, dim});
  auto parts = qkv.split_with_sizes({heads, groups, groups}, 1);
  auto q = parts[0].contiguous(), k = parts[1].contiguous();
  auto out = at::zeros({seq, heads});
  weigh(q.data_ptr<float>(), k.data_ptr<float>(), out.data_ptr<float>(), seq,
        heads, groups, dim);
  return out;
}

// A row of its own length, and few iterations.
float sums(float *out) {
  auto x = at::randn({8, 18, 64}).narrow(1, 0, 16);
  const float *p = x.data_ptr<float>();
  float all = 0;
  for (int64_t t = 0; t < 8; ++t) {
    const float *row = p + t * 1152;
    for (int64_t d = 0; d < 1024; ++d)
      all += row[d];
  }
  for (int64_t t = 0; t < 3; ++t)
    out[t] = p[t * 1152];
  return all;
}
