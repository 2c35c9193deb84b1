// RUN: not %tensortidy --checks=-*,tensor-raw-pointer-layout %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// The rows of two dimensions together are stride(1) apart, not stride(0).
#include <ATen/ATen.h>

static float sumRow(const float *row, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += row[i];
  return sum;
}

float inLoop(const at::Tensor &y) {
  TORCH_CHECK(y.dim() == 3 && y.is_contiguous());
  const float *p = y.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this loop goes through 'y' in steps of y.size(1)*y.size(2) elements, which are y.size(2) in its memory{{.*}}; wrong unless y.size(1) is 1
  float sum = 0;
  for (int64_t i = 0; i < y.size(0) * y.size(1); ++i) {
    const float *row = p + i * y.stride(0);
    for (int64_t j = 0; j < y.size(2); ++j)
      sum += row[j];
  }
  return sum;
}

float indexed(const at::Tensor &y) {
  TORCH_CHECK(y.dim() == 3 && y.is_contiguous());
  const float *p = y.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this loop goes through 'y' in steps of
  const int64_t rows = y.size(0) * y.size(1), pitch = y.stride(0);
  float sum = 0;
  for (int64_t i = 0; i < rows; ++i)
    sum += p[i * pitch];
  return sum;
}

float handedOn(const at::Tensor &x) {
  auto y = x.contiguous();
  TORCH_CHECK(y.dim() == 3);
  const float *p = y.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: {{.*}}in steps of
  float sum = 0;
  for (int64_t i = 0; i < y.size(0) * y.size(1); ++i)
    sum += sumRow(p + i * y.stride(0), y.size(2));
  return sum;
}

void launch(const float *p, int64_t rows, int64_t cols, int64_t pitch);
void given(const at::Tensor &x) {
  auto y = x.contiguous();
  TORCH_CHECK(y.dim() == 3);
  launch(y.data_ptr<float>(), y.size(0) * y.size(1), y.size(2), y.stride(0));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'launch' gets 'y' with a stride of
}

static void kernel(const float *p, int64_t rows, int64_t cols, int64_t pitch, float *out) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      out[r] += p[r * pitch + c];
}
at::Tensor inHelper(const at::Tensor &x) {
  auto y = x.contiguous();
  TORCH_CHECK(y.dim() == 3);
  auto out = at::zeros({y.size(0) * y.size(1)});
  kernel(y.data_ptr<float>(), y.size(0) * y.size(1), y.size(2), y.stride(0), out.data_ptr<float>());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this loop goes through 'y' in steps of
  return out;
}

// A part of each row, in a longer one: stride(1) is the pitch of all rows.
float ofPart(const at::Tensor &x, int64_t d) {
  TORCH_CHECK(x.dim() == 3 && x.is_contiguous() && x.size(2) == 3 * d);
  auto q = x.narrow(2, 0, d);
  const float *p = q.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: {{.*}}in steps of
  float sum = 0;
  for (int64_t i = 0; i < q.size(0) * q.size(1); ++i)
    sum += sumRow(p + i * q.stride(0), d);
  return sum;
}

float fine(const at::Tensor &x, int64_t d) {
  auto y = x.contiguous();
  TORCH_CHECK(y.dim() == 3);
  const float *p = y.data_ptr<float>();
  float sum = 0;
  for (int64_t i = 0; i < y.size(0) * y.size(1); ++i)
    sum += sumRow(p + i * y.stride(1), y.size(2)) + p[i * y.stride(1)];
  for (int64_t i = 0; i < y.size(0); ++i) {
    sum += sumRow(p + i * y.stride(0), y.size(2)); // the first row of each
    for (int64_t j = 0; j < y.size(1); ++j)
      sum += sumRow(p + i * y.stride(0) + j * y.stride(1), y.size(2));
  }
  for (int64_t i = 0; i < y.size(0) * y.size(1); ++i)
    sum += p[(i / y.size(1)) * y.stride(0) + (i % y.size(1)) * y.stride(1)];
  launch(p, y.size(0), y.size(1) * y.size(2), y.stride(0));
  launch(p, y.size(0) * y.size(1), y.size(2), y.stride(1));
  auto m = at::zeros({d, d});
  launch(m.data_ptr<float>(), d, d, m.stride(0));
  return sum;
}
