// RUN: %silent %s --checks=-*,tensor-from-blob-lifetime -- %aten
// REQUIRES: libtorch
// No finding: the memory lives long enough, or a copy is made.

#include <ATen/ATen.h>
#include <memory>
#include <vector>

at::Tensor cloned() {
  std::vector<float> v(6, 1);
  auto t = at::from_blob(v.data(), {2, 3});
  v[0] = 2;
  return t.clone();
}

at::Tensor copied() {
  std::vector<float> v(6, 1);
  auto t = at::from_blob(v.data(), {2, 3});
  if (v.empty())
    return t.to(at::kDouble);
  if (v.size() == 1)
    return t.t().contiguous();
  return t + 1;
}

at::Tensor toUnknownDtype(at::ScalarType type) {
  std::vector<float> v(6, 1);
  return at::from_blob(v.data(), {2, 3}).to(type);
}

at::Tensor onDevice(at::Device device) {
  std::vector<float> v(6, 1);
  return at::from_blob(v.data(), {2, 3}).to(device);
}

at::Tensor parameters(float *p, std::vector<float> &v, const std::vector<int64_t> &n) {
  auto a = at::from_blob(p, {6});
  auto b = at::from_blob(v.data(), {6});
  auto c = at::from_blob((void *)n.data(), {6}, at::kLong);
  return a.add_(1), b.add_(1), c;
}

at::Tensor staticMemory() {
  static float table[6];
  return at::from_blob(table, {6});
}

at::Tensor bytes(unsigned char *p, uint16_t *h) {
  auto a = at::from_blob(p, {6}, at::kFloat);
  auto b = at::from_blob(h, {6}, at::kHalf);
  return a + b;
}

at::Tensor released() {
  auto *v = new std::vector<float>(6, 1);
  std::vector<float> local(6, 1);
  auto a = at::from_blob(local.data(), {6}, [](void *) {}, at::kFloat);
  return at::from_blob(v->data(), {6}, [v](void *) { delete v; });
}

struct Model {
  std::vector<float> memory;
  at::Tensor weight;
  void fill() {
    std::vector<float> v(6, 1);
    weight = at::from_blob(v.data(), {6});
    memory = std::move(v);
  }
};

std::pair<std::vector<float>, at::Tensor> both() {
  std::vector<float> v(6, 1);
  auto t = at::from_blob(v.data(), {6});
  return {std::move(v), t};
}

float usedHere(bool c) {
  float s = 0;
  for (int i = 0; i < 3; ++i) {
    std::vector<float> v(6, 1);
    auto t = at::from_blob(v.data(), {6});
    s += t.sum().item<float>();
  }
  at::Tensor t;
  std::vector<float> v(6, 1);
  if (c)
    t = at::from_blob(v.data(), {6});
  return s;
}

at::Tensor fits(int64_t n) {
  float v[6] = {};
  if (n == 0)
    return at::from_blob(v, {0, 9}).clone();
  return at::from_blob(v, {n}).clone() + at::from_blob(v, {2, 3}, {1, 2}, at::kFloat);
}
