// RUN: %check %s --checks=-*,tensor-from-blob-lifetime -- %runtime
// Vectors of as many elements as variables say, owners that let go, and memory
// of strings.

#include <cstdint>
#include <memory>
#include <string>
#include <tensortidy/aten.h>
#include <vector>
using at::Tensor;

Tensor padded(int64_t n, int64_t m) {
  std::vector<float> v(n * m);
  return at::from_blob(v.data(), {n, m + 1}).clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: from_blob() reads {{.*}} elements of memory that has n*m [tensor-from-blob-lifetime]
}

Tensor grown(int64_t n) {
  std::vector<float> v;
  v.resize(n);
  return at::from_blob(v.data(), {n + 1}).clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: from_blob() reads n + 1 elements of memory that has n [tensor-from-blob-lifetime]
}

Tensor channels(int64_t h, int64_t w) {
  std::vector<uint8_t> image(h * w * 3);
  return at::from_blob(image.data(), {h, w, 4}, at::kByte).clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: from_blob() reads 4*h*w elements of memory that has 3*h*w [tensor-from-blob-lifetime]
}

struct Pixel {
  uint8_t r, g, b;
};

Tensor fits(int64_t n, int64_t m, int64_t pad, int64_t h, int64_t w) {
  std::vector<float> v(n * m), bigger(n + 1), other(n), halves(n), twice(n), late;
  auto a = at::from_blob(v.data(), {n, m}).clone();
  auto b = at::from_blob(bigger.data(), {n}).clone();
  auto c = at::from_blob(other.data(), {n + pad}).clone(); // pad may be negative
  auto d = at::from_blob(halves.data(), {n / 2, 2}).clone();
  twice.resize(2 * n);
  auto e = at::from_blob(twice.data(), {2 * n}).clone();
  late.resize(n);
  late.push_back(1);
  auto f = at::from_blob(late.data(), {n + 1}).clone();
  std::vector<Pixel> pixels(h * w);
  auto g = at::from_blob(pixels.data(), {h, w, 3}, at::kByte).clone();
  std::vector<float> now(n);
  n = n - 1;
  auto i = at::from_blob(now.data(), {n + 1}).clone();
  return a + b + c + d + e + f + g + i;
}

Tensor letGo(int64_t n) {
  auto v = std::make_unique<float[]>(n);
  auto t = at::from_blob(v.get(), {n});
  v.reset();
  return t.sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: the tensor borrows the memory of 'v', which was released [tensor-from-blob-lifetime]
  // CHECK-MESSAGES: :[[#@LINE-4]]:16: note: from_blob() makes no copy
}

Tensor letGoLater(int64_t n) {
  auto v = std::make_unique<float[]>(n);
  auto t = at::from_blob(v.get(), {n}).sum();
  v.reset();
  return t;
}

Tensor shared(int64_t n) {
  auto v = std::make_shared<std::vector<float>>(n);
  return at::from_blob(v->data(), {n});
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'v', which is gone when the function returns [tensor-from-blob-lifetime]
  // CHECK-MESSAGES: :[[#@LINE-2]]:14: note: from_blob() makes no copy
}

void keep(std::shared_ptr<std::vector<float>> v);

Tensor sharedWith(int64_t n) {
  auto v = std::make_shared<std::vector<float>>(n);
  keep(v);
  return at::from_blob(v->data(), {n});
}

Tensor sharedByDeleter(int64_t n) {
  auto v = std::make_shared<std::vector<float>>(n);
  return at::from_blob(v->data(), {n}, [v](void *) {});
}

Tensor text(int64_t n) {
  std::string s(static_cast<size_t>(n), 'x');
  return at::from_blob(&s[0], {n}, at::kChar);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 's', which is gone when the function returns [tensor-from-blob-lifetime]
  // CHECK-MESSAGES: :[[#@LINE-2]]:14: note: from_blob() makes no copy
}

Tensor textCopied(int64_t n) {
  std::string s(static_cast<size_t>(n), 'x');
  return at::from_blob(&s[0], {n}, at::kChar).clone();
}

// A list in braces has as many elements as are written.
at::Tensor braces(int width, int height) {
  std::vector<int> data = {width, height};
  return torch::from_blob(data.data(), {3}, at::kInt).clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: from_blob() reads 3 elements of memory that has 2 [tensor-from-blob-lifetime]
}

void fill(std::vector<int> &v);

at::Tensor grown(int width, int height, std::vector<int> more) {
  std::vector<int> pushed{width, height}, other{width}, filled{width};
  pushed.push_back(3);
  other.swap(more);
  fill(filled);
  return torch::from_blob(pushed.data(), {3}, at::kInt) +
         torch::from_blob(other.data(), {3}, at::kInt) +
         torch::from_blob(filled.data(), {3}, at::kInt);
}
