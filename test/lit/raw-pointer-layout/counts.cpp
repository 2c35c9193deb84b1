// RUN: not %tensortidy --checks=-*,tensor-raw-pointer-layout %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// How many bytes are moved between a tensor and something else.
#include <ATen/ATen.h>
#include <cstdio>
#include <cstring>
#include <istream>
#include <memory>
#include <ostream>
#include <vector>

extern "C" int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);

struct Decoder {
  at::Tensor weight;
  int64_t width = 0;
};

// Sizes that are numbers: numel() counts elements all the same.
void fixed(float *to) {
  auto anchors = at::zeros({4, 8});
  std::memcpy(to, anchors.data_ptr<float>(), anchors.numel());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies one byte for each of the 32 elements of 'anchors', which have 4 (float32) [tensor-raw-pointer-layout]
  std::memcpy(to, anchors.data_ptr<float>(), anchors.numel() * sizeof(float));
  std::memcpy(to, anchors.data_ptr<float>(), anchors.nbytes());
  std::memcpy(to, anchors.data_ptr<float>(), 32); // eight of them
}

// What is counted may be the vector on the other side.
void upload(at::Tensor weight, const std::vector<float> &values) {
  std::memcpy(weight.data_ptr(), values.data(), values.size());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies one byte for each of the elements of 'values', which have 4 [tensor-raw-pointer-layout]
}

void uploadFine(at::Tensor weight, const std::vector<float> &values, const std::vector<uint8_t> &raw) {
  std::memcpy(weight.data_ptr(), values.data(), values.size() * sizeof(float));
  std::memcpy(weight.data_ptr(), raw.data(), raw.size());
  std::memcpy(weight.data_ptr<float>(), raw.data(), raw.size()); // as read from a file
}

std::vector<float> download(const at::Tensor &x) {
  std::vector<float> out(x.numel());
  std::memcpy(out.data(), x.data_ptr<float>(), out.size());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies one byte for each of the elements of 'x', which have 4 (float32)
  return out;
}

std::vector<double> wide(const at::Tensor &x) {
  std::vector<double> out(x.numel());
  std::memcpy(out.data(), x.data_ptr<float>(), x.numel() * sizeof(double));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies 8 bytes for each of the elements of 'x', which have 4 (float32)
  return out;
}

// Files and streams.
at::Tensor load(std::istream &in, FILE *file, int64_t rows, int64_t width) {
  auto table = at::empty({rows, width});
  in.read(reinterpret_cast<char *>(table.data_ptr<float>()), table.numel());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'read' counts one byte for each of the rows*width elements of 'table', which have 4 (float32)
  auto more = at::empty({rows, width}, at::kLong);
  if (fread(more.data_ptr(), 1, more.numel(), file) == 0)
    // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'fread' counts one byte for each of the rows*width elements of 'more', which have 8 (int64)
    return table;
  auto half = at::empty({rows, width}, at::kHalf);
  if (fread(half.data_ptr(), sizeof(float), half.numel(), file) == 0)
    // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'fread' counts 4 bytes for each of the rows*width elements of 'half', which have 2 (float16)
    return table;
  std::memset(more.data_ptr(), 0, more.numel());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memset' counts one byte for each of the rows*width elements of 'more', which have 8 (int64)
  return table + more + half;
}

at::Tensor loadFine(std::istream &in, std::ostream &out, FILE *file, int64_t rows, int64_t width) {
  auto table = at::empty({rows, width});
  in.read(reinterpret_cast<char *>(table.data_ptr<float>()), table.numel() * sizeof(float));
  out.write(reinterpret_cast<const char *>(table.data_ptr<float>()), table.nbytes());
  auto more = at::empty({rows, width}, at::kLong);
  if (fread(more.data_ptr(), more.element_size(), more.numel(), file) == 0)
    return table;
  auto codes = at::empty({rows, width}, at::kByte);
  if (fread(codes.data_ptr(), 1, codes.numel(), file) == 0)
    return table;
  std::memset(codes.data_ptr(), 0, codes.numel());
  std::memset(more.data_ptr(), 0, more.numel() * more.element_size());
  return table + more + codes;
}

// Rows: the step in elements is taken for a number of bytes.
void rows(const std::vector<std::vector<float>> &in, float *out) {
  const int64_t n = in.size(), width = in[0].size();
  auto table = at::empty({n, width});
  float *to = table.data_ptr<float>();
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(to + i * width, in[i].data(), width);
  // CHECK: :[[#@LINE-3]]:{{.*}}: warning: 'memcpy' copies {{.*}} bytes of rows of {{.*}} elements of 'table', which have 4 each (float32)
  auto fine = at::empty({n, width});
  float *right = fine.data_ptr<float>();
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(right + i * width, in[i].data(), width * sizeof(float));
  auto codes = at::empty({n, width}, at::kByte);
  auto *bytes = codes.data_ptr<uint8_t>();
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(bytes + i * width, out, width);
}

// Memory that ends before.
void ends(const at::Tensor &x, int64_t n) {
  auto buffer = std::make_unique<char[]>(n);
  auto a = at::zeros({n});
  std::memcpy(buffer.get(), a.data_ptr<float>(), n * sizeof(float));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies 4*n bytes, and 'buffer' has n [tensor-raw-pointer-layout]
  auto enough = std::make_unique<char[]>(n * sizeof(float));
  std::memcpy(enough.get(), a.data_ptr<float>(), n * sizeof(float));
  auto b = at::zeros({n, 2});
  std::memcpy(a.data_ptr(), b.data_ptr(), b.nbytes());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' reaches element 2*n of the memory of 'a', which has n
  std::memcpy(a.data_ptr(), b.data_ptr(), a.nbytes()); // the first half
}

// Elements of another size, one by one.
void others(const std::vector<int> &ids, const std::vector<double> &values) {
  auto a = at::empty({static_cast<int64_t>(values.size())});
  std::memcpy(a.data_ptr<float>(), values.data(), a.nbytes());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies elements of 8 bytes and those of 'a', which have 4 (float32), for each other
  auto b = at::empty({static_cast<int64_t>(ids.size())}, at::kLong);
  std::memcpy(b.data_ptr<int64_t>(), ids.data(), ids.size() * sizeof(int));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies 4 bytes for each of the {{.*}}elements of 'b', which have 8 (int64)
  auto c = at::empty({static_cast<int64_t>(ids.size())}, at::kInt);
  std::memcpy(c.data_ptr<int>(), ids.data(), c.nbytes());
  auto d = at::empty({static_cast<int64_t>(values.size())}, at::kDouble);
  cudaMemcpy(d.data_ptr(), values.data(), d.nbytes(), 1);
}

// No tensor has a part in it.
void vectors(FILE *file, std::vector<float> &to, const std::vector<float> &from) {
  if (fread(to.data(), 1, to.size(), file))
    std::memcpy(to.data(), from.data(), from.size());
}
