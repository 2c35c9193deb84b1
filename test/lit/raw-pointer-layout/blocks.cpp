// RUN: not %tensortidy --checks=-*,tensor-raw-pointer-layout %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// How many blocks a kernel runs in says nothing of strides.
#include <algorithm>
#include <torch/torch.h>

void launch(const float *x, float *y, int64_t rows, int64_t cols, int blocks, int threads);
void launchRows(const float *x, float *y, int64_t rows, int64_t cols, int64_t step, int blocks, int threads);
constexpr int Threads = 256;

torch::Tensor scale(const torch::Tensor &table, int64_t n) {
  auto x = table.view({n, 5}).slice(1, 0, 2);
  const int64_t rows = x.size(0), cols = x.size(1);
  auto y = torch::empty({rows, cols}, x.options());
  const int blocks = static_cast<int>((rows * cols + Threads - 1) / Threads);
  launch(x.data_ptr<float>(), y.data_ptr<float>(), rows, cols, blocks, Threads);
  // CHECK: :[[#@LINE-1]]:{{.*}} 'launch' gets 'x' without its strides and takes 2*n elements in a row: sizes [n, 2], strides [5, 1]; wrong when 'table' is contiguous, unless n is 1
  return y;
}
torch::Tensor scaleMost(const torch::Tensor &table, int64_t n) {
  auto x = table.view({n, 5}).slice(1, 0, 2);
  const int64_t rows = x.size(0), cols = x.size(1);
  auto y = torch::empty({rows, cols}, x.options());
  const int64_t blocks = std::min<int64_t>((rows * cols + Threads - 1) / Threads, 65535);
  launch(x.data_ptr<float>(), y.data_ptr<float>(), rows, cols, static_cast<int>(blocks), Threads);
  // CHECK: :[[#@LINE-1]]:{{.*}} 'launch' gets 'x' without its strides
  return y;
}
torch::Tensor scaleRight(const torch::Tensor &table, int64_t n) {
  auto x = table.view({n, 5}).slice(1, 0, 2).contiguous();
  const int64_t rows = x.size(0), cols = x.size(1);
  auto y = torch::empty({rows, cols}, x.options());
  const int blocks = static_cast<int>((rows * cols + Threads - 1) / Threads);
  launch(x.data_ptr<float>(), y.data_ptr<float>(), rows, cols, blocks, Threads);
  return y;
}
// A number that nobody knows may be the step of a row.
torch::Tensor scaleSteps(const torch::Tensor &table, int64_t n, int64_t step) {
  auto x = table.view({n, 5}).slice(1, 0, 2);
  auto y = torch::empty({n, 2}, x.options());
  launchRows(x.data_ptr<float>(), y.data_ptr<float>(), n, 2, step, static_cast<int>((n + Threads - 1) / Threads), Threads);
  return y;
}
