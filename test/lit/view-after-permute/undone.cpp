// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: permutations that undo each other.

#include <tensortidy/aten.h>

at::Tensor twice(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t().t();
  return y.view(-1);
}

at::Tensor inverse(int64_t a, int64_t b, int64_t c) {
  auto y = torch::zeros({a, b, c}).permute({2, 0, 1});
  return y.permute({1, 2, 0}).view(-1);
}

at::Tensor identity(int64_t a, int64_t b, int64_t c) {
  auto y = torch::zeros({a, b, c}).permute({0, 1, 2});
  return y.view(-1);
}

at::Tensor sameDims(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).transpose(1, 1);
  return y.view(-1);
}

at::Tensor mixed(int64_t a, int64_t b, int64_t c) {
  auto y = torch::zeros({a, b, c}).movedim(0, -1).permute({2, 0, 1});
  auto z = y.transpose(-1, -2).mT();
  return z.view({a * b, c});
}

at::Tensor inPlaceTwice(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  y.t_();
  y.transpose_(0, 1);
  return y.view(-1);
}

at::Tensor throughAlias(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  auto y = x;
  x.t_();
  y.t_();
  return x.view(-1);
}

// A loop that turns the matrix exactly twice.
at::Tensor twiceInLoop(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  for (int i = 0; i < 2; ++i)
    y = y.t();
  return y.view(-1);
}

// Each iteration turns and turns back.
at::Tensor eachIteration(int64_t n, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  for (int64_t i = 0; i < n; ++i) {
    y = y.t();
    y = y + 1;
    y = y.t();
  }
  return y.view(-1);
}

// Parameters, too: whatever 'x' is, this is 'x' again.
at::Tensor parameter(const at::Tensor &x) {
  auto y = x.transpose(0, 1);
  return y.transpose(0, 1).view(-1);
}
