// RUN: %check %s --checks=-*,tensor-sync-in-loop -- %runtime
// Elements read or written one by one; an accessor where all it takes for
// granted is known.

#include <tensortidy/aten.h>

#include <cmath>
#include <vector>

float parameter(const at::Tensor &x) {
  float sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
      sum += x[i][j].item<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop reads 'x' number by number: each access makes a tensor, over a microsecond each, and waits for the device it is on [tensor-sync-in-loop]
  // CHECK-MESSAGES: :[[#@LINE-3]]:5: note: once before the loop: take 'x' to the CPU and make an accessor, which takes nanoseconds{{$}}
  // CHECK-FIXES: {{^}}      sum += x[i][j].item<float>();
  return sum;
}

float own(int64_t n) {
  auto x = torch::zeros({n, 40});
  float sum = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < 40; ++j) {
      x[i][j] = sum * 2;
      sum += x[i][j].item<float>();
    }
  // CHECK-MESSAGES: :[[#@LINE-3]]:15: warning: this loop reads and writes 'x' number by number: each access makes a tensor, over a microsecond each [tensor-sync-in-loop]
  // CHECK-MESSAGES: :[[#@LINE-5]]:5: note: an accessor made before the loop takes nanoseconds
  // CHECK-MESSAGES: :[[#@LINE-4]]:22: note: and here
  // CHECK-FIXES: {{^}}  auto x_a = x.accessor<float, 2>();
  // CHECK-FIXES-NEXT: {{^}}  for (int64_t i = 0; i < n; ++i)
  // CHECK-FIXES: {{^}}      x_a[i][j] = sum * 2;
  // CHECK-FIXES: {{^}}      sum += x_a[i][j];
  return sum;
}

// What a check says of the device, the conversion says of the dtype.
double checked(at::Tensor x) {
  TORCH_CHECK(x.device().is_cpu(), "on the CPU");
  TORCH_CHECK(x.dim() == 2, "a matrix");
  auto y = x.to(at::kDouble);
  double sum = 0;
  for (int64_t i = 0; i < y.size(0); ++i)
    for (int64_t j = 0; j < y.size(1); ++j)
      sum += y[i][j].item<double>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop reads 'y' number by number: each access makes a tensor, over a microsecond each [tensor-sync-in-loop]
  // CHECK-MESSAGES: :[[#@LINE-3]]:5: note: an accessor made before the loop takes nanoseconds
  // CHECK-FIXES: {{^}}  auto y_a = y.accessor<double, 2>();
  // CHECK-FIXES: {{^}}      sum += y_a[i][j];
  return sum;
}

// No edit: the row is a tensor of its own.
float rows(const at::Tensor &boxes, std::vector<float> &out) {
  for (int64_t i = 0; i < boxes.size(0); ++i) {
    auto box = boxes[i];
    out.push_back(box[0].item<float>());
    out.push_back(box[1].item<float>());
  }
  // CHECK-MESSAGES: :[[#@LINE-3]]:26: warning: this loop reads 'boxes' number by number
  // CHECK-MESSAGES: :[[#@LINE-6]]:3: note: once before the loop
  // CHECK-MESSAGES: :[[#@LINE-4]]:26: note: and here
  return out[0];
}

// No edit: read as another type than it has.
double converted() {
  auto x = torch::ones({64});
  double sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += x[i].item<double>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: this loop reads 'x' number by number: each access makes a tensor, over a microsecond each [tensor-sync-in-loop]
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note:
  // CHECK-FIXES: {{^}}    sum += x[i].item<double>();
  return sum;
}

// No edit: x[-1] and indices that are not seen to be in range mean something
// else, or nothing, to an accessor.
float unbounded(int64_t n) {
  auto x = torch::ones({64});
  float sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += x[i].item<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: this loop reads 'x'
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note:
  // CHECK-FIXES: {{^}}    sum += x[i].item<float>();
  for (int64_t i = 0; i < 64; ++i)
    sum += x[i - 1].item<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: this loop reads 'x'
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note:
  // CHECK-FIXES: {{^}}    sum += x[i - 1].item<float>();
  return sum;
}

float indexed(const at::Tensor &x, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += x.index({i, 0}).item<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:28: warning: this loop reads 'x'
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note:
  return sum;
}

// What goes to a copy on the CPU has to come back.
void written(at::Tensor &x, const std::vector<float> &from) {
  TORCH_CHECK(x.dim() == 1, "a vector");
  for (size_t i = 0; i < from.size(); ++i)
    x[i] = from[i];
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: this loop writes 'x' number by number: each access makes a tensor, over a microsecond each [tensor-sync-in-loop]
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note: once before the loop: take 'x' to the CPU and make an accessor, which takes nanoseconds; after the loop: copy_() it back{{$}}
}

float flattened(const at::Tensor &x) {
  float sum = 0;
  for (int64_t i = 0; i < x.numel(); ++i)
    sum += x.view({-1})[i].item<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:{{[0-9]+}}: warning: this loop reads 'x' number by number
  // CHECK-MESSAGES: note: once before the loop
  return sum;
}

// C's own functions change no tensor.
at::Tensor positions(int64_t n, int64_t d) {
  auto pe = torch::zeros({n, d});
  for (int64_t pos = 0; pos < n; ++pos)
    for (int64_t i = 0; i < d; ++i)
      pe[pos][i] = std::sin(pos / std::pow(10000.0, double(i) / d));
  // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: this loop writes 'pe' number by number: each access makes a tensor, over a microsecond each [tensor-sync-in-loop]
  // CHECK-MESSAGES: note:
  return pe;
}

// A number that is made a tensor for the write alone; no edit.
at::Tensor wrapped(int64_t n, float step) {
  auto grid = torch::zeros({n, 2});
  for (int64_t i = 0; i < n; ++i) {
    grid[i][0] = torch::tensor(step * i);
    grid[i][1] = torch::tensor(1.0f - step * i);
  }
  // CHECK-MESSAGES: :[[#@LINE-3]]:16: warning: this loop writes 'grid' number by number: each access makes a tensor, over a microsecond each [tensor-sync-in-loop]
  // CHECK-MESSAGES: :[[#@LINE-5]]:3: note: an accessor made before the loop takes nanoseconds
  // CHECK-MESSAGES: :[[#@LINE-4]]:16: note: and here
  // CHECK-FIXES: {{^}}    grid[i][0] = torch::tensor(step * i);
  return grid;
}
