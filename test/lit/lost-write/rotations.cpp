// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-lost-write -- %torch
// Numbers that are read from a copy only to be written back into it; copies that flatten() and reshape() give to a helper.

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

using torch::Tensor;

// Rotates each pair of a row.
static void rotateRows(float *data, int64_t rows, int64_t pitch, int64_t width, const float *table) {
  for (int64_t r = 0; r < rows; ++r) {
    float *x = data + r * pitch;
    for (int64_t i = 0; i < width / 2; ++i) {
      const float a = x[i], b = x[width / 2 + i];
      x[i] = a * std::cos(table[i]) - b * std::sin(table[i]);
      x[width / 2 + i] = b * std::cos(table[i]) + a * std::sin(table[i]);
    }
  }
}

void rotate(Tensor x, const Tensor &table) {
  x = x.contiguous();
  rotateRows(x.data_ptr<float>(), x.size(0), x.stride(0), x.size(1), table.data_ptr<float>());
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this write is lost: nothing reads 'x', the copy of the caller's tensor that contiguous() makes where it is not contiguous
}
void rotateStrided(Tensor x, const Tensor &table) {
  TORCH_CHECK(x.stride(1) == 1);
  rotateRows(x.data_ptr<float>(), x.size(0), x.stride(0), x.size(1), table.data_ptr<float>());
}
Tensor rotated(Tensor x, const Tensor &table) {
  x = x.contiguous();
  rotateRows(x.data_ptr<float>(), x.size(0), x.stride(0), x.size(1), table.data_ptr<float>());
  return x;
}

// What is read is used elsewhere: returned, kept, tested, written to other memory.
float peak(Tensor x) {
  x = x.contiguous();
  float *d = x.data_ptr<float>();
  float most = 0;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const float a = d[i];
    d[i] = a * 2;
    most = std::max(most, a);
  }
  return most;
}
struct Last {
  float last_ = 0;
  void scale(Tensor x) {
    x = x.contiguous();
    float *d = x.data_ptr<float>();
    for (int64_t i = 0; i < x.numel(); ++i) {
      const float a = d[i];
      d[i] = a * 2;
      last_ = a;
    }
  }
};
void into(Tensor x, float *out) {
  x = x.contiguous();
  float *d = x.data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) {
    const float a = d[i];
    d[i] = a * 2;
    out[i] = a;
  }
}
void check(Tensor x) {
  x = x.contiguous();
  float *d = x.data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) {
    const float a = d[i];
    if (a > 2)
      throw 1;
    d[i] = a * 2;
  }
}

static void bucket(const Tensor &values, Tensor out) {
  const float *v = values.data_ptr<float>();
  int64_t *o = out.data_ptr<int64_t>();
  for (int64_t i = 0; i < values.numel(); ++i)
    o[i] = v[i] > 0;
}
Tensor buckets(const Tensor &scores) {
  TORCH_CHECK(scores.dim() == 2);
  auto columns = scores.to(torch::kFloat).contiguous().t();
  auto out = torch::empty_like(columns, columns.options().dtype(torch::kLong));
  bucket(columns.reshape({-1}), out.flatten());
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this write is lost: nothing reads 'out', the copy of 'out' that flatten() makes, unless scores.size(0) or scores.size(1) is 1
  return out;
}
Tensor bucketsOfDense(const Tensor &scores) {
  TORCH_CHECK(scores.dim() == 2);
  auto columns = scores.to(torch::kFloat).contiguous().t();
  auto out = torch::empty(columns.sizes(), columns.options().dtype(torch::kLong));
  bucket(columns.reshape({-1}), out.flatten());
  return out;
}
