// RUN: not %tensortidy --checks=-*,tensor-from-blob-lifetime %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch

#include <ATen/ATen.h>
#include <array>
#include <functional>
#include <memory>
#include <vector>

at::Tensor returned() {
  std::vector<float> v(6, 1);
  return at::from_blob(v.data(), {2, 3});
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v', which is gone when the function returns [tensor-from-blob-lifetime]
  // CHECK: :[[#@LINE-2]]:14: note: from_blob() makes no copy; clone() its result to have one
}

at::Tensor noCopy() {
  float v[6] = {};
  auto t = at::from_blob(v, {2, 3});
  return t.contiguous();
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v'
  // CHECK: :[[#@LINE-2]]:12: note: contiguous() copies nothing here: the tensor has that form already
}

at::Tensor sameDtype(std::vector<float> v) {
  return at::from_blob(v.data(), {2, 3}).to(at::kFloat);
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v'
  // CHECK: :[[#@LINE-2]]:42: note: to() copies nothing here
}

at::Tensor viewOfIt() {
  std::array<float, 6> a{};
  auto t = at::from_blob(a.data(), {6});
  return t.view({2, 3}).t();
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'a'
}

at::Tensor throughPointer() {
  std::vector<float> v(6, 1);
  float *p = v.data();
  return at::from_blob(p + 2, {4});
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v'
}

at::Tensor number() {
  float x = 1;
  return at::from_blob(&x, {1});
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'x'
}

struct Model {
  at::Tensor weight;
  void fill() {
    std::vector<float> v(6, 1);
    weight = at::from_blob(v.data(), {2, 3});
    // CHECK: :[[#@LINE-1]]:18: warning: 'weight' keeps a tensor that borrows the memory of 'v', which is gone when the function returns
  }
};

at::Tensor endOfBlock(bool c) {
  at::Tensor t = at::zeros({6});
  if (c) {
    std::vector<float> v(6, 1);
    t = at::from_blob(v.data(), {6});
  }
  return t + 1;
  // CHECK: :[[#@LINE-1]]:12: warning: the tensor borrows the memory of 'v', which ended with its block
}

std::function<at::Tensor()> captured() {
  std::vector<float> v(6, 1);
  auto t = at::from_blob(v.data(), {6});
  return [t] { return t.clone(); };
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v'
}

at::Tensor defaultDtype(double *p) {
  return at::from_blob(p, {6}).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() takes memory of float64 for float32, its default: the values are wrong
}

at::Tensor wrongDtype(const std::vector<int64_t> &v) {
  return at::from_blob((void *)v.data(), {6}, at::kInt).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() takes memory of int64 for int32: the values are wrong
}

struct Flags {
  int32_t run = 0;
};
at::Tensor bytes(Flags &f) {
  return at::from_blob(&f.run, {sizeof(f.run)}, at::kChar).clone();
}

at::Tensor strides(float *p, int64_t n) {
  auto a = at::from_blob(p, {n, 4}, {4}, at::kFloat);
  // CHECK: :[[#@LINE-1]]:16: warning: from_blob() gets 2 sizes and 1 strides
  auto b = at::from_blob(p, {n, 4}, {4, -1}, at::kFloat);
  // CHECK: :[[#@LINE-1]]:16: warning: from_blob() gets a negative stride, -1
  return a + b;
}

at::Tensor tooLarge() {
  float v[2][3] = {};
  return at::from_blob(v, {2, 4}).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() reads 8 elements of memory that has 6
}

static at::Tensor wrap(const std::vector<float> &v) {
  return at::from_blob(const_cast<float *>(v.data()), {6});
}
at::Tensor wrapped() {
  std::vector<float> v(6, 1);
  return wrap(v);
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v', which is gone when the function returns
}
at::Tensor wrappedAndUsed() {
  std::vector<float> v(6, 1);
  return wrap(v) + 1;
}

at::Tensor onCpu() {
  std::vector<float> v(6, 1);
  return at::from_blob(v.data(), {6}).to(at::kCPU);
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v', which is gone when the function returns
}
at::Tensor onDevice(const at::Device &device) {
  std::vector<float> v(6, 1);
  return at::from_blob(v.data(), {6}).to(device);
}

std::function<at::Tensor()> captured() {
  auto v = std::make_shared<std::vector<float>>(6);
  return [v, t = at::from_blob(v->data(), {6})] { return t + 1; };
}

struct Frame {
  std::vector<float> pixels;
  int64_t height, width;
};
Frame grab();
const Frame &shown();
at::Tensor ofFrame() {
  Frame f = grab();
  return at::from_blob(f.pixels.data(), {f.height, f.width});
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'f.pixels', which is gone when the function returns
}
at::Tensor ofShown() {
  const Frame &f = shown();
  return at::from_blob(const_cast<float *>(f.pixels.data()), {f.height, f.width});
}
std::shared_ptr<at::Tensor> shared() {
  std::vector<float> v(6, 1);
  return std::make_shared<at::Tensor>(at::from_blob(v.data(), {6}));
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v', which is gone when the function returns
}
at::Tensor ofRow(std::vector<std::vector<float>> &rows) {
  for (const auto &row : rows)
    if (row.size() > 2)
      return at::from_blob(const_cast<float *>(row.data()), {2});
  return {};
}
static at::Tensor wrap(float *data, int64_t n) { return at::from_blob(data, {n}, at::kFloat); }
std::vector<float> read(int64_t n);
at::Tensor throughPointer(int64_t n) {
  auto v = read(n);
  at::Tensor t = wrap(v.data(), n);
  t.mul_(2);
  return t;
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v', which is gone when the function returns
}
at::Tensor throughFreed(int64_t n) {
  float *p = new float[n];
  auto t = wrap(p, n);
  delete[] p;
  return t;
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory behind 'p', which was freed
}
std::vector<at::Tensor> throughKept(float *data, std::vector<float> &given, int64_t n) {
  auto v = read(n);
  return {wrap(data, n), wrap(given.data(), n), wrap(v.data(), n).clone()};
}
static Frame decode() { return {std::vector<float>(12, 1), 3, 4}; }
at::Tensor ofDecoded() {
  Frame f = decode();
  return at::from_blob(f.pixels.data(), {f.height, f.width}).unsqueeze(0);
  // CHECK: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'f.pixels', which is gone when the function returns
}
at::Tensor ofDecodedCopy() {
  Frame f = decode();
  return at::from_blob(f.pixels.data(), {f.height, f.width}).clone();
}
