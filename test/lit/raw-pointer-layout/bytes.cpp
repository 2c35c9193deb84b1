// RUN: not %tensortidy --checks=-*,tensor-raw-pointer-layout %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// What an element is taken for, and how many bytes that is.
#include <ATen/ATen.h>
#include <cstring>
#include <vector>

std::vector<int> classes(const at::Tensor &scores) {
  auto ids = scores.argmax(1);
  std::vector<int> out(ids.size(0));
  std::memcpy(out.data(), ids.data_ptr(), ids.numel() * sizeof(int));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies 4 bytes for each of the {{.*}} elements of 'ids', which have 8 (int64) [tensor-raw-pointer-layout]
  return out;
}

std::vector<int64_t> classesFine(const at::Tensor &scores) {
  auto ids = scores.argmax(1);
  std::vector<int64_t> out(ids.size(0));
  std::memcpy(out.data(), ids.data_ptr(), ids.numel() * sizeof(int64_t));
  return out;
}

at::Tensor loaded(const std::vector<float> &samples) {
  auto wave = at::empty({static_cast<int64_t>(samples.size())});
  std::memcpy(wave.data_ptr<float>(), samples.data(), samples.size());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies one byte for each of the elements of 'wave', which have 4 (float32)
  return wave;
}

at::Tensor loadedFine(const std::vector<float> &samples) {
  auto wave = at::empty({static_cast<int64_t>(samples.size())});
  std::memcpy(wave.data_ptr<float>(), samples.data(), samples.size() * sizeof(float));
  auto again = at::empty({static_cast<int64_t>(samples.size())});
  std::memcpy(again.data_ptr<float>(), wave.data_ptr<float>(), again.nbytes());
  std::memcpy(again.data_ptr<float>(), samples.data(), samples.size() * again.element_size());
  return again + wave;
}

// Bytes are their own number, and a part is no mistake in the size of elements.
void bytesFine(const at::Tensor &x, int64_t h, int64_t w, uint8_t *out, float *front) {
  auto image = (x * 255).to(at::kByte).contiguous();
  std::memcpy(out, image.data_ptr<uint8_t>(), image.numel());
  auto boxes = at::zeros({h, 4});
  std::memcpy(front, boxes.data_ptr<float>(), h * sizeof(float)); // h numbers of 4*h
  auto planes = at::zeros({3, h, w});
  std::memcpy(front, planes.data_ptr<float>(), h * w * sizeof(float)); // one plane
  auto half = x.to(at::kHalf).contiguous();
  std::memcpy(out, half.data_ptr(), half.numel() * sizeof(uint16_t));
}

int64_t first(const at::Tensor &scores) {
  auto ids = scores.argmax(-1);
  const int *p = static_cast<const int *>(ids.data_ptr());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: the elements of 'ids' are int64, and this pointer reads them as int32 [tensor-raw-pointer-layout]
  return p[0];
}

float largest(const at::Tensor &x) {
  auto h = x.to(at::kHalf);
  const auto *p = (const float *)h.data_ptr();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: the elements of 'h' are float16, and this pointer reads them as float32
  return p[0];
}

int64_t castsFine(const at::Tensor &scores, const at::Tensor &x, bool wide) {
  auto ids = scores.argmax(-1);
  const auto *same = static_cast<const int64_t *>(ids.data_ptr());
  const auto *bytes = static_cast<const char *>(ids.data_ptr());
  const auto *bits = static_cast<const uint64_t *>(ids.data_ptr());
  auto h = x.to(at::kHalf);
  const auto *pairs = static_cast<const uint32_t *>(h.data_ptr());
  auto c = at::view_as_complex(x.to(at::kFloat).reshape({-1, 2}));
  const auto *parts = static_cast<const float *>(c.data_ptr());
  auto either = wide ? x.to(at::kDouble) : x.to(at::kFloat);
  auto *unknown = static_cast<const float *>(x.data_ptr());
  // Deliberate: it says what it was.
  const auto *twos = reinterpret_cast<const double *>(x.to(at::kFloat).contiguous().data_ptr<float>());
  return same[0] + bytes[0] + bits[0] + pairs[0] + (int64_t)parts[0] + (int64_t)unknown[0] + (twos != nullptr);
}
