// RUN: not %tensortidy --checks=-*,tensor-allocation-in-loop %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// A tensor that every iteration makes and fills with the same number; and buffers that are overwritten.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor smooth(const std::vector<at::Tensor> &frames, double weight) {
  at::Tensor out = torch::zeros({8});
  for (const auto &frame : frames) {
    auto kernel = torch::zeros({8, 8});
    kernel.fill_(weight);
    out = torch::matmul(kernel, frame);
    // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: warning: 'kernel' is allocated and filled in every iteration with the same number; hoist it out of the loop (256 bytes each time)
  }
  return out;
}

at::Tensor average(const std::vector<at::Tensor> &frames, int64_t n) {
  at::Tensor out = torch::zeros({n});
  for (const auto &frame : frames) {
    at::Tensor ones = torch::empty({n, n});
    ones.fill_(1.0 / n);
    out = out + torch::matmul(ones, frame);
    // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: warning: 'ones' is allocated and filled
  }
  return out;
}

// zeros() of which nothing is read.
double zerosFirst(const at::Tensor &x, int64_t n) {
  at::NoGradGuard guard;
  double total = 0;
  for (int64_t i = 0; i < n; ++i) {
    auto buffer = torch::zeros({32});
    buffer.copy_(x.select(0, i));
    total += buffer.sum().item<double>();
    // CHECK: :[[#@LINE-3]]:{{[0-9]+}}: warning: 'buffer' is allocated anew in every iteration and overwritten
  }
  return total;
}

at::Tensor changes(const std::vector<at::Tensor> &frames, int64_t n) {
  at::Tensor out = torch::zeros({n});
  int64_t k = 0;
  for (const auto &frame : frames) {
    auto other = torch::zeros({n, n}); // another number each time
    other.fill_(double(++k));
    auto random = torch::empty({n, n});
    random.uniform_();
    auto summed = torch::zeros({n, n}); // read, and written again
    summed.fill_(1.0);
    summed.add_(frame);
    auto later = torch::ones({n, n}); // filled where something has read it
    out = out + torch::matmul(later, frame);
    later.fill_(0.5);
    auto some = torch::ones({n, n}); // not in every iteration
    if (k > 2)
      some.fill_(0.5);
    auto row = torch::ones({n, n}); // a part of it
    row.select(0, 0).fill_(0.5);
    out = out + torch::matmul(other, random) + torch::matmul(summed, some) + torch::matmul(later, row);
  }
  return out;
}

std::vector<at::Tensor> kept(int64_t n) {
  std::vector<at::Tensor> all;
  for (int64_t i = 0; i < n; ++i) {
    auto one = torch::empty({n});
    one.fill_(1.0);
    all.push_back(one);
  }
  return all;
}
