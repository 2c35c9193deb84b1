// RUN: %silent %s --checks=-*,tensor-allocation-in-loop -- %runtime
// No finding: the iteration starts from a clean tensor.

#include <tensortidy/aten.h>

at::Tensor accumulator(const at::Tensor &x, int64_t n, int64_t m) {
  auto all = torch::zeros({n});
  for (int64_t i = 0; i < n; ++i) {
    auto sum = torch::zeros({8});
    for (int64_t j = 0; j < m; ++j)
      sum.add_(x[i][j]);
    all[i] = sum.sum();
  }
  return all;
}

at::Tensor plusEquals(const at::Tensor &x, int64_t n) {
  auto all = torch::zeros({n});
  for (int64_t i = 0; i < n; ++i) {
    auto sum = torch::zeros({8});
    sum += x[i];
    all[i] = sum.sum();
  }
  return all;
}

// By rebinding: the next iteration starts from zero again.
at::Tensor rebound(const at::Tensor &x, int64_t n, int64_t m) {
  auto all = torch::zeros({n});
  for (int64_t i = 0; i < n; ++i) {
    auto state = torch::zeros({8});
    for (int64_t j = 0; j < m; ++j)
      state = state * 0.5 + x[i][j];
    all[i] = state.sum();
  }
  return all;
}

at::Tensor elementWritten(const at::Tensor &x, int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto hot = torch::zeros({8});
    hot[i % 8] = 1;
    total = total + (x * hot).sum();
  }
  return total;
}

at::Tensor viewWritten(const at::Tensor &x, int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto hot = torch::zeros({8, 8});
    auto row = hot.select(0, i % 8);
    row.fill_(1);
    total = total + (x * hot).sum();
  }
  return total;
}

at::Tensor aliasWritten(const at::Tensor &x, int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto a = torch::ones({8});
    auto b = a;
    b.mul_(x[i]);
    total = total + a.sum();
  }
  return total;
}

at::Tensor pointerWritten(const at::Tensor &x, int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto hot = torch::zeros({8});
    hot.data_ptr<float>()[i % 8] = 1;
    total = total + (x * hot).sum();
  }
  return total;
}

// Only a part of it is written.
at::Tensor partly(const at::Tensor &x, int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto buffer = torch::empty({8});
    buffer.narrow(0, 0, 4).copy_(x[i]);
    buffer.narrow(0, 4, 4).copy_(x[i]);
    total = total + buffer.sum();
  }
  return total;
}

at::Tensor readFirst(int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto buffer = torch::empty({8});
    total = total + buffer.sum();
    buffer.zero_();
  }
  return total;
}

at::Tensor writtenOnOnePath(const at::Tensor &x, int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto buffer = torch::empty({8});
    if (i > 0)
      buffer.copy_(x[i]);
    total = total + buffer.sum();
  }
  return total;
}

void fill(at::Tensor &x);
void fillByValue(at::Tensor x);

at::Tensor writtenElsewhere(int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto a = torch::zeros({8}), b = torch::zeros({8});
    fill(a);
    fillByValue(b);
    total = total + a.sum() + b.sum();
  }
  return total;
}

// The layout is changed in place.
at::Tensor turnedInPlace(const at::Tensor &x, int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto a = torch::ones({8, 4});
    a.t_();
    total = total + (x * a).sum();
  }
  return total;
}
