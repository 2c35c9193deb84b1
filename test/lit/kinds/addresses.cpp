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
// Words in 64 bits copied as if they were of 32.
std::vector<int32_t> words(const at::Tensor &scores) {
  TORCH_CHECK(scores.dim() == 2);
  auto best = scores.argmax(-1).cpu();
  std::vector<int32_t> out(static_cast<size_t>(best.numel()));
  std::memcpy(out.data(), best.data_ptr(), best.numel() * sizeof(int32_t));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies 4 bytes for each of the scores.size(0) elements of 'best',
  return out;
}
std::vector<int32_t> wordsOk(const at::Tensor &scores) {
  TORCH_CHECK(scores.dim() == 2);
  auto best = scores.argmax(-1).to(at::kInt).cpu();
  std::vector<int32_t> out(static_cast<size_t>(best.numel()));
  std::memcpy(out.data(), best.data_ptr(), best.numel() * sizeof(int32_t));
  return out;
}
// Rows of all batches, walked by the stride of a batch.
float energy(const at::Tensor &signal) {
  TORCH_CHECK(signal.dim() == 3 && signal.is_contiguous());
  const float *p = signal.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this loop goes through 'signal' in steps of signal.size(1)*signal.size(2) e
  const int64_t rows = signal.size(0) * signal.size(1), width = signal.size(2);
  float sum = 0;
  for (int64_t r = 0; r < rows; ++r) {
    const float *row = p + r * signal.stride(0);
    for (int64_t i = 0; i < width; ++i)
      sum += row[i] * row[i];
  }
  return sum;
}
float energyOk(const at::Tensor &signal) {
  TORCH_CHECK(signal.dim() == 3 && signal.is_contiguous());
  const float *p = signal.data_ptr<float>();
  const int64_t rows = signal.size(0) * signal.size(1), width = signal.size(2);
  float sum = 0;
  for (int64_t r = 0; r < rows; ++r) {
    const float *row = p + r * signal.stride(1);
    for (int64_t i = 0; i < width; ++i)
      sum += row[i] * row[i];
  }
  return sum;
}
// A buffer of as many bytes as there are numbers.
std::vector<char> packet(int64_t n) {
  auto samples = at::rand({n, 2});
  std::vector<char> bytes(samples.numel() * sizeof(float));
  std::memcpy(bytes.data(), samples.data_ptr<float>(), samples.numel());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies one byte for each of the 2*n elements of 'samples', which h
  return bytes;
}
std::vector<char> packetOk(int64_t n) {
  auto samples = at::rand({n, 2});
  std::vector<char> bytes(samples.numel() * sizeof(float));
  std::memcpy(bytes.data(), samples.data_ptr<float>(), samples.nbytes());
  return bytes;
}
// The last column of each row, one too far.
float lastColumn(int64_t rows, int64_t cols) {
  auto table = at::rand({rows, cols});
  const float *p = table.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this loop reaches element rows*cols + 1 of the memory of 'table', which has
  float sum = 0;
  for (int64_t r = 0; r < rows; ++r)
    sum += p[r * cols + cols];
  return sum;
}
float lastColumnOk(int64_t rows, int64_t cols) {
  auto table = at::rand({rows, cols});
  const float *p = table.data_ptr<float>();
  float sum = 0;
  for (int64_t r = 0; r < rows; ++r)
    sum += p[r * cols + cols - 1];
  return sum;
}
// Rows of a gray image, as long as it is high.
double brightness(const at::Tensor &image) {
  auto gray = image.mean(2);
  const int64_t height = gray.size(0), width = gray.size(1);
  const float *p = gray.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this loop goes through 'gray' in steps of height elements, which are width
  double sum = 0;
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      sum += p[y * height + x];
  return sum / static_cast<double>(height * width);
}
double brightnessOk(const at::Tensor &image) {
  auto gray = image.mean(2);
  const int64_t height = gray.size(0), width = gray.size(1);
  const float *p = gray.data_ptr<float>();
  double sum = 0;
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      sum += p[y * width + x];
  return sum / static_cast<double>(height * width);
}
