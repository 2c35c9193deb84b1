// RUN: not %tensortidy --checks=-*,tensor-* '--config={CheckOptions: {tensor-raw-pointer-layout.NarrowIndex: true}}' %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Numbers of elements in 32 bits, each with a correct twin.
#include <ATen/ATen.h>
#include <limits>
#include <vector>
static void scale(float *p, int n, float by) {
  for (int i = 0; i < n; ++i)
    p[i] *= by;
}
void scaleAll(at::Tensor &x, float by) {
  TORCH_CHECK(x.is_contiguous() && x.scalar_type() == at::kFloat);
  scale(x.data_ptr<float>(), x.numel(), by);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: a number of elements becomes a 32-bit integer
}
static void scale64(float *p, int64_t n, float by) {
  for (int64_t i = 0; i < n; ++i)
    p[i] *= by;
}
void scaleAllOk(at::Tensor &x, float by) {
  TORCH_CHECK(x.is_contiguous() && x.scalar_type() == at::kFloat);
  scale64(x.data_ptr<float>(), x.numel(), by);
}
struct Range { int begin, end; };
struct Range64 { int64_t begin, end; };
std::vector<Range> chunks(const at::Tensor &x, int64_t parts) {
  std::vector<Range> all;
  const int64_t step = (x.numel() + parts - 1) / parts;
  for (int64_t i = 0; i < parts; ++i) {
    Range r;
    r.begin = static_cast<int>(i * step);
    r.end = x.numel();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: a number of elements becomes a 32-bit integer
    all.push_back(r);
  }
  return all;
}
std::vector<Range64> chunksOk(const at::Tensor &x, int64_t parts) {
  std::vector<Range64> all;
  const int64_t step = (x.numel() + parts - 1) / parts;
  for (int64_t i = 0; i < parts; ++i) {
    Range64 r;
    r.begin = i * step;
    r.end = x.numel();
    all.push_back(r);
  }
  return all;
}
float total(const at::Tensor &x) {
  auto a = x.packed_accessor32<float, 2>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: packed_accessor32() indexes with 32-bit integers
  float sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
      sum += a[i][j];
  return sum;
}
float totalOk(const at::Tensor &x) {
  TORCH_CHECK(x.numel() < std::numeric_limits<int32_t>::max());
  auto a = x.packed_accessor32<float, 2>();
  float sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
      sum += a[i][j];
  return sum;
}
int64_t blocks(const at::Tensor &x, int threads) {
  int total = 1 + x.size(0) * x.size(1);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: a number of elements becomes a 32-bit integer
  return (total + threads - 1) / threads;
}
int64_t blocksOk(const at::Tensor &x, int threads) {
  const int64_t total = 1 + x.size(0) * x.size(1);
  return (total + threads - 1) / threads;
}
std::vector<int> offsets(const std::vector<at::Tensor> &all) {
  std::vector<int> at{0};
  for (const at::Tensor &t : all)
    at.push_back(t.numel());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: a number of elements becomes a 32-bit integer
  return at;
}
std::vector<int> offsetsOk(const std::vector<at::Tensor> &all) {
  std::vector<int> at{0};
  for (const at::Tensor &t : all) {
    TORCH_CHECK(t.numel() <= std::numeric_limits<int>::max());
    at.push_back(t.numel());
  }
  return at;
}
class Counter {
public:
  explicit Counter(const at::Tensor &x) : n(x.numel()) {}
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: a number of elements becomes a 32-bit integer
  int n;
};
int count(const at::Tensor &x) { return x.numel(); }
// CHECK: :[[#@LINE-1]]:{{.*}}: warning: a number of elements becomes a 32-bit integer
int countSum(const std::vector<at::Tensor> &all) {
  int n = 0;
  for (const at::Tensor &t : all)
    n += t.numel();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: a number of elements becomes a 32-bit integer
  return n;
}
int64_t countFine(const at::Tensor &x) { return x.numel(); }
// The grid of a launch, and the arguments of a C function.
extern "C" void c_kernel(const float *in, float *out, int count);
void viaC(const at::Tensor &in, at::Tensor &out) {
  TORCH_CHECK(in.is_contiguous() && out.is_contiguous());
  const int n = in.numel();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: a number of elements becomes a 32-bit integer: wrong from 2^31 elements on
  c_kernel(in.data_ptr<float>(), out.data_ptr<float>(), n);
}
struct Problem { int rows, cols, total; };
Problem describe(const at::Tensor &a) {
  const int64_t rows = a.size(0), cols = a.size(1);
  Problem p{};
  p.rows = a.size(0);
  p.cols = a.size(1);
  p.total = rows * cols;
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: a number of elements becomes a 32-bit integer
  return p;
}
struct Problem64 { int rows, cols; int64_t total; };
Problem64 describeOk(const at::Tensor &a) {
  const int64_t rows = a.size(0), cols = a.size(1);
  Problem64 p{};
  p.rows = a.size(0);
  p.cols = a.size(1);
  p.total = rows * cols;
  return p;
}
double sumOf(const at::Tensor &a) {
  const float *p = a.data_ptr<float>();
  double sum = 0;
  for (int i = 0, n = a.numel(); i < n; ++i)
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: a number of elements becomes a 32-bit integer: wrong from 2^31 elements on
    sum += p[i];
  return sum;
}
double sumOfOk(const at::Tensor &a) {
  const float *p = a.data_ptr<float>();
  double sum = 0;
  for (int64_t i = 0, n = a.numel(); i < n; ++i)
    sum += p[i];
  return sum;
}
// What does not fit is no matter of the option.
struct Launch { int32_t count; uint32_t items; int64_t all; };
Launch plan() {
  constexpr int64_t cameras = 81, tiles = 32ll * 1024 * 1024;
  auto ids = at::empty({cameras * tiles}, at::kInt);
  Launch l;
  l.count = ids.numel();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 2717908992 elements become a 32-bit integer, which holds no more than 2^31 - 1 [tensor-raw-pointer-layout]
  l.items = ids.numel();
  l.all = ids.numel();
  return l;
}
Launch planSmall() {
  auto ids = at::empty({1024, 1024}, at::kInt);
  Launch l;
  l.count = ids.numel();
  l.items = ids.size(0) * ids.size(1);
  l.all = ids.numel();
  return l;
}
