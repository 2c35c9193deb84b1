// RUN: not %tensortidy --checks=-*,tensor-* '--config={CheckOptions: {tensor-raw-pointer-layout.NarrowIndex: true}}' %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Raw memory read by other steps than it has, or past its end, each with a correct twin.
#include <torch/torch.h>
#include <cstring>
#include <memory>
#include <vector>
void blit(const at::Tensor &frame, int64_t x0, int64_t w, uint8_t *out) {
  TORCH_CHECK(frame.dim() == 2 && frame.is_contiguous() && frame.scalar_type() == at::kByte);
  auto crop = frame.narrow(1, x0, w);
  const uint8_t *src = crop.data_ptr<uint8_t>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' goes through 'crop' in steps of w elements, which are frame.s
  for (int64_t r = 0; r < crop.size(0); ++r)
    std::memcpy(out + r * w, src + r * w, w);
}
void blitOk(const at::Tensor &frame, int64_t x0, int64_t w, uint8_t *out) {
  TORCH_CHECK(frame.dim() == 2 && frame.is_contiguous() && frame.scalar_type() == at::kByte);
  auto crop = frame.narrow(1, x0, w);
  const uint8_t *src = crop.data_ptr<uint8_t>();
  for (int64_t r = 0; r < crop.size(0); ++r)
    std::memcpy(out + r * w, src + r * crop.stride(0), w);
}
at::Tensor window(int64_t rows, int64_t cols) {
  std::vector<float> buf(rows * cols);
  for (size_t i = 0; i < buf.size(); ++i)
    buf[i] = 0.5f * i;
  return torch::from_blob(buf.data(), {rows, cols, 3}).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() reads 3*rows*cols elements of memory that has rows*cols [t
}
at::Tensor windowOk(int64_t rows, int64_t cols) {
  std::vector<float> buf(rows * cols * 3);
  for (size_t i = 0; i < buf.size(); ++i)
    buf[i] = 0.5f * i;
  return torch::from_blob(buf.data(), {rows, cols, 3}).clone();
}
at::Tensor labels(const std::vector<int> &ids) {
  const int64_t n = ids.size();
  return torch::from_blob(const_cast<int *>(ids.data()), {n}, torch::kLong).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes memory of int32 for int64
}
at::Tensor labelsOk(const std::vector<int> &ids) {
  const int64_t n = ids.size();
  return torch::from_blob(const_cast<int *>(ids.data()), {n}, torch::kInt).to(torch::kLong);
}
std::vector<float> columns(const at::Tensor &m) {
  TORCH_CHECK(m.dim() == 2 && m.is_contiguous());
  auto t = m.t();
  const float *p = t.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this loop takes the strides of 't' for [m.size(0), 1]
  const int64_t rows = t.size(0), cols = t.size(1);
  std::vector<float> sums(rows, 0.f);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      sums[i] += p[i * cols + j];
  return sums;
}
std::vector<float> columnsOk(const at::Tensor &m) {
  TORCH_CHECK(m.dim() == 2 && m.is_contiguous());
  auto t = m.t().contiguous();
  const float *p = t.data_ptr<float>();
  const int64_t rows = t.size(0), cols = t.size(1);
  std::vector<float> sums(rows, 0.f);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      sums[i] += p[i * cols + j];
  return sums;
}
static float dot(const float *a, const float *b, int64_t n) {
  float s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += a[i] * b[i];
  return s;
}
at::Tensor gram(int64_t n) {
  auto x = at::randn({n, 128});
  auto half = x.slice(1, 0, 64);
  auto out = at::empty({n, n});
  float *o = out.data_ptr<float>();
  const float *p = half.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this loop takes 64*n elements of 'half' in a row
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      o[i * n + j] = dot(p + i * 64, p + j * 64, 64);
  return out;
}
at::Tensor gramOk(int64_t n) {
  auto x = at::randn({n, 128});
  auto half = x.slice(1, 0, 64);
  const int64_t pitch = half.stride(0);
  auto out = at::empty({n, n});
  float *o = out.data_ptr<float>();
  const float *p = half.data_ptr<float>();
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      o[i * n + j] = dot(p + i * pitch, p + j * pitch, 64);
  return out;
}
// Memory of an object that dies here, borrowed by its method.
class Staging {
public:
  explicit Staging(int64_t n) : buf(new float[n]), n(n) {}
  at::Tensor fill(float with) {
    for (int64_t i = 0; i < n; ++i)
      buf[i] = with;
    return torch::from_blob(buf.get(), {n}, torch::kFloat);
  }

private:
  std::unique_ptr<float[]> buf;
  int64_t n;
};
at::Tensor staged(int64_t n) {
  Staging s(n);
  auto t = s.fill(0.5f);
  return t;
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: returns a tensor that borrows the memory of 's.buf'
}
at::Tensor stagedOk(int64_t n) {
  Staging s(n);
  return s.fill(0.5f).clone();
}
class Rows {
public:
  explicit Rows(int64_t n) : buf(n) {}
  at::Tensor get() { return torch::from_blob(buf.data(), {int64_t(buf.size())}, torch::kFloat); }

private:
  std::vector<float> buf;
};
at::Tensor rows(int64_t n) { return Rows(n).get(); }
// CHECK: :[[#@LINE-1]]:{{.*}}: warning: returns a tensor that borrows the memory of a temporary, which is gone
