// RUN: not %tensortidy --checks=-*,tensor-raw-pointer-layout %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// Bytes that go into or out of a tensor as one block, whatever its strides.

#include "ggml.h"
#include <vector>

using Ctx = ggml_context *;
using T = ggml_tensor *;

T padded(Ctx ctx, int64_t n, int64_t width, int64_t rows) {
  T all = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n + width, rows);
  T part = ggml_view_2d(ctx, all, n, rows, all->nb[1], 0);
  std::vector<float> values(n * rows, 0.5f);
  ggml_backend_tensor_set(part, values.data(), 0, values.size() * sizeof(float));
  // CHECK: :[[#@LINE-1]]:3: warning: 'ggml_backend_tensor_set' gets 'part' without its strides and takes {{.*}} elements in a row
  return part;
}
void fetched(T x, int64_t n, float *out) {
  T part = ggml_view_2d(nullptr, x, n, x->ne[1], x->nb[1], n * sizeof(float));
  ggml_backend_tensor_get(part, out, 0, ggml_nbytes(part));
}
void half(Ctx ctx, int64_t n, int64_t rows, float *out) {
  T all = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 2 * n, rows);
  T part = ggml_view_2d(ctx, all, n, rows, all->nb[1], n * sizeof(float));
  ggml_backend_tensor_get(part, out, 0, n * rows * sizeof(float));
  // CHECK: :[[#@LINE-1]]:3: warning: 'ggml_backend_tensor_get' gets 'part' without its strides and takes n*rows elements in a row
}

// Packed; a row at a time; all of the memory that is behind it.
T right(Ctx ctx, int64_t n, int64_t width, int64_t rows) {
  T all = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n + width, rows);
  std::vector<float> values((n + width) * rows, 0.5f);
  ggml_backend_tensor_set(all, values.data(), 0, values.size() * sizeof(float));
  T part = ggml_view_2d(ctx, all, n, rows, all->nb[1], 0);
  for (int64_t i = 0; i < rows; ++i)
    ggml_backend_tensor_set(part, values.data() + i * n, i * part->nb[1], n * sizeof(float));
  ggml_backend_tensor_set(part, values.data(), 0, ggml_nbytes(all));
  T first = ggml_view_2d(ctx, all, n + width, rows, all->nb[1], 0);
  ggml_backend_tensor_set(first, values.data(), 0, values.size() * sizeof(float));
  return part;
}
