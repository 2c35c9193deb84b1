// RUN: not %tensortidy --checks=-*,tensor-raw-pointer-layout %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// RUN: %tensortidy --checks=-*,tensor-raw-pointer-layout '--config={CheckOptions: {tensor-raw-pointer-layout.Level: 0}}' %s -- %runtime
// Loops over the sizes of a tensor, whose index takes another size for that of a row.

#include <tensortidy/aten.h>

float sum(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 2);
  auto c = x.contiguous();
  const int64_t H = c.size(0), W = c.size(1);
  const float *p = c.data_ptr<float>();
  float s = 0;
  for (int64_t i = 0; i < H; ++i)
    for (int64_t j = 0; j < W; ++j)
      s += p[i * H + j];
  // CHECK: :[[#@LINE-5]]:22: warning: this loop goes through 'c' in steps of H elements, which are W in its memory: sizes [H, W], strides [W, 1]; wrong {{.*}}unless H is W [tensor-raw-pointer-layout]
  return s;
}
at::Tensor fill(int h, int w) {
  auto m = torch::empty({h, w});
  float *p = m.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:16: warning: this loop goes through 'm' in steps of h elements, which are w in its memory: sizes [{{.*}}h, w], strides {{.*}}; wrong unless h is w
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      p[y * h + x] = static_cast<float>(x + y);
  return m;
}
/// The bounds are the wrong way around.
at::Tensor swapped(int h, int w) {
  auto m = torch::empty({h, w});
  float *p = m.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:16: warning: this loop goes to index w - 1 of dimension 0 of 'm', whose size is h; wrong unless
  for (int y = 0; y < w; y++)
    for (int x = 0; x < h; x++)
      p[y * w + x] = static_cast<float>(x + y);
  return m;
}
at::Tensor planes(int c, int h, int w, float by) {
  auto m = torch::zeros({c, h, w});
  float *p = m.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:16: warning: this loop goes through 'm' in steps of h elements, which are w in its memory: sizes [{{.*}}h, w], strides {{.*}}; wrong unless h is w
  for (int k = 0; k < c; k++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        p[(k * h + y) * h + x] *= by;
  return m;
}
/// One plane of several.
void plane(at::Tensor &out, int n, int h, int w) {
  auto m = torch::zeros({n, h, w});
  float *p = m.data_ptr<float>() + 2 * h * w;
  // CHECK: :[[#@LINE-1]]:16: warning: this loop goes through 'm' in steps of h elements, which are w in its memory: sizes [{{.*}}h, w], strides {{.*}}; wrong unless h is w
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      p[y * h + x] = 1;
  out.copy_(m);
}

// Right ones.
float sumFine(const at::Tensor &x) {
  auto c = x.contiguous();
  const int64_t H = c.size(0), W = c.size(1);
  const float *p = c.data_ptr<float>();
  float s = 0;
  for (int64_t i = 0; i < H; ++i)
    for (int64_t j = 0; j < W; ++j)
      s += p[i * W + j];
  return s;
}
/// Column by column.
float columns(int h, int w) {
  auto m = torch::ones({h, w});
  const float *p = m.data_ptr<float>();
  float s = 0;
  for (int x = 0; x < w; x++)
    for (int y = 0; y < h; y++)
      s = s * 0.5f + p[y * w + x];
  return s;
}
/// As [w, h].
at::Tensor turned(int h, int w) {
  auto m = torch::empty({h, w});
  float *p = m.data_ptr<float>();
  for (int x = 0; x < w; x++)
    for (int y = 0; y < h; y++)
      p[x * h + y] = static_cast<float>(x + y);
  return m.view({w, h});
}
at::Tensor square(int h, int w) {
  TORCH_CHECK(h == w);
  auto m = torch::empty({h, w});
  float *p = m.data_ptr<float>();
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      p[y * h + x] = static_cast<float>(x + y);
  return m;
}
at::Tensor gram(const at::Tensor &x) {
  auto c = x.contiguous();
  const int64_t m = c.size(0), n = c.size(1);
  auto g = torch::zeros({n, n});
  const float *p = c.data_ptr<float>();
  float *q = g.data_ptr<float>();
  for (int64_t k = 0; k < m; ++k)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        q[i * n + j] += p[k * n + i] * p[k * n + j];
  return g;
}
/// The sums of a diagonal, and a window.
float diagonals(int h, int w) {
  auto m = torch::ones({h + w});
  auto k = torch::ones({h, w});
  const float *p = m.data_ptr<float>(), *q = k.data_ptr<float>();
  float s = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      s += p[y + x] * q[y * w + x];
  return s;
}
